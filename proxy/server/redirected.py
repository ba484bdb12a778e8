"""Connections that the system's packet filter redirected here: transparent mode (Linux).

Netfilter's REDIRECT gives a connection our address as its destination, and the original one as
the socket option SO_ORIGINAL_DST (linux/netfilter_ipv4.h, netfilter_ipv6/ip6_tables.h).
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from ipaddress import ip_address
from typing import Any, Final, cast

from aiohttp import web

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import RequestBody
from winnow.proxy.http.request_target import Origin
from winnow.proxy.server.connection import ConnectionServer
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.requests.client_limits import KEEPALIVE_SECONDS
from winnow.proxy.server.requests.client_stream import FINISHED, NO_TRAILERS, FinishedResponse
from winnow.proxy.server.sockets import peer_address

_LOG = logging.getLogger("winnow.redirected")
_SO_ORIGINAL_DST: Final = 80
_HANDSHAKE: Final = 22
"""The first byte of TLS (RFC 8446, section 5.1), which begins no request of HTTP."""
Ends = tuple[tuple[str, int], tuple[str, int]]
"""Address and port of the end that connected, and of where it meant to."""


def ends_of(connecting: Any, meant: Any) -> Ends:
    """Of socket addresses as ``getsockname`` and ``getpeername`` give them."""
    return (peer_address(connecting), connecting[1]), (peer_address(meant), meant[1])


def original_destination(connection: socket.socket) -> Origin | None:
    """Where the client meant to connect; None for a connection that nobody redirected."""
    level, first, size = socket.IPPROTO_IP, 4, 4
    if connection.family == socket.AF_INET6:
        level, first, size = socket.IPPROTO_IPV6, 8, 16
    try:
        raw = connection.getsockopt(level, _SO_ORIGINAL_DST, 28)
    except OSError:  # the kernel knows of no redirection
        return None
    address, port = str(ip_address(raw[first : first + size])), int.from_bytes(raw[2:4], "big")
    here = connection.getsockname()
    is_here = (address, port) == (peer_address(here), here[1])
    return None if is_here else Origin("http", address, port)


class RedirectedServer:
    """Makes the protocols of such connections. ``http`` serves those that speak it.

    Those of TLS are answered as a CONNECT to the address that they meant.
    """

    def __init__(self, http: ConnectionServer, is_ours: Callable[[Ends], bool]) -> None:
        """``is_ours``: whether this process opened the connection with these ends."""
        self.http, self.is_ours = http, is_ours
        self.tasks: set[asyncio.Task[object]] = set()

    @property
    def connection_limits(self) -> ConnectionLimits:
        if self.http.connection_limits is None:
            self.http.connection_limits = ConnectionLimits()
        return self.http.connection_limits

    def __call__(self) -> RedirectedConnection:
        return RedirectedConnection(self)

    async def shutdown(self, seconds: float) -> None:
        """End all connections."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.http.shutdown(seconds)


class RedirectedConnection(asyncio.Protocol):
    """One whose first byte is awaited, which tells TLS from HTTP."""

    def __init__(self, server: RedirectedServer) -> None:
        self._server = server
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[object] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        accepted = self._transport.get_extra_info("socket")
        self._number = accepted.fileno()
        self._server.connection_limits.rename(self._number, self)
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(KEEPALIVE_SECONDS, self._transport.close)

    def data_received(self, data: bytes) -> None:
        self._stop_timer()
        meant = self._destination()
        if meant is None:
            return self._transport.abort()
        if data[0] == _HANDSHAKE:
            return self._start_tls(data, meant)
        self._server.connection_limits.rename(self, self._number)  # as the listener left it
        connection = self._server.http(redirected=meant)
        self._transport.set_protocol(connection)
        connection.connection_made(self._transport)
        return connection.data_received(data)

    def connection_lost(self, exc: BaseException | None) -> None:
        """Not called once another protocol has taken the transport over."""
        self._stop_timer()
        if self._task:
            self._task.cancel()
        else:
            self._server.connection_limits.remove(self)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _destination(self) -> Origin | None:
        """None where the connection has to end: nobody redirected it, or it is our own.

        A process that is one of several may get another one's; the loop ends when it gets its own.
        """
        meant = original_destination(self._transport.get_extra_info("socket"))
        peer = self._transport.get_extra_info("peername")
        if meant is None:
            _LOG.info("A connection to server.transparent_port was not redirected there.")
        elif self._server.is_ours(ends_of(peer, (meant.host, meant.port))):
            _LOG.error("The packet filter redirects Winnow's own connections: exempt its user.")
            return None
        return meant

    def _start_tls(self, first: bytes, meant: Origin) -> None:
        self._transport.pause_reading()
        client = peer_address(self._transport.get_extra_info("peername"))
        head = RequestHead("CONNECT", meant.address, Headers(), client, redirected=meant)
        work = self._server.http.answer(RedirectedTls(self._transport, head, first))
        self._task = asyncio.ensure_future(work)
        self._server.tasks.add(self._task)
        self._task.add_done_callback(self._on_end)

    def _on_end(self, task: asyncio.Task[object]) -> None:
        self._server.tasks.discard(task)
        self._server.connection_limits.remove(self)
        self._transport.close()


class RedirectedTls:
    """A ClientStream of a CONNECT that no client sent: nothing is answered, errors close it."""

    secure = False

    def __init__(self, transport: asyncio.Transport, head: RequestHead, first: bytes) -> None:
        """``first``: the bytes received already."""
        self.head, self.keep_alive = head, False
        self._transport, self._first = transport, first

    def body(self) -> RequestBody | None:
        return None

    def start(self, status: int, reason: str, headers: Headers, length: int | None) -> None:
        """Send nothing."""

    async def write(self, chunk: bytes) -> None:
        """Send nothing."""

    async def interim(self, status: int, reason: str, headers: Headers) -> None:
        """Send nothing."""

    async def finish(self, trailers: Headers = NO_TRAILERS) -> web.StreamResponse:
        return self.break_off()

    def break_off(self) -> web.StreamResponse:
        self._transport.close()
        return FINISHED[False]

    async def take_over(self, status: int, headers: Headers) -> tuple[asyncio.Transport, bytes]:
        if self._transport.is_closing():
            raise ConnectionResetError("The client has left.")
        return self._transport, self._first

    def let_go(self) -> web.StreamResponse:
        self._transport.close()
        return FinishedResponse(False)
