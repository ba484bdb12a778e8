"""A choice comes from our own links, changes one thing, and only for the site it was made for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

import pytest

from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.own.templates.choice_forms import (
    ChoiceAction,
    ChoiceError,
    ChoiceRequest,
    confirmed_fields,
    fields_of,
    is_from_page,
    page_site,
    read_choice,
    read_confirmed,
)
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice, SiteMode

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TOKENS = FormTokens()
LINKS = ChoiceLinks("http://winnow.internal")
OWNER = "192.168.1.5"
PAGE = "http://www.example.com/story?a=1&b=2"
EXTRACTORS = frozenset({"bte", "lqf"})


def form_of(wish: ChoiceRequest) -> dict[str, str]:
    return confirmed_fields(wish, TOKENS, NOW, OWNER)


def confirmed(fields: dict[str, str], owner: str = OWNER, now: datetime = NOW) -> ChoiceRequest:
    return read_confirmed(fields, EXTRACTORS, TOKENS, now, owner)


@pytest.mark.parametrize(
    ("wish", "chosen"),
    [
        (ChoiceRequest(ChoiceAction.ALWAYS, PAGE), Choice(SiteMode.ALWAYS, "mss", 3)),
        (ChoiceRequest(ChoiceAction.NEVER, PAGE), Choice(SiteMode.NEVER, "mss", 3)),
        (ChoiceRequest(ChoiceAction.EXTRACTOR, PAGE, "lqf:0.25"), Choice(None, "lqf:0.25")),
        (ChoiceRequest(ChoiceAction.LEVEL, PAGE, "12"), Choice(None, None, 12)),
        (ChoiceRequest(ChoiceAction.FORGET, PAGE), NO_CHOICE),
    ],
)
def test_one_click_changes_one_thing_a_level_being_a_method(
    wish: ChoiceRequest, chosen: Choice
) -> None:
    said = confirmed(form_of(wish))
    assert said == wish
    assert said.applied(Choice(None, "mss", 3)) == chosen


def test_a_link_says_the_same_as_a_form_and_proves_nothing() -> None:
    wish = ChoiceRequest(ChoiceAction.NEVER, PAGE)
    parts = urlsplit(LINKS.confirm(wish))
    assert (parts.scheme, parts.netloc, parts.path) == ("http", "winnow.internal", "/-/choose")
    asked = dict(parse_qsl(parts.query))
    assert asked == fields_of(wish)
    assert read_choice(asked, EXTRACTORS) == wish
    with pytest.raises(ChoiceError):
        confirmed(asked)


def test_a_site_is_the_page_host_without_www() -> None:
    assert ChoiceRequest(ChoiceAction.NEVER, PAGE).site == "example.com"


@pytest.mark.parametrize(
    "page",
    [
        "",
        "javascript:alert(1)",
        "ftp://example.com/",
        "http://",
        "//x",
        "http://a/\r\nB: c",
    ],
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
        {"action": "always"},
        {"page": "http://www.example.com/other"},
        {"action": "extractor", "value": "unknown"},
        {"action": "level", "value": "13"},
        {"action": "level", "value": "0"},
        {"action": "level", "value": "²"},
        {"action": "level", "value": "1" * 5000},
        {"action": "level"},
        {"value": "surplus"},
    ],
)
def test_a_forged_or_senseless_form_is_refused(change: dict[str, str]) -> None:
    fields = {**form_of(ChoiceRequest(ChoiceAction.NEVER, PAGE)), **change}
    with pytest.raises(ChoiceError):
        confirmed(fields)


@pytest.mark.parametrize("missing", ["action", "page", "token"])
def test_an_incomplete_form_is_refused(missing: str) -> None:
    fields = form_of(ChoiceRequest(ChoiceAction.NEVER, PAGE))
    del fields[missing]
    with pytest.raises(ChoiceError):
        confirmed(fields)


def test_a_stale_form_is_refused() -> None:
    with pytest.raises(ChoiceError, match="expired"):
        confirmed(form_of(ChoiceRequest(ChoiceAction.NEVER, PAGE)), now=NOW + timedelta(days=1))


@pytest.mark.parametrize("other", ["192.168.1.6", "user:anna", ""])
def test_a_form_holds_for_who_opened_it_alone(other: str) -> None:
    with pytest.raises(ChoiceError, match="expired"):
        confirmed(form_of(ChoiceRequest(ChoiceAction.NEVER, PAGE)), other)
    nobodys = confirmed_fields(ChoiceRequest(ChoiceAction.NEVER, PAGE), TOKENS, NOW, "")
    with pytest.raises(ChoiceError, match="expired"):
        confirmed(nobodys, "")


FROM_HERE = ("Referer", "http://www.example.com/")
NAVIGATE, DOCUMENT = ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((FROM_HERE,), True),
        ((FROM_HERE, NAVIGATE, DOCUMENT, ("Sec-Fetch-Site", "cross-site")), True),
        ((("Referer", PAGE),), True),
        ((), False),
        ((("Referer", ""),), False),
        ((NAVIGATE, DOCUMENT), False),
        ((("Referer", "http://evil.example/"),), False),
        ((("Referer", "https://www.example.com/"),), False),
        ((("Referer", "http://www.example.com:81/"),), False),
        ((("Referer", "http://example.com/"),), False),
        ((("Referer", "http://evil.example/http://www.example.com/"),), False),
        ((("Referer", "http://www.example.com@evil.example/"),), False),
        ((FROM_HERE, ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")), False),
        ((FROM_HERE, NAVIGATE, ("Sec-Fetch-Dest", "iframe")), False),
        ((FROM_HERE, ("Sec-Fetch-Mode", "cors"), ("Sec-Fetch-Dest", "empty")), False),
    ],
)
def test_the_view_of_a_page_is_switched_by_its_own_site_alone(
    fields: tuple[tuple[str, str], ...], expected: bool
) -> None:
    request = RequestHead("GET", "http://winnow.internal/-/original", Headers(fields))
    assert is_from_page(request, PAGE) is expected
