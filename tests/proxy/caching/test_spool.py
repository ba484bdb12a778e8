"""A reply on its way into the cache: nobody waits for a slow client, and memory is bounded."""

from __future__ import annotations

import asyncio
import socket

import pytest

from tests.proxy.caching.making import Bench, MadeReply, bench, order, reply, whole
from tests.proxy.origins import Origin, closed, get, opened, read_answer
from tests.proxy.origins import reply as raw_reply
from tests.proxy.proxies import proxying
from winnow.proxy.caching.caching_client import CachingClient, CachingRules
from winnow.proxy.caching.memory_storage import MemoryStorage
from winnow.proxy.caching.responses import SpoolBudget, StoringResponse
from winnow.proxy.http.messages import Sender
from winnow.proxy.http.proxy_errors import MalformedResponseError

pytestmark = pytest.mark.usefixtures("virtual_time")
MINUTE = "Cache-Control: max-age=60"
LARGE = 8 * 1024 * 1024
"""Bytes; more than the sockets between the origin and a client that does not read can hold."""


def cached(client: Sender) -> Sender:
    rules = CachingRules(largest=LARGE, spool=4 * LARGE)
    return CachingClient(client, MemoryStorage(8 * LARGE), rules)


def narrow(port: int) -> socket.socket:
    """A connection whose own end holds little of what nobody reads."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 * 1024)
    connection.connect(("127.0.0.1", port))
    return connection


async def test_a_client_that_never_reads_delays_nobody(origin: Origin) -> None:
    body = bytes(LARGE)
    requested = asyncio.Event()

    async def send(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        requested.set()
        writer.write(raw_reply(body, MINUTE))
        await writer.drain()

    origin.replies["/a"] = send
    async with proxying(remember=cached) as proxy:
        _, silent = await asyncio.open_connection(sock=narrow(proxy.port))
        silent.transport.pause_reading()  # type: ignore[attr-defined]  # a socket's transport can
        silent.write(get(origin.url("/a")))
        await requested.wait()
        await asyncio.sleep(0.2)  # by now the proxy waits for the client that does not read
        reader, writer = await opened(proxy.port)
        begun = asyncio.get_running_loop().time()
        writer.write(get(origin.url("/a")))
        answer = await asyncio.wait_for(read_answer(reader), 60)
        took = asyncio.get_running_loop().time() - begun
        silent.transport.abort()
        await closed(writer)
    assert answer.body == body
    assert "collapsed" in answer.field("cache-status")
    assert len(origin.requests) == 1
    assert took < CachingRules().patience


async def test_who_is_slow_still_gets_all_of_it() -> None:
    made = in_pieces(b"one", b"two", b"three")
    slow = await made.client.send(order())
    assert await slow.read() == b"one"
    assert (await made.get()).body == b"onetwothree"
    assert (await whole(slow)).body == b"twothree"
    assert made.fetches == 1


async def test_who_is_slow_hears_that_the_origin_broke_off() -> None:
    made = bench()
    made.origin.answer = lambda _: MadeReply(reply(MINUTE), (b"one", b"two", b"three"), cut=True)
    slow = await made.client.send(order())
    other = asyncio.create_task(made.get())
    await asyncio.sleep(0.05)
    assert [await slow.read(), await slow.read()] == [b"one", b"two"]
    with pytest.raises(MalformedResponseError):
        await slow.read()
    with pytest.raises(MalformedResponseError):
        await other


async def test_a_body_that_is_not_stored_after_all_is_read_at_the_clients_pace() -> None:
    endless = MadeReply(reply(MINUTE), (b"x" * 8,) * 1000, reported=False)
    made = bench(CachingRules(largest=20))
    made.origin.answer = lambda _: endless if made.fetches == 1 else MadeReply(reply(MINUTE))
    slow = await made.client.send(order())
    assert (await made.get()).body == b"body"
    assert endless.pieces_read == 3
    assert len((await whole(slow)).body) == 8000


def in_pieces(*pieces: bytes) -> Bench:
    made = bench()
    made.origin.answer = lambda _: MadeReply(reply(MINUTE), pieces)
    return made


# -- what is said in Cache-Status (RFC 9211, section 2.4)


async def test_a_reply_that_is_still_on_its_way_does_not_claim_to_be_stored(
    origin: Origin,
) -> None:
    cut = raw_reply(b"half", MINUTE, "Content-Length: 9", length=False)

    async def break_off(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(cut)
        await writer.drain()

    origin.replies["/a"] = break_off
    async with proxying(remember=cached) as proxy:
        reader, writer = await opened(proxy.port)
        writer.write(get(origin.url("/a")))
        head = await reader.readuntil(b"\r\n\r\n")
        await closed(writer)
    assert b"fwd=uri-miss" in head
    assert b"stored" not in head


# -- bounds


def storing(budget: SpoolBudget, *pieces: bytes, largest: int = 1000) -> StoringResponse:
    async def store(_: bytes) -> None:
        """Nothing is kept here."""

    return StoringResponse(MadeReply(reply(), pieces), store, largest, "fwd=uri-miss", budget)


async def test_all_spools_together_are_bounded() -> None:
    budget = SpoolBudget(5000)
    answers = [storing(budget, *[b"x" * 100] * 9) for _ in range(100)]
    for answer in answers:
        answer.hurry()
    await asyncio.sleep(0.1)
    assert budget.used <= 5000 + 100 * 100
    assert sum(answer.storing for answer in answers) == 0
    bodies = [(await whole(answer)).body for answer in answers]
    assert bodies == [b"x" * 900] * 100
    assert budget.used == 0


async def test_a_spool_gives_back_what_it_held_when_its_client_leaves() -> None:
    budget = SpoolBudget(5000)
    answer = storing(budget, b"x" * 100, b"y" * 100)
    answer.hurry()
    await asyncio.sleep(0.05)
    assert budget.used > 0
    await answer.aclose()
    assert budget.used == 0
