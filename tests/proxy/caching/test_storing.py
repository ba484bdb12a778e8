"""What may be stored, and what of it (RFC 9111, sections 3 and 4.1 to 4.3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.proxy.caching.making import (
    NOW,
    PRIVATE,
    SHARED,
    entry,
    fields,
    http_date,
    reply,
    selected,
)
from winnow.proxy.caching.revalidation import freshened, is_same
from winnow.proxy.caching.storing import StoreMode, may_store, stored_headers
from winnow.proxy.caching.vary import is_selected, selecting_fields

FRESH = "Cache-Control: max-age=60"
CHANGED = f"Last-Modified: {http_date(-1000)}"
TAGGED = 'ETag: "1"'


@pytest.mark.parametrize(
    ("lines", "status", "shared", "private"),
    [
        ((FRESH,), 200, True, True),
        ((FRESH,), 599, True, True),
        ((FRESH,), 503, True, True),
        ((FRESH,), 206, False, False),
        ((FRESH,), 304, False, False),
        ((FRESH,), 416, False, False),
        ((FRESH,), 101, False, False),
        (("Cache-Control: max-age=0",), 200, True, True),
        (("Cache-Control: s-maxage=60",), 302, True, False),
        (("Cache-Control: public",), 302, True, True),
        ((f"Expires: {http_date(60)}",), 302, True, True),
        (("Cache-Control: private",), 200, False, True),
        (("Cache-Control: private, max-age=60",), 200, False, True),
        (('Cache-Control: private="x", max-age=60',), 200, False, True),
        (("Cache-Control: private",), 302, False, True),
        (("Cache-Control: no-store",), 200, False, False),
        (("Cache-Control: no-store, max-age=60",), 200, False, False),
        (("Cache-Control: no-cache", TAGGED), 200, True, True),
        (("Cache-Control: no-store, must-understand, max-age=60",), 200, True, True),
        (("Cache-Control: no-store, must-understand, max-age=60",), 599, False, False),
        (("Cache-Control: must-understand, max-age=60",), 599, False, False),
        (("Vary: *", FRESH), 200, False, False),
        (("Vary: Accept, *", FRESH), 200, False, False),
        (("Vary: Accept", FRESH), 200, True, True),
        ((CHANGED,), 200, True, True),
        ((CHANGED,), 404, True, True),
        ((CHANGED,), 302, False, False),
        ((TAGGED,), 200, True, True),
        ((TAGGED,), 500, False, False),
        ((), 200, False, False),
        ((CHANGED, "Set-Cookie: a=b"), 200, False, True),
        ((FRESH, "Set-Cookie: a=b"), 200, False, True),
    ],
)
def test_may_store(lines: tuple[str, ...], status: int, shared: bool, private: bool) -> None:
    assert may_store(fields(), reply(*lines, status=status), SHARED) is shared
    assert may_store(fields(), reply(*lines, status=status), PRIVATE) is private


@pytest.mark.parametrize(
    ("directive", "shared"),
    [
        ("max-age=60", False),
        ("max-age=60, must-revalidate", True),
        ("max-age=60, public", True),
        ("s-maxage=60", True),
        ("max-age=60, proxy-revalidate", False),
        ("max-age=60, private, public", False),
    ],
)
def test_with_authorization_the_origin_must_allow_it(directive: str, shared: bool) -> None:
    sent_request, reported = (
        fields("Authorization: Basic eDp5"),
        reply(f"Cache-Control: {directive}, max-age=5"),
    )
    assert may_store(sent_request, reported, SHARED) is shared
    assert may_store(sent_request, reported, PRIVATE)


@pytest.mark.parametrize("mode", [SHARED, PRIVATE])
def test_a_request_may_forbid_it(mode: StoreMode) -> None:
    assert not may_store(fields("Cache-Control: no-store"), reply(FRESH), mode)
    assert may_store(fields("Cache-Control: no-cache"), reply(FRESH), mode)


def test_fields_of_the_connection_and_the_framing_are_not_stored() -> None:
    head = reply(
        "Connection: X-Hop",
        "X-Hop: 1",
        "Keep-Alive: 5",
        "Transfer-Encoding: chunked",
        "Content-Length: 9",
        "Proxy-Authenticate: Basic",
        "Content-Type: text/html",
        "Set-Cookie: a=b",
    )
    assert stored_headers(head) == fields("Content-Type: text/html", "Set-Cookie: a=b")


@pytest.mark.parametrize(
    ("vary", "stored", "sent_request", "same"),
    [
        ("Accept", ("Accept: a",), ("Accept: a",), True),
        ("ACCEPT", ("accept: a",), ("Accept: a",), True),
        ("Accept", ("Accept: a",), ("Accept: b",), False),
        ("Accept", ("Accept: a",), (), False),
        ("Accept", (), (), True),
        ("Accept", ("Accept: a, b",), ("Accept: a", "Accept: b"), True),
        ("Accept", ("Accept: a,b",), ("Accept: a ,  b",), True),
        ("Accept", ("Accept: a, b",), ("Accept: b, a",), False),
        ("Accept-Language", ("Accept-Language: en-GB",), ("Accept-Language: EN-gb",), True),
        ("X-Case", ("X-Case: a",), ("X-Case: A",), False),
        ("Accept, X", ("Accept: a", "X: 1"), ("Accept: a", "X: 2"), False),
        ("X, Accept", ("Accept: a", "X: 1"), ("X: 1", "Accept: a", "Other: 1"), True),
        ("", ("Accept: a",), ("Accept: b",), True),
    ],
)
def test_vary(
    vary: str, stored: tuple[str, ...], sent_request: tuple[str, ...], same: bool
) -> None:
    saved = selected(entry(f"Vary: {vary}"), *stored)
    assert is_selected(saved, fields(*sent_request)) is same


def test_the_order_of_varys_names_does_not_matter() -> None:
    sent_request = fields("A: 1", "B: 2")
    assert selecting_fields(sent_request, fields("Vary: A, B")) == selecting_fields(
        sent_request, fields("Vary: b", "Vary: a")
    )


def test_a_304_renews_what_it_says_and_keeps_the_rest() -> None:
    saved = entry("Cache-Control: max-age=1", TAGGED, "X-Old: 1", "X-Same: 1", "Age: 50", age=100)
    head = reply("Cache-Control: max-age=60", "X-Old: 2", "X-New: 3", "Connection: x", status=304)
    fresh = freshened(saved, head, NOW - 1, NOW)
    assert fresh.headers.get("cache-control") == "max-age=60"
    assert [fresh.headers.get(name) for name in ("x-old", "x-new", "x-same")] == ["2", "3", "1"]
    assert "age" not in fresh.headers
    assert "connection" not in fresh.headers
    assert (fresh.requested, fresh.received, fresh.status) == (NOW - 1, NOW, 200)


@pytest.mark.parametrize(
    "name", ["Content-Length", "Content-Encoding", "Content-Range", "ETag", "Content-Digest"]
)
def test_a_304_does_not_change_what_belongs_to_the_body(name: str) -> None:
    fresh = freshened(entry(f"{name}: old"), reply(f"{name}: new", status=304), NOW, NOW)
    assert fresh.headers.every(name) == ("old",)


def test_a_304_without_date_makes_it_as_young_as_the_304() -> None:
    fresh = freshened(entry(age=100), reply(status=304), NOW, NOW)
    assert "date" not in fresh.headers


def test_a_304_ends_all_doubt() -> None:
    assert not freshened(replace(entry(), doubtful=True), reply(status=304), NOW, NOW).doubtful


@pytest.mark.parametrize(
    ("reported", "same"),
    [
        ((), True),
        ((TAGGED,), True),
        (('ETag: "2"',), False),
        ((CHANGED,), True),
        ((f"Last-Modified: {http_date()}",), False),
        (("Content-Length: 10",), True),
        (("Content-Length: 11",), False),
        ((TAGGED, "Content-Length: 11"), False),
    ],
)
def test_a_heads_reply_describes_the_stored_one_or_another(
    reported: tuple[str, ...], same: bool
) -> None:
    assert is_same(entry(TAGGED, CHANGED), reply(*reported)) is same
