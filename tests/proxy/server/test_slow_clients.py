"""Clients that are slow, at every face: each is ended, and whoever keeps moving is not."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import cast

import pytest
import trustme
from aiohttp import web

from tests.proxy.origins import Origin, closed, opened, read_answer, reply
from tests.proxy.proxies import proxying
from tests.virtual_time import run
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.listener import MOST_REFUSALS, Listener
from winnow.proxy.server.requests.client_limits import (
    ClientBounds,
    TunnelLimits,
    UploadLimits,
    read_body,
)
from winnow.proxy.server.requests.refusal_responses import Refusal
from winnow.proxy.server.sockets import bind_sockets

QUICK = ClientBounds(UploadLimits(0.4, 1000, 30), 0.4, 0.4, TunnelLimits(0.4, 0.2))
PATIENCE = 60
"""Seconds after which a test fails, on a busy machine too."""
by_virtual_time = pytest.mark.usefixtures("virtual_time")


async def end_of(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the connection ends; a reset is an end."""
    received = bytearray()
    async with asyncio.timeout(PATIENCE):
        try:
            while piece := await reader.read(65536):
                received += piece
        except ConnectionError:
            pass
    return bytes(received)


def test_a_body_may_take_some_seconds_and_more_for_what_has_come() -> None:
    limits = UploadLimits(20, 16_384, 120)
    assert [limits.allowed(size) for size in (0, 16_384, 1_638_400, 1 << 40)] == [20, 21, 120, 120]


def test_a_body_that_is_fast_enough_is_read_whole() -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(10):
            await asyncio.sleep(0.05)
            yield b"x" * 1000

    assert len(run(read_body(chunks(), 10_000, UploadLimits(0.3, 10_000, 30)))) == 10_000


@pytest.mark.parametrize(
    ("pause", "size", "outcome"),
    [(1, 1, 20), (19, 100_000, 26), (19, 1_000_000, 120)],
)
def test_a_body_that_comes_too_slowly_ends(pause: float, size: int, outcome: float) -> None:
    """``outcome``: seconds until its end, of 60 pieces with a pause before each."""

    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(60):
            await asyncio.sleep(pause)
            yield b"x" * size

    async def tried() -> float:
        with pytest.raises(ClientFaultError) as raised:
            await read_body(chunks(), 1 << 30, UploadLimits())
        assert raised.value.status == 408
        return asyncio.get_running_loop().time()

    assert round(run(tried())) == outcome


@by_virtual_time
@pytest.mark.parametrize("framing", ["Content-Length: 100000", "Transfer-Encoding: chunked"])
async def test_a_body_dripped_to_our_own_pages_is_ended(framing: str) -> None:
    """Issue 15, fault 15."""
    async with proxying(bounds=QUICK) as proxy:
        reader, writer = await opened(proxy.port)
        head = f"POST /-/api/extract HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n{framing}\r\n\r\n"
        writer.write(head.encode())
        dripping = asyncio.create_task(_drip(writer, b"1\r\nx\r\n"))
        async with asyncio.timeout(PATIENCE):
            answer = await read_answer(reader)
        assert (answer.status, answer.field("connection")) == (408, "close")
        assert json.loads(answer.body)["type"] == "request-timeout"
        await end_of(reader)
        dripping.cancel()
        writer.close()


async def _drip(writer: asyncio.StreamWriter, piece: bytes) -> None:
    while not writer.is_closing():
        writer.write(piece)
        await asyncio.sleep(0.05)


@by_virtual_time
async def test_an_upload_to_an_origin_goes_on_while_it_moves_and_ends_when_it_stalls(
    origin: Origin,
) -> None:
    origin.replies["/up"] = reply(b"thanks")
    async with proxying(bounds=QUICK) as proxy:
        for size, expected in ((20, 200), (21, 408)):
            reader, writer = await opened(proxy.port)
            fields = f"Host: 127.0.0.1:{origin.port}\r\nContent-Length: {size}"
            writer.write(f"POST {origin.url('/up')} HTTP/1.1\r\n{fields}\r\n\r\n".encode())
            for _ in range(20):  # 1 s in all, more than the bound
                writer.write(b"x")
                await asyncio.sleep(0.05)
            async with asyncio.timeout(PATIENCE):
                assert (await read_answer(reader)).status == expected
            await closed(writer)


@by_virtual_time
@pytest.mark.parametrize("first", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"])
async def test_a_head_must_be_complete_in_time(first: bytes) -> None:
    async with proxying(bounds=QUICK) as proxy:
        reader, writer = await opened(proxy.port)
        if first:
            writer.write(first)
            await read_answer(reader)
        writer.write(b"GET / HTTP/1.1\r\n")
        dripping = asyncio.create_task(_drip(writer, b"X-A: b\r\n"))
        answer = await end_of(reader)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"Winnow-Reason: request-timeout" in answer
        dripping.cancel()
        writer.close()


@by_virtual_time
async def test_who_is_idle_between_requests_is_not_late() -> None:
    async with proxying(bounds=QUICK) as proxy:
        reader, writer = await opened(proxy.port)
        for _ in range(2):
            writer.write(b"GET /-/health HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await read_answer(reader)).status == 200
            await asyncio.sleep(0.6)
        await closed(writer)


async def test_who_reads_nothing_of_a_reply_is_cut_off(origin: Origin) -> None:
    ended = asyncio.Event()

    async def endless(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: video/x\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
        except ConnectionError:
            ended.set()

    origin.replies["/endless"] = endless
    async with proxying(stalled_seconds=1) as proxy:  # by the kernel's clock
        with socket.create_connection(("127.0.0.1", proxy.port)) as client:
            url = origin.url("/endless")
            client.sendall(f"GET {url} HTTP/1.1\r\nHost: 127.0.0.1:{origin.port}\r\n\r\n".encode())
            async with asyncio.timeout(PATIENCE):
                await ended.wait()


@by_virtual_time
async def test_a_handshake_that_is_never_made_counts_and_ends() -> None:
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    async with proxying() as proxy:
        server, connection_limits = proxy.front.server(), ConnectionLimits(most_each=2)
        server.connection_limits = connection_limits
        listening = Listener(server, context, connection_limits, handshake_seconds=0.4)
        sockets = bind_sockets("127.0.0.1", 0)
        listening.accept(sockets)
        port = sockets[0].getsockname()[1]
        silent = [await opened(port) for _ in range(2)]
        third, writer = await opened(port)
        assert b"too-many-connections" in await end_of(third)
        writer.close()
        for reader, _ in silent:
            assert await end_of(reader) == b""
        assert len(connection_limits) == 0
        for _, writer in silent:
            await closed(writer)
        await listening.close()
        await server.shutdown(1)


async def test_few_refused_connections_get_a_503() -> None:
    """Each refused connection holds a file descriptor until it was read."""
    async with proxying() as proxy:
        server, connection_limits = proxy.front.server(), ConnectionLimits(most=1)
        connection_limits.add("somebody", "")
        listening, sockets = Listener(server, None, connection_limits), bind_sockets("127.0.0.1", 0)
        listening.accept(sockets)
        clients = [await opened(sockets[0].getsockname()[1]) for _ in range(100)]
        refused = [await end_of(reader) for reader, _ in clients]
        assert MOST_REFUSALS <= sum(map(bool, refused)) < len(clients)
        for _, writer in clients:
            writer.close()
        await asyncio.sleep(0)
        await listening.close()
        await server.shutdown(1)


async def test_a_refused_client_that_has_gone_leaves_no_traceback() -> None:
    """Its connection cannot be ended once more (shutdown(2), ENOTCONN)."""

    class Gone(asyncio.Transport):
        def is_closing(self) -> bool:
            return False

        def can_write_eof(self) -> bool:
            return True

        def write(self, data: object) -> None:
            """Into nothing."""

        def write_eof(self) -> None:
            raise OSError(107, "Transport endpoint is not connected")

    request = SimpleNamespace(transport=Gone(), writer=None)
    await Refusal(400).prepare(cast(web.BaseRequest, request))
