"""One connection as bytes in and out with back-pressure both ways; knows no HTTP."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from typing import cast

from winnow.proxy.server.sockets import read_buffer
from winnow.proxy.upstream.parent_proxy import ParentProxy

READ_AHEAD = 64 * 1024
"""Bytes that may wait unread before the peer is made to wait; as many may wait to be sent."""


class OriginConnection(asyncio.BufferedProtocol):
    """A transport with ``receive`` and ``send``; both raise ConnectionError once it is lost."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._read_buffer = read_buffer(self._loop)
        self._transport: asyncio.Transport | None = None
        self.parent: ParentProxy | None = None
        self._half_closes = False
        self._chunks: deque[bytes] = deque()
        self._waiting_bytes = 0
        self.sent = 0
        """How often something was sent."""
        self._ended = False
        self._gone = False
        self._broken: Exception | None = None
        self._paused_reading = False
        self._readable: asyncio.Future[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._alarm_at = 0.0
        self._deadline = 0.0
        self._writable: asyncio.Future[None] | None = None
        self.closed: asyncio.Future[None] = self._loop.create_future()

    # what the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._half_closes = self._transport.can_write_eof()
        self._transport.set_write_buffer_limits(high=READ_AHEAD)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._chunks.append(bytes(self._read_buffer[:nbytes]))
        self._waiting_bytes += nbytes
        if self._waiting_bytes > READ_AHEAD and not self._paused_reading and self._transport:
            self._paused_reading = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self._ended = True
        self._wake()
        return self._half_closes

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended = True
        self._gone = True
        self._broken = exc
        if self._alarm:
            self._alarm.cancel()
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

    # what the proxy calls

    @property
    def transport(self) -> asyncio.Transport:
        if self._transport is None:
            raise ConnectionResetError("The connection was never made.")
        return self._transport

    @property
    def peer(self) -> str:
        """The IP address at the other end, an IPv4-mapped one as IPv4; empty if it is gone."""
        name = self.transport.get_extra_info("peername")
        return str(name[0]).partition("%")[0].removeprefix("::ffff:") if name else ""

    @property
    def quiet(self) -> bool:
        """Open, and nothing has come that nobody asked for."""
        return not self._ended and not self._chunks and not self.transport.is_closing()

    def unread(self, data: bytes) -> None:
        """Put bytes back, to be received first."""
        if data:
            self._chunks.appendleft(data)
            self._waiting_bytes += len(data)

    def drain(self) -> bytes:
        """All bytes that wait unread, taken at once."""
        data = b"".join(self._chunks)
        self._chunks.clear()
        self._waiting_bytes = 0
        return data

    async def receive(self, seconds: float = 0) -> bytes:
        """The next bytes, empty at the end. Raises ConnectionError if the peer broke off.

        Raises TimeoutError where nothing comes for ``seconds``; 0 waits forever.
        """
        while not self._chunks and not self._ended:
            self._readable = self._loop.create_future()
            self._set_alarm(seconds or math.inf)
            await self._readable
        if not self._chunks:
            return self._end()
        data = self._chunks.popleft()
        self._waiting_bytes -= len(data)
        self._resume_if_drained()
        return data

    def _set_alarm(self, seconds: float) -> None:
        """Have ``receive`` end in time. A timer for each would cost more than all else in it.

        So there is one for the connection, which is set anew only when it has rung too early.
        """
        self._deadline = self._loop.time() + seconds
        if self._deadline < (self._alarm_at if self._alarm else math.inf):
            if self._alarm:
                self._alarm.cancel()
            self._arm()

    def _arm(self) -> None:
        self._alarm_at = self._deadline
        self._alarm = self._loop.call_at(self._deadline, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        waits = self._readable and not self._readable.done()
        if self._readable and waits and self._loop.time() >= self._deadline:
            self._readable.set_exception(TimeoutError())
        elif waits and self._deadline < math.inf:
            self._arm()

    async def send(self, data: bytes) -> None:
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
        """Say that nothing more will be sent; TLS can only say so by closing, both ways at once."""
        if self.transport.is_closing():
            return
        if self._half_closes:
            self.transport.write_eof()
        else:
            self.transport.close()

    def close(self) -> None:
        if self._transport:
            self._transport.close()

    def abort(self) -> None:
        if self._transport:
            self._transport.abort()

    def _end(self) -> bytes:
        if self._broken:
            raise ConnectionResetError(str(self._broken)) from self._broken
        return b""

    def _resume_if_drained(self) -> None:
        if self._paused_reading and self._waiting_bytes < READ_AHEAD // 2:
            self._paused_reading = False
            if not self.transport.is_closing():
                self.transport.resume_reading()

    def _wake(self) -> None:
        if self._readable and not self._readable.done():
            self._readable.set_result(None)
