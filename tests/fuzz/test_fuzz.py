"""Some hundred of what ``make fuzz`` tries by the hundred thousand: no crash, no hang."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings

from document.values import Page, Recipe
from tests.fuzz import targets
from tests.fuzz.pages import pages, recipes
from tests.fuzz.requests import requests
from tests.fuzz.targets import HangError, front_door, page_is_survived

SLOW = 120.0
"""Seconds of CPU: for the slowest of machines; `make fuzz` asks for the proxy's own deadline."""
FEW = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@FEW
@given(page=pages, recipe=recipes)
def test_no_page_breaks_the_pipeline(page: Page, recipe: Recipe) -> None:
    page_is_survived(page, recipe, SLOW)


def test_no_request_breaks_the_front() -> None:
    with front_door() as door:

        @settings(FEW, max_examples=10)
        @given(payloads=requests)
        def thrown(payloads: list[bytes]) -> None:
            door.survives(payloads)

        thrown()


def test_a_page_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "transform", lambda *_: re.match(r"(a+)+$", "a" * 24 + "b"))
    with pytest.raises(HangError):
        page_is_survived(Page(b""), Recipe(), 0.01)
