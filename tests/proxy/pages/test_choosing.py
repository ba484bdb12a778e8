"""A choice comes from our own links, changes one thing, and only for the site it was made for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest

from proxy.access.tokens import Tokens
from proxy.pages.choosing import (
    Action,
    ChoiceError,
    Links,
    Wish,
    page_site,
    read_original,
    read_wish,
)
from proxy.stores.remembered import NO_CHOICE, Choice, Mode

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TOKENS = Tokens()
LINKS = Links(TOKENS, NOW, "http://winnow.internal")
PAGE = "http://www.example.com/story?a=1&b=2"
EXTRACTORS = frozenset({"bte", "lqf"})


@pytest.mark.parametrize(
    ("wish", "chosen"),
    [
        (Wish(Action.ALWAYS, PAGE), Choice(Mode.ALWAYS, "mss", 3)),
        (Wish(Action.NEVER, PAGE), Choice(Mode.NEVER, "mss", 3)),
        (Wish(Action.EXTRACTOR, PAGE, "lqf:0.25"), Choice(None, "lqf:0.25")),
        (Wish(Action.LEVEL, PAGE, "12"), Choice(None, None, 12)),
        (Wish(Action.FORGET, PAGE), NO_CHOICE),
    ],
)
def test_one_click_changes_one_thing_a_level_being_a_method(wish: Wish, chosen: Choice) -> None:
    said = read_wish(LINKS.fields(wish), TOKENS, EXTRACTORS, NOW)
    assert said == wish
    assert said.applied(Choice(None, "mss", 3)) == chosen


def test_a_link_says_the_same_as_a_form() -> None:
    wish = Wish(Action.NEVER, PAGE)
    parts = urlsplit(LINKS.asking(wish))
    assert (parts.scheme, parts.netloc, parts.path) == ("http", "winnow.internal", "/-/choose")
    assert dict(parse_qsl(parts.query)) == LINKS.fields(wish)


def test_a_site_is_the_page_host_without_www() -> None:
    assert Wish(Action.NEVER, PAGE).site == "example.com"


@pytest.mark.parametrize(
    "page", ["", "javascript:alert(1)", "ftp://example.com/", "http://", "//x"]
)
def test_what_is_no_web_page_has_no_site(page: str) -> None:
    with pytest.raises(ValueError, match="no address of a web page"):
        page_site(page)


@pytest.mark.parametrize(
    "change",
    [
        {"page": "http://other.example/"},
        {"page": "javascript:alert(1)"},
        {"token": ""},
        {"token": TOKENS.make("choose other.example", NOW)},
        {"action": "sometimes"},
        {"action": "extractor", "value": "unknown"},
        {"action": "level", "value": "13"},
        {"action": "level", "value": "0"},
        {"action": "level", "value": "²"},
        {"action": "level"},
        {"value": "surplus"},
    ],
)
def test_a_forged_or_senseless_form_is_refused(change: dict[str, str]) -> None:
    fields = {**LINKS.fields(Wish(Action.NEVER, PAGE)), **change}
    with pytest.raises(ChoiceError):
        read_wish(fields, TOKENS, EXTRACTORS, NOW)


@pytest.mark.parametrize("missing", ["action", "page", "token"])
def test_an_incomplete_form_is_refused(missing: str) -> None:
    fields = LINKS.fields(Wish(Action.NEVER, PAGE))
    del fields[missing]
    with pytest.raises(ChoiceError):
        read_wish(fields, TOKENS, EXTRACTORS, NOW)


def test_a_stale_form_is_refused() -> None:
    fields = LINKS.fields(Wish(Action.NEVER, PAGE))
    with pytest.raises(ChoiceError, match="stale"):
        read_wish(fields, TOKENS, EXTRACTORS, NOW + timedelta(days=1))


def test_the_original_is_asked_for_by_a_link_of_ours_only() -> None:
    fields = dict(parse_qsl(urlsplit(LINKS.original(PAGE)).query))
    assert read_original(fields, TOKENS, NOW) == PAGE
    with pytest.raises(ChoiceError):
        read_original({**fields, "page": "http://evil.example/"}, TOKENS, NOW)
    with pytest.raises(ChoiceError):
        read_original({}, TOKENS, NOW)
