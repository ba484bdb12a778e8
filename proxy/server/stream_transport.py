"""The bytes of one HTTP/2 stream as a transport: tunnels, TLS inside CONNECT (RFC 9113, 8.5)."""

from __future__ import annotations

import asyncio
from typing import Any, Final, cast

from h2.errors import ErrorCodes

from winnow.proxy.http2.stream import Http2Stream

HIGH_WATER: Final = 64 * 1024


class StreamTransport(asyncio.Transport):
    """``peer``: the client's address as a socket has it. Begins with reading paused."""

    _start_tls_compatible = True  # asyncio asks for it by this name

    def __init__(self, stream: Http2Stream, peer: Any) -> None:
        super().__init__({"peername": peer})
        self._loop = asyncio.get_running_loop()
        self._stream = stream
        self._protocol: asyncio.BaseProtocol = asyncio.Protocol()
        self._high, self._paused_protocol = HIGH_WATER, False
        self._pending = bytearray()
        self._closing = self._eof = self._lost = False
        self._may_read, self._may_write = asyncio.Event(), asyncio.Event()
        self._tasks = [
            self._loop.create_task(self._read()),
            self._loop.create_task(self._write()),
        ]
        self.ended: asyncio.Future[None] = self._loop.create_future()

    # the protocol's side

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def is_closing(self) -> bool:
        return self._closing

    def pause_reading(self) -> None:
        self._may_read.clear()

    def resume_reading(self) -> None:
        self._may_read.set()

    def is_reading(self) -> bool:
        return self._may_read.is_set()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._high = HIGH_WATER if high is None else high

    def get_write_buffer_size(self) -> int:
        return len(self._pending)

    def can_write_eof(self) -> bool:
        return True

    def write(self, data: Any) -> None:
        if self._closing or self._eof:
            return
        self._pending += data
        self._may_write.set()
        if len(self._pending) > self._high and not self._paused_protocol:
            self._paused_protocol = True
            self._protocol.pause_writing()

    def write_eof(self) -> None:
        self._eof = True
        self._may_write.set()

    def close(self) -> None:
        """Send what waits, then end the stream."""
        self._closing = True
        self._may_write.set()

    def abort(self) -> None:
        self._closing = True
        self._end(None)

    # the stream's side

    async def _read(self) -> None:
        try:
            while not self._closing:
                await self._may_read.wait()
                data = await self._stream.receive()
                await self._may_read.wait()  # paused meanwhile: these bytes must wait too
                if not data:
                    return self._on_eof()
                self._feed(data)
        except ConnectionError as error:
            self._end(error)

    def _feed(self, data: bytes) -> None:
        if not isinstance(self._protocol, asyncio.BufferedProtocol):
            cast(asyncio.Protocol, self._protocol).data_received(data)
            return
        while data and not self._lost:
            buffer = memoryview(cast(Any, self._protocol).get_buffer(len(data)))
            size = min(len(buffer), len(data))
            buffer[:size] = data[:size]
            self._protocol.buffer_updated(size)
            data = data[size:]

    def _on_eof(self) -> None:
        keeps_open = cast(asyncio.Protocol, self._protocol).eof_received()
        if not keeps_open:
            self.close()

    async def _write(self) -> None:
        try:
            while not self._closing or self._pending:
                await self._may_write.wait()
                self._may_write.clear()
                await self._write_pending()
                if self._eof:
                    self._stream.finish()
            self._stream.finish()
            self._end(None)
        except ConnectionError as error:
            self._end(error)

    async def _write_pending(self) -> None:
        while self._pending:
            data = bytes(self._pending)
            self._pending.clear()
            await self._stream.send(data)
        if self._paused_protocol:
            self._paused_protocol = False
            self._protocol.resume_writing()

    def _end(self, error: Exception | None) -> None:
        if self._lost:
            return
        self._lost = self._closing = True
        self._pending.clear()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        self._stream.close(ErrorCodes.CONNECT_ERROR if error else ErrorCodes.NO_ERROR)
        self._loop.call_soon(self._protocol.connection_lost, error)
        self.ended.set_result(None)
