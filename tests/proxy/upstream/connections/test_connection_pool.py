"""One connection's bytes: order, back-pressure, ends; and connections that wait for work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from winnow.proxy.http.request_target import Origin
from winnow.proxy.upstream.connections.connection_pool import (
    READ_AHEAD,
    IdleConnections,
    OriginConnection,
)

pytestmark = pytest.mark.usefixtures("virtual_time")
Peer = tuple[asyncio.StreamReader, asyncio.StreamWriter]
HERE, THERE = Origin("http", "a.example", 80), Origin("http", "b.example", 80)


@asynccontextmanager
async def joined() -> AsyncIterator[tuple[OriginConnection, Peer]]:
    """A connection and the peer at its other end."""
    accepted: asyncio.Future[Peer] = asyncio.get_running_loop().create_future()
    server = await asyncio.start_server(lambda *peer: accepted.set_result(peer), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    _, connection = await asyncio.get_running_loop().create_connection(
        OriginConnection, "127.0.0.1", port
    )
    peer = await accepted
    try:
        yield connection, peer
    finally:
        connection.close()
        peer[1].close()
        server.close()
        await server.wait_closed()


async def test_bytes_come_in_order_and_can_be_put_back() -> None:
    async with joined() as (connection, (_, writer)):
        writer.write(b"one")
        assert await connection.receive() == b"one"
        connection.unread(b"again")
        assert await connection.receive() == b"again"
        writer.write_eof()
        assert await connection.receive() == b""
        assert not connection.is_idle


async def test_a_peer_that_sends_too_fast_has_to_wait() -> None:
    async with joined() as (connection, (_, writer)):
        writer.write(b"x" * 50_000_000)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await writer.drain()
        left = 50_000_000
        while left:
            piece = await connection.receive()
            assert len(piece) <= READ_AHEAD
            left -= len(piece)
        await writer.drain()


async def test_a_sender_waits_for_a_slow_peer() -> None:
    async with joined() as (connection, (reader, _)):
        sending = asyncio.create_task(connection.send(b"x" * 50_000_000))
        done, _ = await asyncio.wait({sending}, timeout=0.2)
        assert not done
        await reader.readexactly(50_000_000)
        await sending


async def test_a_connection_that_is_gone_takes_nothing() -> None:
    async with joined() as (connection, _):
        connection.abort()
        await connection.closed
        with pytest.raises(ConnectionError):
            await connection.send(b"x")


async def test_the_last_idle_connection_comes_first_and_only_for_its_origin() -> None:
    idle = IdleConnections()
    async with joined() as (one, _), joined() as (two, _):
        idle.put(HERE, one)
        idle.put(HERE, two)
        assert idle.take(THERE) is None
        assert idle.take(HERE) is two
        assert idle.take(HERE) is one
        assert idle.take(HERE) is None
        assert len(idle) == 0


async def test_a_connection_idle_for_too_long_stays_for_others() -> None:
    idle = IdleConnections()
    async with joined() as (connection, _):
        idle.put(HERE, connection)
        assert idle.take(HERE, max_idle=0) is None
        assert idle.take(HERE, max_idle=1000) is connection
        idle.put(HERE, connection)
        assert idle.take(HERE) is connection


async def test_a_connection_on_which_something_came_is_not_used_again() -> None:
    idle = IdleConnections()
    async with joined() as (connection, (_, writer)):
        idle.put(HERE, connection)
        writer.write(b"HTTP/1.1 408 Too late\r\n\r\n")
        await writer.drain()
        connection.unread(await connection.receive())
        assert idle.take(HERE) is None
        await connection.closed


async def test_idle_connections_are_bounded_in_number_and_time() -> None:
    idle = IdleConnections(seconds=0.05, per_origin=1, total=2)
    async with joined() as (one, _), joined() as (two, _):
        idle.put(HERE, one)
        idle.put(HERE, two)
        assert len(idle) == 1
        await two.closed
        await one.closed
        assert len(idle) == 0


async def test_a_silent_peer_is_awaited_until_the_timeout() -> None:
    async with joined() as (connection, (_, writer)):
        for _ in range(3):  # one alarm serves all the waits of a connection
            with pytest.raises(TimeoutError):
                await connection.receive(0.05)
        writer.write(b"late")
        assert await connection.receive(30) == b"late"


async def test_an_alarm_of_an_earlier_wait_ends_no_later_one() -> None:
    async with joined() as (connection, (_, writer)):
        writer.write(b"in time")
        assert await connection.receive(0.2) == b"in time"
        waits = asyncio.ensure_future(connection.receive())
        await asyncio.sleep(0.4)
        assert not waits.done()
        writer.write(b"at last")
        assert await waits == b"at last"


async def test_connections_that_nobody_takes_are_closed_in_time() -> None:
    idle = IdleConnections(seconds=0.1)
    async with joined() as (first, _), joined() as (second, _):
        idle.put(HERE, first)
        idle.put(THERE, second)
        assert idle.take(THERE) is second
        async with asyncio.timeout(60):
            await first.closed
        assert len(idle) == 0
        assert second.is_idle
        idle.put(THERE, second)  # the sweep comes again
        async with asyncio.timeout(60):
            await second.closed
        await idle.aclose()
