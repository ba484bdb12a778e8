"""Some hundred of what ``make fuzz`` tries by the hundred thousand: no crash, no hang."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz import heads, targets
from tests.fuzz.pages import pages, recipes
from tests.fuzz.requests import requests
from tests.fuzz.targets import HangError, front_door, page_is_survived
from winnow.document.values import Page, Recipe

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


@pytest.mark.parametrize("first", [1, 2])
def test_no_byte_of_a_head_leaves_its_field(first: int) -> None:
    tried, requested, replied = heads.run(2000, SLOW, first)
    assert tried == 2000
    assert requested > 200  # most of them would show nothing if nearly all were refused
    assert replied > 1000


@pytest.mark.parametrize(
    "sent",
    [
        b"HTTP/1.1 200 OK\r\nX: q0000z\r\nY: q0001z\r\n",
        b"HTTP/1.1 200 OK\r\nX: q0000z\nY: q0001z\r\n\r\n",
        b"HTTP/1.1 200 q0000z\r\nY: q0001z\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: q0001z\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: q0000z\r\n\r\nY: q0001z\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX y: q0000z\r\n\r\n",
    ],
)
def test_a_byte_that_left_its_field_is_noticed(sent: bytes) -> None:
    with pytest.raises(heads.LeakError):
        heads.check(sent, heads.Made(b"", {b"q0000z": b"x", b"q0001z": b"y"}))


def test_a_page_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(targets, "transform", lambda *_: re.match(r"(a+)+$", "a" * 24 + "b"))
    with pytest.raises(HangError):
        page_is_survived(Page(b""), Recipe(), 0.01)
