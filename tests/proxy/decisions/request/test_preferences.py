"""What requests ask of us, by fields and by query."""

from __future__ import annotations

import pytest

from winnow.document.values import Format, MethodOptions, Profile, Recipe
from winnow.jobs.answers import Fallback
from winnow.proxy.decisions.request.preferences import Preferences, from_headers, from_query
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ClientFaultError

PLAIN = Recipe("bte")


def test_nothing_requested_is_the_default() -> None:
    assert from_headers(Headers(), PLAIN) == Preferences(PLAIN)
    assert from_query({}, PLAIN) == Preferences(PLAIN)


WISHES = {
    "extractor": "lqf:0.25",
    "format": "PRUNED",
    "level": "12",
    "profile": "voice",
    "bar": "off",
    "https": "on",
    "fallback": "text",
}
GRANTED = Preferences(
    Recipe("lqf:0.25", Format.PRUNED, Profile.VOICE, MethodOptions(12)),
    RequestMode.EXTRACT,
    bar=False,
    over_https=True,
    named_format=True,
    named_profile=True,
    named_method=True,
    fallback=Fallback.TEXT,
)


def test_fields_and_query_ask_alike() -> None:
    fields = Headers(tuple((f"Winnow-{name}", value) for name, value in WISHES.items()))
    assert from_headers(fields, PLAIN) == from_query(WISHES, PLAIN) == GRANTED


@pytest.mark.parametrize("name", ["extractor", "format", "level"])
def test_who_names_how_wants_it_extracted(name: str) -> None:
    assert from_query({name: WISHES[name]}, PLAIN).mode is RequestMode.EXTRACT
    both = {name: WISHES[name], "mode": "original"}
    assert from_query(both, PLAIN).mode is RequestMode.ORIGINAL


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "parchment"),
        ("mode", "perhaps"),
        ("level", "0"),
        ("level", "13"),
        ("level", "high"),
        ("profile", "x"),
        ("fallback", "page"),
        ("extractor", "../../etc"),
        ("extractor", "a" * 100),
        ("extractor", "a b"),
    ],
)
def test_what_is_none_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(ClientFaultError, match=name):
        from_query({name: value}, PLAIN)


def test_a_field_counts_before_accept() -> None:
    accepting = ("Accept", "text/markdown")
    assert from_headers(Headers((accepting,)), PLAIN).recipe.format is Format.MARKDOWN
    both = Headers((accepting, ("Winnow-Format", "text")))
    assert from_headers(both, PLAIN).recipe.format is Format.TEXT


@pytest.mark.parametrize(
    ("wishes", "recipe"),
    [
        ({"level": "5"}, Recipe("crunch", Format.PRUNED, options=MethodOptions(5))),
        ({"level": "5", "format": "html"}, Recipe("crunch", Format.HTML, options=MethodOptions(5))),
        ({"level": "5", "format": "text"}, Recipe("crunch", Format.TEXT, options=MethodOptions(5))),
        ({"level": "5", "extractor": "lqf"}, Recipe("lqf", options=MethodOptions(5))),
    ],
)
def test_a_level_alone_asks_for_crunch_and_the_pages_own_look(
    wishes: dict[str, str], recipe: Recipe
) -> None:
    assert from_query(wishes, Recipe()).recipe == recipe
