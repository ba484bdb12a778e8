"""No payload leaves anything that runs in what we show, whichever way a browser reads it."""

from __future__ import annotations

import json

import pytest

from tests.document.render.pages import dangers, shown
from tests.payloads import PAYLOADS
from tests.sweeps import rest_in_release
from winnow.document.parsing.parse import serialise
from winnow.document.sanitise import sanitise
from winnow.document.values import Format, Profile

CASES = [
    pytest.param(payload, id=f"{kind} {number}")
    for kind, payloads in PAYLOADS.items()
    for number, payload in enumerate(payloads)
]
PREFIXES = ["", "http://127.0.0.1:8080/"]
PAGE = "<!doctype html><html><head><title>Rain</title></head><body><p>Before.</p>{}<p>After.</p>"


def readings(page: str) -> tuple[str, str]:
    """A page as it stands, and as a browser with its own tree builder would write it again."""
    return page, serialise(page)


def test_there_are_payloads_enough() -> None:
    assert sum(map(len, PAYLOADS.values())) >= 150


@pytest.mark.parametrize("prefix", rest_in_release(PREFIXES, PREFIXES[1:]))
@pytest.mark.parametrize("form", [Format.HTML, Format.PRUNED])
@pytest.mark.parametrize("payload", CASES)
def test_nothing_runs_in_a_page(payload: str, form: Format, prefix: str) -> None:
    for page in (payload, PAGE.format(payload)):
        for reading in readings(shown(page, form=form, prefix=prefix)):
            assert list(dangers(reading)) == []


def test_the_sanitiser_alone_lets_nothing_run() -> None:
    payload = (
        "<p onclick=a()>Text<script>b()</script><a href=javascript:c()>link</a><iframe srcdoc=d>"
        "<svg onload=e()><style>f</style><foreignObject><img onerror=g() src=x></foreignObject>"
    )
    assert list(dangers(payload))
    assert list(dangers(sanitise(payload))) == []


@pytest.mark.parametrize("profile", [Profile.BASIC, Profile.VOICE])
@pytest.mark.parametrize("payload", CASES)
def test_nothing_runs_in_other_profiles(payload: str, profile: Profile) -> None:
    for reading in readings(shown(PAGE.format(payload), profile=profile)):
        assert list(dangers(reading)) == []


@pytest.mark.parametrize("payload", CASES)
def test_nothing_runs_in_the_content_of_the_json(payload: str) -> None:
    content = json.loads(shown(PAGE.format(payload), form=Format.JSON))["content"]
    for reading in readings(content):
        assert list(dangers(reading)) == []


@pytest.mark.parametrize("payload", CASES)
def test_markdown_links_to_nothing_that_runs(payload: str) -> None:
    text = shown(PAGE.format(payload), form=Format.MARKDOWN).lower()
    for scheme in ("javascript:", "vbscript:", "data:text"):
        assert f"]({scheme}" not in text
        assert f"](<{scheme}" not in text


@pytest.mark.parametrize("payload", CASES)
def test_a_harmless_page_around_a_payload_is_still_read(payload: str) -> None:
    assert "Before." in shown(PAGE.format(payload))
