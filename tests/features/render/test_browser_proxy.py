"""The rendering browser's way to the network: what it is refused, and how much may pass."""

from __future__ import annotations

import asyncio

import pytest

from tests.proxy.origins import Origin, reply, serving
from winnow.features.render.browser_proxy import BrowserProxy, TrafficBounds
from winnow.proxy.upstream.connections.connector import Connector

WHOLE = 200_000
"""Bytes that the origin answers with, beside its head."""
HELLO = b"\x05\x01\x00"


def connect(port: int, command: int = 1) -> bytes:
    """A request for a port of 127.0.0.1 (RFC 1928, section 4)."""
    return bytes((5, command, 0, 1, 127, 0, 0, 1)) + port.to_bytes(2)


async def passed(proxy: BrowserProxy, origin: Origin, command: int = 1) -> tuple[bytes, bytes]:
    """The answer to the request, and all that came through."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(HELLO)
    assert await reader.readexactly(2) == b"\x05\x00"
    writer.write(connect(origin.port, command))
    answer = await reader.readexactly(10)
    writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    body = b""
    async with asyncio.timeout(60):
        while len(body) < WHOLE and (data := await reader.read(1 << 16)):
            body += data
    writer.close()
    return answer, body


@pytest.mark.parametrize("size", [1000, 300_000])
async def test_no_more_passes_than_may(size: int) -> None:
    async with serving(Origin(usual=reply(b"a" * WHOLE))) as origin:
        bounds = TrafficBounds(size=size)
        async with BrowserProxy(Connector(), bounds, lambda *_: True) as proxy:
            answer, body = await passed(proxy, origin)
    assert answer[1] == 0
    assert (len(body) >= WHOLE) is (size > WHOLE)
    assert len(body) <= size


async def test_a_private_address_is_refused_and_named() -> None:
    async with serving(Origin()) as origin, BrowserProxy(Connector()) as proxy:
        answer, body = await passed(proxy, origin)
        assert (answer[1], body) == (4, b"")
        assert proxy.refused == ["127.0.0.1"]
    assert origin.requests == []


async def test_nothing_but_connections_is_made() -> None:
    async with serving(Origin()) as origin, BrowserProxy(Connector()) as proxy:
        answer, _ = await passed(proxy, origin, command=2)
    assert answer[1] == 7
