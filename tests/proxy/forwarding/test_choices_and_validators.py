"""A choice takes effect on reload: validators of the reader page and of the original are apart."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.proxy.origins import Answer, Origin, ask, get, read_body, reply
from tests.proxy.proxies import Proxy
from winnow.proxy.decisions.policy import Policy, SiteRule
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.stores.site_choice import SiteMode

PAGE = b"<html><body><p>A page that somebody wrote.</p></body></html>"
WRITTEN = PAGE.removesuffix(b"</body></html>")
BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
DATE = "Sat, 21 Nov 2026 12:00:00 GMT"
VALIDATORS = ['ETag: "theirs"', f"Last-Modified: {DATE}", ""]


def never(policy: Policy) -> Policy:
    return replace(policy, rule_for=lambda _origin, _owner: SiteRule(SiteMode.NEVER))


def always(policy: Policy) -> Policy:
    return replace(policy, rule_for=lambda _origin, _owner: SiteRule(SiteMode.ALWAYS))


def paused(policy: Policy) -> Policy:
    return replace(policy, is_paused=lambda _owner: True)


def original(policy: Policy) -> Policy:
    return replace(policy, view_of=lambda _owner, _url: RequestMode.ORIGINAL)


CHANGES: list[Callable[[Policy], Policy]] = [never, paused, original]


def conditional(origin: Origin, *validators: str) -> None:
    """An origin that answers 304 to its own validators, as RFC 9110, section 13 says."""
    fields = ("Content-Type: text/html", "Cache-Control: max-age=600", *filter(None, validators))

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = origin.requests[-1].lower()
        await read_body(head, reader)
        tagged = b'if-none-match: "theirs"' in head
        dated = b"if-none-match" not in head and b"if-modified-since: sat, 21 nov 2026" in head
        if tagged or dated:
            writer.write(reply(b"", *fields[1:], status="304 Not Modified", length=False))
        else:
            writer.write(reply(PAGE, *fields))
        await writer.drain()

    origin.replies["/a"] = answer


def conditions_of(answer: Answer) -> tuple[str, ...]:
    """What a browser sends when it loads again what it holds (RFC 9111, section 4.3.1)."""
    pairs = (("If-None-Match", "etag"), ("If-Modified-Since", "last-modified"))
    return tuple(f"{name}: {answer.field(of)}" for name, of in pairs if answer.field(of))


async def loaded(origin: Origin, proxy: Proxy, *conditions: str) -> Answer:
    return await ask(proxy.port, get(origin.url("/a"), BROWSER, *conditions))


@pytest.mark.parametrize("validator", VALIDATORS)
@pytest.mark.parametrize("change", CHANGES)
async def test_a_reload_after_never_pause_or_original_shows_the_original(
    origin: Origin, proxy: Proxy, change: Callable[[Policy], Policy], validator: str
) -> None:
    conditional(origin, validator)
    first = await loaded(origin, proxy)
    assert first.field("winnow-action") == "extracted"
    proxy.policy = change(proxy.policy)
    again = await loaded(origin, proxy, *conditions_of(first))
    assert again.status == 200
    assert again.body.startswith(WRITTEN)
    assert again.field("winnow-action") == "original"
    assert b"winnow-" not in origin.requests[-1].lower().replace(b"winnow-test", b"")


@pytest.mark.parametrize("validator", VALIDATORS)
@pytest.mark.parametrize("change", CHANGES)
async def test_a_reload_after_always_shows_the_reader_page(
    origin: Origin, proxy: Proxy, change: Callable[[Policy], Policy], validator: str
) -> None:
    conditional(origin, validator)
    before = proxy.policy
    proxy.policy = change(before)
    first = await loaded(origin, proxy)
    assert first.body.startswith(WRITTEN)
    proxy.policy = always(before)
    again = await loaded(origin, proxy, *conditions_of(first))
    assert again.status == 200
    assert again.field("winnow-action") == "extracted"


@pytest.mark.parametrize("change", CHANGES)
async def test_an_original_that_was_chosen_is_requested_for_each_time(
    origin: Origin, proxy: Proxy, change: Callable[[Policy], Policy]
) -> None:
    """Otherwise max-age of the site keeps it on screen after the choice was undone."""
    conditional(origin, VALIDATORS[0])
    proxy.policy = change(proxy.policy)
    first = await loaded(origin, proxy)
    assert first.field("cache-control") == "max-age=600, no-cache"
    again = await loaded(origin, proxy, *conditions_of(first))
    assert again.status == 304
    assert again.field("cache-control") == "max-age=600, no-cache"


async def test_a_page_that_failed_is_not_stored_by_the_date_of_the_original(
    origin: Origin, proxy: Proxy
) -> None:
    """Its line would come back with the 304 of an original that was chosen."""
    conditional(origin, f"Last-Modified: {DATE}")
    proxy.transform.failure = "deadline"
    first = await loaded(origin, proxy)
    assert b"Winnow shows the original page" in first.body
    proxy.policy = never(proxy.policy)
    assert (await loaded(origin, proxy, *conditions_of(first))).body == PAGE


async def test_a_304_holds_for_a_no_transform_page_only_while_that_is_overruled(
    origin: Origin, proxy: Proxy
) -> None:
    conditional(origin, 'ETag: "theirs"', "Cache-Control: no-transform")
    before = proxy.policy
    proxy.policy = replace(before, rule_for=lambda _origin, _owner: SiteRule(transform_anyway=True))
    first = await loaded(origin, proxy)
    assert first.field("winnow-action") == "extracted"
    proxy.policy = before
    assert (await loaded(origin, proxy, *conditions_of(first))).body == PAGE
