"""Two clients, one thing changed between them: the second gets what a fresh proxy would give it.

The origin makes each reply for whoever asks, as sites with a login do.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.proxy.origins import Answer, Origin, Script, closed, get, read_answer, reply
from tests.proxy.proxies import proxying
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.caching.caching_client import CachingClient
from winnow.proxy.caching.memory_storage import MemoryStorage
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import Permit, Sender, anywhere

ASKED_BY = ("cookie:", "authorization:", "accept-language:")
CHANGING = {"server-timing", "winnow-request", "date", "age", "cache-status"}
CHANGED = "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT"
REPLIES = {
    "nothing but a date": (CHANGED,),
    "a tag": ('ETag: "1"',),
    "public, by guess": ("Cache-Control: public", CHANGED),
    "a cookie is set": ("Cache-Control: max-age=60", "Set-Cookie: session={who}"),
    "a cookie is set, by guess": (CHANGED, "Set-Cookie: session={who}"),
    "private": ("Cache-Control: private, max-age=60",),
    "no-store": ("Cache-Control: no-store",),
    "no-cache": ("Cache-Control: no-cache", 'ETag: "{who}"'),
    "by Vary": ("Cache-Control: max-age=60", "Vary: Cookie, Authorization"),
}
CHANGES = ("Cookie: who=ann", "Authorization: Basic YW5uOmFubg==", "Accept-Language: de")


def cached(client: Sender) -> Sender:
    return CachingClient(client, MemoryStorage(1_000_000))


def who(head: bytes) -> str:
    """What of a request says for whom the reply is made."""
    lines = head.decode("latin-1").split("\r\n")[1:]
    return "-".join(sorted(line.split()[1] for line in lines if line.lower().startswith(ASKED_BY)))


def personal(origin: Origin, lines: tuple[str, ...]) -> Script:
    """Answers with these lines and a body, both made for whoever asks."""

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asks = who(origin.requests[-1])
        reported = [line.format(who=asks) for line in (*lines, "Vary: Accept-Language")]
        writer.write(reply(f"for {asks}".encode(), *reported))
        await writer.drain()

    return answer


async def ask(port: int, url: str, line: str, address: str = "127.0.0.1") -> Answer:
    """Ask from one of this machine's addresses."""
    local = (address, 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=local)
    try:
        writer.write(get(url, *([line] if line else [])))
        return await read_answer(reader)
    finally:
        await closed(writer)


def seen(answer: Answer) -> tuple[object, ...]:
    """All of an answer that the cache may not change."""
    lines = answer.head.decode("latin-1").split("\r\n")[1:]
    stored = sorted(line for line in lines if line.partition(":")[0].lower() not in CHANGING)
    return answer.status, stored, answer.body


@pytest.mark.parametrize("kind", ["text/html", "application/json", ""])
async def test_a_page_made_for_a_cookie_is_nobody_elses_by_its_max_age(
    origin: Origin, kind: str
) -> None:
    lines = ("Cache-Control: max-age=60", *([f"Content-Type: {kind}"] if kind else ()))
    origin.replies["/a"] = personal(origin, lines)
    async with proxying(remember=cached) as proxy:
        for line in ("Cookie: who=ann", "Cookie: who=bob", ""):
            answer = await ask(proxy.port, origin.url("/a"), line)
            assert answer.body == f"for {line.removeprefix('Cookie: ')}".encode()


@pytest.mark.parametrize("kind", REPLIES)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("reverse", [False, True])
async def test_the_second_client_gets_what_a_fresh_proxy_gives(
    origin: Origin, kind: str, change: str, reverse: bool
) -> None:
    origin.replies["/a"] = personal(origin, REPLIES[kind])
    first, second = (change, "") if reverse else ("", change)
    async with proxying(remember=cached) as used, proxying(remember=cached) as fresh:
        await ask(used.port, origin.url("/a"), first)
        answer = await ask(used.port, origin.url("/a"), second)
        expected = await ask(fresh.port, origin.url("/a"), second)
    assert seen(answer) == seen(expected)


def permits(client: str) -> Permit:
    return anywhere if client == "127.0.0.1" else public_only


@pytest.mark.parametrize("kind", REPLIES)
async def test_a_stranger_gets_nothing_that_was_fetched_for_this_computer(
    origin: Origin, kind: str
) -> None:
    origin.replies["/a"] = personal(origin, REPLIES[kind])
    async with proxying(change=guarded, remember=cached) as used:
        mine = await ask(used.port, origin.url("/a"), "")
        theirs = await ask(used.port, origin.url("/a"), "", "127.0.0.2")
    assert (mine.status, theirs.status) == (200, 403)


def guarded(policy: Policy) -> Policy:
    return replace(policy, permit_for=permits)
