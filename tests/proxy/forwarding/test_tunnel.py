"""A tunnel ends when nothing has moved for a while, sooner once one side has ended."""

from __future__ import annotations

import asyncio
import socket

import pytest

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.forwarding.tunnel import Side, splice, tunnel
from winnow.proxy.http.headers import Headers
from winnow.proxy.server.redirected import RedirectedTls
from winnow.proxy.server.requests.client_limits import LEAST_READ, TunnelLimits
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.server.sockets import unread
from winnow.proxy.upstream.connections.connection_pool import OriginConnection

pytestmark = pytest.mark.usefixtures("virtual_time")
LIMITS = TunnelLimits(idle=0.5, half_closed=0.2)


async def end() -> tuple[OriginConnection, socket.socket]:
    """One end of a tunnel, and the socket of whoever is there."""
    listener = socket.create_server(("127.0.0.1", 0))
    there = socket.create_connection(listener.getsockname())
    here, _ = listener.accept()
    listener.close()
    there.setblocking(False)
    _, wire = await asyncio.get_running_loop().create_connection(OriginConnection, sock=here)
    return wire, there


class Tunnel:
    """A tunnel between two sockets, and how long it lasted."""

    def __init__(self, limits: TunnelLimits = LIMITS) -> None:
        self._limits = limits

    async def __aenter__(self) -> Tunnel:
        (left, self.left), (right, self.right) = await end(), await end()
        self._begun = asyncio.get_running_loop().time()
        self.lasting = asyncio.create_task(splice(left, right, self._limits))
        return self

    async def __aexit__(self, *_: object) -> None:
        self.left.close()
        self.right.close()

    async def lasted(self) -> float:
        async with asyncio.timeout(60):
            await self.lasting
        return asyncio.get_running_loop().time() - self._begun


async def test_a_client_that_left_before_its_200_leaves_no_connection_behind() -> None:
    (near, client), (far, origin) = await end(), await end()
    near.transport.close()
    left = RedirectedTls(near.transport, RequestHead("CONNECT", "a:443", Headers()), b"")
    with pytest.raises(ConnectionResetError):
        await tunnel(Exchange(left), far, "", LIMITS)
    with client, origin:
        async with asyncio.timeout(60):
            assert await asyncio.get_running_loop().sock_recv(origin, 1) == b""


async def test_an_idle_tunnel_ends() -> None:
    async with Tunnel() as tunnel:
        assert await tunnel.lasted() >= 0.5
        loop = asyncio.get_running_loop()
        assert [await loop.sock_recv(each, 1) for each in (tunnel.left, tunnel.right)] == [b"", b""]


@pytest.mark.parametrize("name", ["left", "right"])
async def test_bytes_one_way_keep_it_open(name: str) -> None:
    async with Tunnel(TunnelLimits(idle=1, half_closed=0.2)) as tunnel:
        loop = asyncio.get_running_loop()
        for _ in range(10):
            await loop.sock_sendall(getattr(tunnel, name), b"x")
            await asyncio.sleep(0.15)
        assert not tunnel.lasting.done()
        assert await tunnel.lasted() >= 2.3


async def test_a_half_closed_tunnel_ends_sooner_but_not_while_it_is_used() -> None:
    async with Tunnel(TunnelLimits(idle=60, half_closed=0.5)) as tunnel:
        loop = asyncio.get_running_loop()
        tunnel.left.shutdown(socket.SHUT_WR)
        assert await loop.sock_recv(tunnel.right, 1) == b""
        for _ in range(8):
            await loop.sock_sendall(tunnel.right, b"x")
            await asyncio.sleep(0.1)
        assert not tunnel.lasting.done()
        assert await tunnel.lasted() < 2


async def test_an_answer_behind_the_end_of_one_side_arrives_though_tls_cannot_half_close() -> None:
    loop = asyncio.get_running_loop()
    (left, browser), (right, origin) = await end(), await end()
    right.half_closes = False  # as under TLS
    lasting = asyncio.create_task(splice(left, right, LIMITS))
    await loop.sock_sendall(browser, b"close")
    browser.shutdown(socket.SHUT_WR)
    assert await loop.sock_recv(origin, 5) == b"close"
    await loop.sock_sendall(origin, b"closed")
    assert await loop.sock_recv(browser, 6) == b"closed"
    origin.close()
    await lasting
    browser.close()


async def test_a_tunnel_whose_sides_both_read_nothing_ends() -> None:
    async with Tunnel() as tunnel:
        loop = asyncio.get_running_loop()
        filling = [loop.create_task(_fill(each)) for each in (tunnel.left, tunnel.right)]
        await tunnel.lasted()
        await asyncio.gather(*filling, return_exceptions=True)


async def test_a_side_that_does_not_take_what_waits_for_it_ends_the_tunnel() -> None:
    """A byte now and then keeps no tunnel open."""
    loop = asyncio.get_running_loop()
    (left, reader), (right, origin) = await end(), await end()
    lasting = asyncio.create_task(
        splice(left, right, TunnelLimits(idle=60, half_closed=60, rate=1.0))
    )
    filling = loop.create_task(_fill(origin))
    async with asyncio.timeout(30):
        while not lasting.done():
            await loop.sock_recv(reader, 1)
            await asyncio.sleep(0.1)
    for each in (reader, origin):
        each.close()
    await asyncio.gather(filling, lasting, return_exceptions=True)


async def test_who_reads_slowly_but_reads_is_spared() -> None:
    """Between two looks LEAST_READ bytes are taken, however long the kernel needs for them."""
    wire, reader = await end()
    wire.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
    side = Side(wire)
    sending = asyncio.create_task(side.send(bytes(1 << 24)))
    await asyncio.sleep(0)
    for _ in range(3):
        assert not side.is_stalled()
        before = unread(wire.transport)
        while unread(wire.transport) > before - LEAST_READ:
            await asyncio.get_running_loop().sock_recv(reader, 1 << 16)
    assert wire.transport.get_write_buffer_size()
    wire.abort()
    reader.close()
    await asyncio.gather(sending, return_exceptions=True)


async def test_a_silent_tunnel_is_none_that_stalls() -> None:
    (left, browser), (right, origin) = await end(), await end()
    limits = TunnelLimits(idle=60, half_closed=60, rate=0.05)
    lasting = asyncio.create_task(splice(left, right, limits))
    await asyncio.get_running_loop().sock_sendall(origin, b"x")
    await asyncio.sleep(0.5)
    assert not lasting.done()
    for each in (browser, origin):
        each.close()
    await lasting


async def _fill(there: socket.socket) -> None:
    while True:
        await asyncio.get_running_loop().sock_sendall(there, b"x" * 65536)


async def test_it_ends_with_both_its_sides() -> None:
    async with Tunnel() as tunnel:
        for each in (tunnel.left, tunnel.right):
            each.shutdown(socket.SHUT_WR)
        assert await tunnel.lasted() < 0.5


async def test_it_ends_when_one_side_breaks() -> None:
    async with Tunnel() as tunnel:
        tunnel.left.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        tunnel.left.close()
        assert await tunnel.lasted() < 0.5
