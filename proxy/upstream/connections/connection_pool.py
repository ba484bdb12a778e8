"""A connection as bytes in and out with back-pressure both ways, and the pool of idle ones."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import cast

from winnow.proxy.http.request_target import Origin
from winnow.proxy.server.sockets import peer_address, read_buffer
from winnow.proxy.upstream.connections.parent_proxy import ParentProxy

READ_AHEAD = 64 * 1024
"""Bytes that are buffered before the peer must wait, in each direction."""


class OriginConnection(asyncio.BufferedProtocol):
    """A transport with ``receive`` and ``send``; both raise ConnectionError once it is lost.

    ``parent``: the proxy that it leads to. ``sent``: how often ``send`` was called.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._read_buffer = read_buffer(self._loop)
        self._transport: asyncio.Transport | None = None
        self.parent: ParentProxy | None = None
        self.half_closes = False
        self._chunks: deque[bytes] = deque()
        self._buffered = 0
        self.sent = 0
        self._ended = False
        self._gone = False
        self._error: Exception | None = None
        self._paused_reading = False
        self._readable: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._timer_at = 0.0
        self._deadline = 0.0
        self._writable: asyncio.Future[None] | None = None
        self.closed: asyncio.Future[None] = self._loop.create_future()

    # called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.half_closes = self._transport.can_write_eof()
        self._transport.set_write_buffer_limits(high=READ_AHEAD)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._chunks.append(bytes(self._read_buffer[:nbytes]))
        self._buffered += nbytes
        if self._buffered > READ_AHEAD and not self._paused_reading and self._transport:
            self._paused_reading = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self._ended = True
        self._wake()
        return self.half_closes

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = self._gone = True
        self._error = exc
        if self._timer:
            self._timer.cancel()
        self._wake()
        self.resume_writing()
        if not self.closed.done():
            self.closed.set_result(None)

    def pause_writing(self) -> None:
        self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        if self._writable and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    # called by the proxy

    @property
    def transport(self) -> asyncio.Transport:
        if self._transport is None:
            raise ConnectionResetError("The connection was never made.")
        return self._transport

    @property
    def peer(self) -> str:
        """The IP address at the other end; empty if it is gone."""
        return peer_address(self.transport.get_extra_info("peername"))

    @property
    def speaks_http2(self) -> bool:
        """Whether TLS chose HTTP/2 (ALPN, RFC 9113, section 3.3)."""
        tls = self.transport.get_extra_info("ssl_object")
        return tls is not None and tls.selected_alpn_protocol() == "h2"

    @property
    def is_idle(self) -> bool:
        """Open, and nothing was received that was not read."""
        return not self._ended and not self._chunks and not self.transport.is_closing()

    def unread(self, data: bytes) -> None:
        """Put bytes back, to be received first."""
        if data:
            self._chunks.appendleft(data)
            self._buffered += len(data)

    def drain(self) -> bytes:
        """All buffered bytes."""
        data = b"".join(self._chunks)
        self._chunks.clear()
        self._buffered = 0
        return data

    async def receive(self, seconds: float = 0) -> bytes:
        """The next bytes, empty at the end. Raises ConnectionError if the connection was lost.

        Raises TimeoutError where nothing is received for ``seconds``; 0 is no limit.
        """
        while not self._chunks and not self._ended:
            self._readable = self._loop.create_future()
            self._set_deadline(seconds or math.inf)
            await self._readable
        if not self._chunks:
            if self._error:
                raise ConnectionResetError(str(self._error)) from self._error
            return b""
        data = self._chunks.popleft()
        self._buffered -= len(data)
        if self._paused_reading and self._buffered < READ_AHEAD // 2:
            self._paused_reading = False
            if not self.transport.is_closing():
                self.transport.resume_reading()
        return data

    def _set_deadline(self, seconds: float) -> None:
        """Have ``receive`` end in time.

        One timer serves all calls, and is set again only where it fires too early: a timer for
        each call would cost more than the rest of it.
        """
        self._deadline = self._loop.time() + seconds
        if self._deadline < (self._timer_at if self._timer else math.inf):
            if self._timer:
                self._timer.cancel()
            self._start_timer()

    def _start_timer(self) -> None:
        self._timer_at = self._deadline
        self._timer = self._loop.call_at(self._deadline, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        if not self._readable or self._readable.done():
            return
        if self._loop.time() >= self._deadline:
            self._readable.set_exception(TimeoutError())
        elif self._deadline < math.inf:
            self._start_timer()

    def _wake(self) -> None:
        if self._readable and not self._readable.done():
            self._readable.set_result(None)

    async def send(self, data: bytes) -> None:
        """Send bytes; waits while the peer is slow."""
        self._check_open()
        self.transport.write(data)
        if self._writable:
            await self._writable
            self._check_open()
        self.sent += 1

    def _check_open(self) -> None:
        if self._gone or self.transport.is_closing():
            raise ConnectionResetError("The connection is closed.")

    def finish(self) -> None:
        """Close the sending direction; under TLS, which cannot, both."""
        if self.transport.is_closing():
            return
        if self.half_closes:
            self.transport.write_eof()
        else:
            self.transport.close()

    def close(self) -> None:
        if self._transport:
            self._transport.close()

    def abort(self) -> None:
        if self._transport:
            self._transport.abort()


def connection_of(transport: asyncio.Transport, tail: bytes) -> OriginConnection:
    """A transport as a connection, from now on; ``tail`` was received already."""
    wire = OriginConnection()
    transport.set_protocol(wire)
    wire.connection_made(transport)
    wire.unread(tail)
    transport.resume_reading()
    return wire


class IdleConnections:
    """At most ``per_origin`` and ``total`` idle connections, each for at most ``seconds``."""

    def __init__(self, seconds: float = 30, per_origin: int = 16, total: int = 256) -> None:
        self._seconds = seconds
        self._per_origin = per_origin
        self._total = total
        self._idle: OrderedDict[Origin, list[tuple[OriginConnection, float]]] = OrderedDict()
        """With the loop's time at which each is closed; the last used stands last."""
        self._count = 0
        self._sweep_timer: asyncio.TimerHandle | None = None
        self.on_idle: Callable[[Origin], None] = lambda _: None
        """Called with the origin of each connection that was added."""

    def __len__(self) -> int:
        return self._count

    def take(self, origin: Origin, max_idle: float = math.inf) -> OriginConnection | None:
        """The last used connection that is open and idle for less than ``max_idle`` seconds."""
        idle = self._idle.get(origin, [])
        oldest = self._seconds + asyncio.get_running_loop().time() - max_idle if idle else 0.0
        while idle and idle[-1][1] > oldest:
            connection, _ = idle.pop()
            self._count -= 1
            if connection.is_idle:
                return connection
            connection.close()
        return None

    def put(self, origin: Origin, connection: OriginConnection) -> None:
        """Add a connection; one that cannot be used again, or is too many, is closed."""
        idle = self._idle.setdefault(origin, [])
        full = len(idle) >= self._per_origin or self._count >= self._total
        if full or not connection.is_idle:
            connection.close()
            return
        loop = asyncio.get_running_loop()
        idle.append((connection, loop.time() + self._seconds))
        self._count += 1
        if self._sweep_timer is None:  # one for all: most are taken long before
            self._sweep_timer = loop.call_later(self._seconds, self._sweep)
        self.on_idle(origin)

    def _sweep(self) -> None:
        """Close those whose time is over, and set the timer to the next one's."""
        loop = asyncio.get_running_loop()
        self._sweep_timer, now, soonest = None, loop.time(), math.inf
        for origin, idle in list(self._idle.items()):
            for connection, _ in [entry for entry in idle if entry[1] <= now]:
                connection.close()
            idle[:] = [entry for entry in idle if entry[1] > now]
            if idle:
                soonest = min(soonest, idle[0][1])
            else:
                del self._idle[origin]
        self._count = sum(map(len, self._idle.values()))
        if self._idle:
            self._sweep_timer = loop.call_at(soonest, self._sweep)

    async def aclose(self) -> None:
        """Close them all and wait until they are closed."""
        connections = [entry[0] for idle in self._idle.values() for entry in idle]
        if self._sweep_timer:
            self._sweep_timer.cancel()
            self._sweep_timer = None
        self._idle.clear()
        self._count = 0
        for connection in connections:
            connection.close()
        await asyncio.gather(*(connection.closed for connection in connections))
