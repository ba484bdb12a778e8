"""Sockets that several processes share, and an end that loses no queued connection."""

from __future__ import annotations

import asyncio
import socket

import pytest
from aiohttp import web

from tests.proxy.origins import closed, opened, read_answer
from winnow.proxy.server.connection import ConnectionServer
from winnow.proxy.server.handover import Handover
from winnow.proxy.server.listener import Listener
from winnow.proxy.server.requests.client_stream import ClientStream
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.server.sockets import bind_sockets, check_free

ASK = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Named:
    """Answers with its name once ``may`` is set; ``called`` is set by the first request."""

    def __init__(self, name: bytes = b"one") -> None:
        self.name, self.may, self.called = name, asyncio.Event(), asyncio.Event()

    async def handle(self, exchange: Exchange) -> web.StreamResponse:
        from winnow.proxy.http.headers import Headers  # noqa: PLC0415

        self.called.set()
        await self.may.wait()
        return await exchange.send(200, Headers(), self.name)


def server_of(handover: Handover, default: Named) -> web.Server:
    async def answer(stream: ClientStream) -> web.StreamResponse:
        return await handover.handle(Exchange(stream), default)

    server = ConnectionServer(answer)
    handover.add(server)
    return server


def test_shared_sockets_are_at_one_port_and_others_are_not() -> None:
    first = bind_sockets("127.0.0.1", 0, shared=True)
    port = first[0].getsockname()[1]
    again = bind_sockets("127.0.0.1", port, shared=True)
    check_free("127.0.0.1", port)  # bound, but nobody listens yet
    again[0].listen()
    with pytest.raises(OSError, match="in use"):
        check_free("127.0.0.1", port)
    for each in (*first, *again):
        each.close()


def test_a_name_with_two_addresses_gets_one_port() -> None:
    sockets = bind_sockets("localhost", 0)
    assert len({each.getsockname()[1] for each in sockets}) == 1
    for each in sockets:
        each.close()


async def test_queued_connections_are_answered_at_the_end() -> None:
    handover, app = Handover(), Named()
    app.may.set()
    server = server_of(handover, app)
    listening, sockets = Listener(server), bind_sockets("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    listening.accept(sockets)
    with socket.create_connection(("127.0.0.1", port)) as client:  # the loop has not seen it yet
        client.sendall(ASK)
        await listening.close()
        assert await handover.end(5)
        client.settimeout(60)
        answer = await asyncio.to_thread(client.recv, 4096)
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"\r\nConnection: close\r\n" in answer
    with pytest.raises(ConnectionRefusedError):
        await opened(port)
    await server.shutdown(1)


async def test_a_new_app_answers_on_old_connections_and_the_old_one_finishes() -> None:
    handover, old, new = Handover(), Named(b"old"), Named(b"new")
    new.may.set()
    server = server_of(handover, old)
    listening, sockets = Listener(server), bind_sockets("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    listening.accept(sockets)
    first, second = await opened(port), await opened(port)
    first[1].write(ASK)
    await old.called.wait()
    handover.app = new
    second[1].write(ASK)
    assert (await read_answer(second[0])).body == b"new"
    leaving = asyncio.create_task(handover.wait_for(old))
    assert not (await asyncio.wait([leaving], timeout=0.05))[0]
    old.may.set()
    assert (await read_answer(first[0])).body == b"old"
    await asyncio.wait_for(leaving, 60)
    first[1].write(ASK)
    assert (await read_answer(first[0])).body == b"new"
    await listening.close()
    assert await handover.end(5, linger=0)
    for _, writer in (first, second):
        await closed(writer)
    await server.shutdown(1)


async def test_an_end_in_vain_is_reported_after_its_time() -> None:
    handover, app = Handover(), Named()
    server = server_of(handover, app)
    listening, sockets = Listener(server), bind_sockets("127.0.0.1", 0)
    listening.accept(sockets)
    _, writer = await opened(sockets[0].getsockname()[1])
    writer.write(ASK)
    await app.called.wait()
    await listening.close()
    assert not await handover.end(0.05)
    await server.shutdown(0.05)
    await closed(writer)


async def test_a_change_that_has_begun_is_waited_for_before_a_newer_process_opens_the_stores() -> (
    None
):
    handover, app = Handover(), Named()
    server = server_of(handover, app)
    listening, sockets = Listener(server), bind_sockets("127.0.0.1", 0)
    listening.accept(sockets)
    reader, writer = await opened(sockets[0].getsockname()[1])
    writer.write(ASK)
    await app.called.wait()
    await handover.rest(60)  # what changes nothing is not waited for
    next(iter(handover._active)).changes = True
    resting = asyncio.create_task(handover.rest(60))
    await asyncio.sleep(0)
    assert not resting.done()
    app.may.set()
    await resting
    assert (await read_answer(reader)).status == 200
    await listening.close()
    await handover.end(5, linger=0)
    await closed(writer)
    await server.shutdown(1)


async def test_connections_wait_while_the_listener_rests() -> None:
    handover, app = Handover(), Named()
    app.may.set()
    server = server_of(handover, app)
    listening, sockets = Listener(server), bind_sockets("127.0.0.1", 0)
    listening.accept(sockets)
    listening.rest()
    reader, writer = await opened(sockets[0].getsockname()[1])
    writer.write(ASK)
    listening.resume()
    assert (await read_answer(reader)).status == 200
    listening.leave()
    assert not listening.sockets
    await handover.end(5, linger=0)
    await closed(writer)
    await server.shutdown(1)


async def test_of_a_long_piece_little_waits_for_a_client_that_reads_nothing() -> None:
    """A page, or what the cache has, is one piece: it was copied whole for each such client."""
    app, sockets = Named(b"x" * 8_000_000), bind_sockets("127.0.0.1", 0)
    app.may.set()
    server = server_of(Handover(), app)
    listening = Listener(server)
    listening.accept(sockets)
    with socket.create_connection(sockets[0].getsockname()) as client:
        client.sendall(ASK)
        async with asyncio.timeout(60):
            while not (waiting := sum(map(waiting_of, server.connections))):  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
        assert waiting <= 256 * 1024
    await listening.close()
    await server.shutdown(1)


def waiting_of(connection: web.RequestHandler) -> int:
    """Bytes of replies that the client of a connection has not taken."""
    assert connection.transport
    return connection.transport.get_write_buffer_size()
