"""What one user's request brought is not another user's (RFC 9111, sections 3.5 and 7.3)."""

from __future__ import annotations

import pytest

from tests.proxy.caching.making import (
    HOUSEHOLD,
    NOW,
    PRIVATE,
    SHARED,
    URL,
    Bench,
    bench,
    fields,
    http_date,
    reply,
)
from winnow.proxy.caching.caching_client import CachingRules
from winnow.proxy.caching.storing import StoreMode, may_store

SESSION = "Set-Cookie: session=secret"
CHANGED = f"Last-Modified: {http_date(-86_400)}"
TAGGED = 'ETag: "1"'
COOKIE = "Cookie: who=ann"


@pytest.mark.parametrize(
    ("request_line", "lines", "stored"),
    [
        ("", ("Cache-Control: max-age=60", SESSION), False),
        ("", (f"Expires: {http_date(60)}", SESSION), False),
        ("", ("Cache-Control: max-age=60", "Set-Cookie2: a=b"), False),
        ("", ("Cache-Control: public, max-age=60", SESSION), True),
        ("", ("Cache-Control: s-maxage=60", SESSION), True),
        (COOKIE, ("Cache-Control: max-age=60",), False),
        (COOKIE, ("Cache-Control: max-age=60", "Content-Type: text/html; charset=utf-8"), False),
        (COOKIE, ("Cache-Control: max-age=60", "Content-Type: application/json"), False),
        (COOKIE, ("Cache-Control: max-age=60", "Content-Type: application/pdf"), False),
        (COOKIE, (f"Expires: {http_date(60)}", "Content-Type: text/html"), False),
        (COOKIE, ("Cache-Control: public, max-age=60", "Content-Type: text/html"), True),
        (COOKIE, ("Cache-Control: s-maxage=60", "Content-Type: application/json"), True),
        (COOKIE, ("Cache-Control: max-age=60", "Content-Type: image/png"), True),
        (COOKIE, ("Cache-Control: max-age=60", "Content-Type: text/css; charset=utf-8"), True),
        (COOKIE, ("Cache-Control: max-age=60", "Content-Type: Text/JavaScript"), True),
        (COOKIE, (f"Expires: {http_date(60)}", "Content-Type: font/woff2"), True),
        (COOKIE, (CHANGED,), False),
        (COOKIE, (TAGGED,), False),
        (COOKIE, ("Cache-Control: public", CHANGED), False),
        ("Authorization: Basic eDp5", ("Cache-Control: public", CHANGED), False),
        ("Authorization: Basic eDp5", ("Cache-Control: must-revalidate", CHANGED), False),
        ("Authorization: Basic eDp5", ("Cache-Control: public, max-age=60",), True),
        ("", (CHANGED,), True),
    ],
)
def test_what_is_stored_for_everybody(
    request_line: str, lines: tuple[str, ...], stored: bool
) -> None:
    requested = fields(request_line) if request_line else fields()
    assert may_store(requested, reply(*lines), SHARED) is stored


async def test_a_cookie_is_given_to_the_one_it_was_set_for_alone() -> None:
    made = bench()
    made.origin.says("Cache-Control: public, max-age=60", SESSION)
    first, second = await made.get(), await made.get()
    assert first.head.headers.get("set-cookie") == "session=secret"
    assert second.is_hit
    assert "set-cookie" not in second.head.headers


async def test_a_cookie_of_a_304_is_given_to_the_one_who_requested_alone() -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60", TAGGED)
    await made.get()
    made.clock.now += 90
    made.origin.says("Cache-Control: max-age=60", SESSION, status=304, body=b"")
    validated, again = await made.get(), await made.get()
    assert validated.head.headers.get("set-cookie") == "session=secret"
    assert (again.is_hit, "set-cookie" in again.head.headers) == (True, False)


async def test_a_cookie_of_a_heads_reply_is_stored_for_nobody() -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60", TAGGED)
    await made.get()
    made.clock.now += 90
    made.origin.says("Cache-Control: max-age=60", SESSION, body=b"")
    await made.get(method="HEAD")
    again = await made.get()
    assert (again.is_hit, "set-cookie" in again.head.headers) == (True, False)


@pytest.mark.parametrize("reported", ["private", "no-store"])
async def test_what_a_304_makes_one_persons_is_stored_for_nobody(reported: str) -> None:
    made = bench()
    made.origin.says("Cache-Control: max-age=60", TAGGED)
    await made.get()
    made.clock.now += 90
    made.origin.says(f"Cache-Control: {reported}, max-age=600", "X-Who: ann", status=304, body=b"")
    validated, again = await made.get(), await made.get()
    assert validated.head.headers.get("x-who") == "ann"
    assert made.fetches == 3
    assert again.head.headers.get("x-who") == "ann"  # from its own 304


async def guessed(made: Bench, first: str, second: str) -> bool:
    """Whether the second request is answered by the reply to the first, by guess."""
    made.origin.says(CHANGED, f"Date: {http_date()}")
    for line in (first, second):
        answer = await made.get(*([line] if line else []))
    return answer.is_hit


@pytest.mark.parametrize("credential", [COOKIE, "Authorization: Basic eDp5"])
async def test_nothing_is_guessed_about_requests_that_say_who_asks(credential: str) -> None:
    assert await guessed(bench(), "", "")
    assert not await guessed(bench(), credential, "")
    assert not await guessed(bench(), "", credential)
    assert not await guessed(bench(), credential, credential)


async def test_a_guessed_reply_is_not_validated_for_who_says_who_it_is() -> None:
    """An origin that looks at the date alone would confirm another user's page by a 304."""
    made = bench()
    made.origin.says(CHANGED)
    await made.get()
    made.clock.now = NOW + 10 * 86_400
    answer = await made.get(COOKIE)
    assert made.origin.orders[-1].headers == fields(COOKIE)
    assert answer.cache == "fwd=request"


@pytest.mark.parametrize("mode", [HOUSEHOLD, PRIVATE])
async def test_one_household_keeps_what_the_rfc_lets_it(mode: StoreMode) -> None:
    made = bench(CachingRules(mode))
    made.origin.says("Cache-Control: max-age=60", SESSION)
    await made.get()
    again = await made.get()
    assert (again.is_hit, again.head.headers.get("set-cookie")) == (True, "session=secret")
    made.origin.says(CHANGED, f"Date: {http_date()}")
    await made.get(COOKIE, url=URL + "?q")
    assert (await made.get(url=URL + "?q")).is_hit
