"""A repeated request gets what a proxy that never saw it would answer: nothing stale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from email.utils import parsedate_to_datetime

import pytest

from tests.proxy.origins import Answer, Origin, ask, get, html, reply
from tests.proxy.proxies import FakeTransform, Proxy, proxying
from winnow.proxy.caching.caching_client import CachingClient
from winnow.proxy.caching.memory_storage import MemoryStorage
from winnow.proxy.decisions.policy import SiteRule
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.messages import Sender
from winnow.proxy.stores.site_choice import SiteMode

PAGE = b"<html><body><p>A page that somebody wrote.</p></body></html>"
OTHER = b"<html><body><p>What somebody wrote since then.</p></body></html>"
BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
CHANGING = {"server-timing", "winnow-request", "date"}


def cached(client: Sender) -> Sender:
    return CachingClient(client, MemoryStorage(1_000_000))


def seen(answer: Answer) -> tuple[object, ...]:
    """All of an answer that does not change from one time to the next."""
    fields = sorted(field for field in fields_of(answer) if field[0] not in CHANGING)
    return answer.status, fields, answer.body


def fields_of(answer: Answer) -> list[tuple[str, str]]:
    """Names in lower case, with their values."""
    lines = answer.head.decode("latin-1").split("\r\n")[1:]
    pairs = (line.partition(":") for line in lines if line)
    return [(name.lower(), value.strip()) for name, _, value in pairs]


# -- whatever changes between two equal requests shows in the second


def paused(origin: Origin, proxy: Proxy) -> None:
    proxy.policy = replace(proxy.policy, is_paused=lambda _owner: True)


def never(origin: Origin, proxy: Proxy) -> None:
    proxy.policy = replace(proxy.policy, rule_for=lambda _origin, _owner: SiteRule(SiteMode.NEVER))


def by_another(origin: Origin, proxy: Proxy) -> None:
    proxy.policy = replace(proxy.policy, rule_for=lambda _origin, _owner: SiteRule(extractor="bte"))


def asked_original(origin: Origin, proxy: Proxy) -> None:
    proxy.policy = replace(proxy.policy, view_of=lambda _owner, _url: RequestMode.ORIGINAL)


def renamed(origin: Origin, proxy: Proxy) -> None:
    proxy.policy = replace(proxy.policy, name="another")


def refused(origin: Origin, proxy: Proxy) -> None:
    proxy.policy = replace(proxy.policy, permit_for=lambda _: nowhere)


def nowhere(_address: str, _port: int) -> bool:
    return False


def another_page(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(OTHER)


def as_long_a_page(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE.replace(b"somebody", b"everyone"))


def another_charset(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = reply(PAGE, "Content-Type: text/html; charset=iso-8859-1")


def no_page(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = reply(PAGE, "Content-Type: text/plain")


def untouchable(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE, "Cache-Control: no-transform")


def download(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE, "Content-Disposition: attachment")


def another_cookie(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE, "Set-Cookie: a=b")


def another_tag(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "new"')


def gone(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE).replace(b"200 OK", b"404 Not Found")


def poor(origin: Origin, proxy: Proxy) -> None:
    proxy.transform.poor = "few-words"
    another_page(origin, proxy)


Change = Callable[[Origin, Proxy], None]
CHANGES: tuple[Change, ...] = (
    paused,
    never,
    by_another,
    asked_original,
    renamed,
    refused,
    another_page,
    as_long_a_page,
    another_charset,
    no_page,
    untouchable,
    download,
    another_cookie,
    another_tag,
    gone,
    poor,
)

SEEN_BY_TRANSFORM = (another_page, as_long_a_page, another_charset)
"""Which the test's own transform is told of, but does not show."""


@pytest.mark.parametrize("change", CHANGES)
async def test_a_change_shows_at_once(origin: Origin, change: Change) -> None:
    origin.replies["/a"] = html(PAGE)
    requested = get(origin.url("/a"), BROWSER)
    async with proxying(FakeTransform()) as fresh, proxying(FakeTransform()) as used:
        for _ in range(3):
            before = await ask(used.port, requested)
        change(origin, fresh)
        change(origin, used)
        expected, answer = await ask(fresh.port, requested), await ask(used.port, requested)
        assert seen(answer) == seen(expected)
        if fresh.transform.pages:
            assert used.transform.pages[-1] == fresh.transform.pages[-1]
        assert (seen(before) == seen(answer)) == (change in SEEN_BY_TRANSFORM)


async def test_what_an_origin_says_again_each_time_is_passed_on(
    origin: Origin, proxy: Proxy
) -> None:
    for date in ("Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:01 GMT"):
        origin.replies["/a"] = html(PAGE, f"Date: {date}", "Age: 7")
        answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
        assert [value for name, value in fields_of(answer) if name == "date"] == [date]
        assert answer.field("age") == "7"
    origin.replies["/a"] = html(PAGE)
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert answer.field("age") == ""
    assert parsedate_to_datetime(answer.field("date")).year > 2024  # ours: RFC 9110, 6.6.1


async def test_stored_replies_are_reported_by_their_age_and_given_up_with_it(
    origin: Origin,
) -> None:
    origin.replies["/a"] = html(PAGE, "Cache-Control: max-age=600", 'ETag: "1"')
    requested = get(origin.url("/a"), BROWSER)
    async with proxying(FakeTransform(), remember=cached) as proxy:
        first, second, third = [await ask(proxy.port, requested) for _ in range(3)]
        assert len(origin.requests) == 1
        assert second.body == third.body == first.body
        assert second.field("cache-status").startswith("Winnow; hit")
        assert second.field("age").isdecimal()
        assert first.field("etag") == second.field("etag")
        named = get(origin.url("/a"), BROWSER, f"If-None-Match: {first.field('etag')}")
        assert (await ask(proxy.port, named)).status == 304
        posted = get(origin.url("/a"), "Content-Length: 0", method="POST")
        origin.replies["/a"] = html(OTHER, "Cache-Control: max-age=600", 'ETag: "2"')
        await ask(
            proxy.port, posted
        )  # makes what is stored invalidated_keys (RFC 9111, section 4.4)
        await ask(proxy.port, requested)
        assert proxy.transform.pages[-1].body == OTHER
