"""Reads one connection of ICAP: heads, and bodies in chunks, of which a preview may come first."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from winnow.features.icap.messages import IcapError
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.proxy_errors import OriginFaultError
from winnow.proxy.server.requests.client_limits import KEEPALIVE_SECONDS, UPLOAD_IDLE
from winnow.proxy.upstream.connections.connection_pool import OriginConnection
from winnow.proxy.upstream.response_parser import declared_length

MAX_HEAD: Final = 64 * 1024
PIECE: Final = 16 * 1024
_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(;.*)?\Z")


class IcapReader:
    """The bytes of a client. Raises IcapError, ConnectionError, or TimeoutError."""

    def __init__(self, wire: OriginConnection) -> None:
        self._wire, self._buffer = wire, b""

    async def head(self) -> bytes:
        """The next request's head; b"" where there is none."""
        seconds = KEEPALIVE_SECONDS
        while b"\r\n\r\n" not in self._buffer:
            if len(self._buffer) > MAX_HEAD:
                raise IcapError(400)
            piece = await self._wire.receive(seconds)
            if not piece:
                return b""
            self._buffer, seconds = self._buffer + piece, UPLOAD_IDLE
        head, self._buffer = self._buffer.split(b"\r\n\r\n", 1)
        return head + b"\r\n\r\n"

    async def exactly(self, size: int) -> bytes:
        """So many bytes."""
        while len(self._buffer) < size:
            await self._more()
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        return data

    async def some(self, most: int) -> bytes:
        """At least one byte."""
        if not self._buffer:
            await self._more()
        return await self.exactly(min(most, PIECE, len(self._buffer)))

    async def line(self) -> bytes:
        """A line without its end."""
        while b"\n" not in self._buffer:
            if len(self._buffer) > MAX_HEAD:
                raise IcapError(400)
            await self._more()
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.removesuffix(b"\r")

    async def _more(self) -> None:
        piece = await self._wire.receive(UPLOAD_IDLE)
        if not piece:
            raise ConnectionResetError("The client left within a message.")
        self._buffer += piece


class IcapBody:
    """An encapsulated body; where a preview ends the rest is asked for, once it is read on."""

    def __init__(self, reader: IcapReader, *, previews: bool, is_done: bool, go_on: GoOn) -> None:
        self._reader, self._previews, self._go_on = reader, previews, go_on
        self._left = 0
        self.is_done, self.is_waiting = is_done, False

    async def read(self) -> bytes:
        """The next piece, b"" at the end."""
        if self.is_waiting:
            self.is_waiting = False
            await self._go_on()
        if not self._left:
            await self._next_chunk()
        if self.is_done:
            return b""
        if self.is_waiting:
            return await self.read()
        piece = await self._reader.some(self._left)
        self._left -= len(piece)
        if not self._left:
            await self._reader.exactly(2)
        return piece

    async def skip(self) -> None:
        """Read what comes unasked: the rest of the preview, or else of the body."""
        while not self.is_done and not self.is_waiting:
            if not self._left:
                await self._next_chunk()
                continue
            self._left -= len(await self._reader.some(self._left))
            if not self._left:
                await self._reader.exactly(2)

    async def _next_chunk(self) -> None:
        if self.is_done:
            return
        size = _SIZE.match(await self._reader.line())
        if not size:
            raise IcapError(400)
        self._left = int(size[1], 16)
        if self._left:
            return
        while await self._reader.line():  # trailers
            pass
        ended = b"ieof" in (size[2] or b"")
        self.is_waiting = self._previews and not ended
        self.is_done, self._previews = not self.is_waiting, False


GoOn = Callable[[], Awaitable[None]]


class IcapResponse:
    """An OriginResponse that the client of ICAP has fetched."""

    def __init__(self, head: ResponseHead, body: IcapBody) -> None:
        self.head, self._body, self.trailers = head, body, Headers()

    @property
    def length(self) -> int | None:
        return declared_length(self.head.headers)

    async def read(self) -> bytes:
        try:
            return await self._body.read()
        except (IcapError, ConnectionError, TimeoutError) as error:
            raise OriginFaultError(f"The body ended early: {error}") from error

    async def aclose(self) -> None:
        """The connection goes on."""


class IcapUpload:
    """A RequestBody that the client of ICAP sends along."""

    def __init__(self, body: IcapBody) -> None:
        self._body, self.started, self.trailers = body, False, Headers()

    async def chunks(self) -> AsyncIterator[bytes]:
        self.started = True
        while piece := await self._body.read():
            yield piece
