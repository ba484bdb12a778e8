"""One stream: field sections and bytes both ways, with back-pressure (RFC 9113, section 5)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from h2.errors import ErrorCodes
from hpack import HeaderTuple

from winnow.proxy.http2.fields import MalformedFieldsError, RawFields, parse_trailers
from winnow.proxy.http2.outbox import Outbox

if TYPE_CHECKING:
    from winnow.proxy.http.headers import Headers

STALLED_SECONDS: Final = 60.0
"""Time in which a peer opens no window for what is to be sent: then the stream is reset."""


class StreamResetError(ConnectionResetError):
    """The stream was reset; ``unprocessed``: the peer certainly did nothing for it (8.7)."""

    def __init__(self, message: str, *, unprocessed: bool = False) -> None:
        super().__init__(message)
        self.unprocessed = unprocessed


class Http2Stream:
    """``trailers`` are set once the peer has sent them; ``sent`` counts pieces of data.

    ``stalled_seconds``: STALLED_SECONDS.
    """

    def __init__(
        self,
        number: int,
        outbox: Outbox,
        closed: Callable[[Http2Stream], None],
        stalled_seconds: float,
    ) -> None:
        """``closed`` is called once both sides have ended or either was reset."""
        self.number, self._outbox, self._closed = number, outbox, closed
        self._stalled_seconds = stalled_seconds
        self._loop = asyncio.get_running_loop()
        self._sections: deque[RawFields] = deque()
        self._chunks: deque[tuple[bytes, int]] = deque()
        self.trailers: Headers | None = None
        self.ended = self.finished = False
        self.error: StreamResetError | None = None
        self.on_abort: Callable[[], object] | None = None
        """Called when the peer, or the end of the connection, ends the stream."""
        self.sent = 0
        self._readable: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None

    # called by the connection

    def on_section(self, raw: RawFields) -> None:
        """Fields have come: of a request, an interim or a final response."""
        self._sections.append(raw)
        self._wake()

    def on_trailers(self, raw: RawFields) -> None:
        """Malformed trailers are dropped: a recipient may ignore any (RFC 9110, 6.5.1)."""
        try:
            self.trailers = parse_trailers(raw)
        except MalformedFieldsError:
            self.trailers = None

    def on_data(self, data: bytes, size: int) -> None:
        """``size``: of the frame, with its padding."""
        if data:
            self._chunks.append((data, size))
            self._wake()
        elif size:
            self._outbox.consumed(self.number, size)

    def on_end(self) -> None:
        """The peer sends no more."""
        self.ended = True
        self._wake()
        self._close_if_done()

    def on_reset(self, error: StreamResetError) -> None:
        """The peer, or the end of the connection, ended the stream."""
        self.error = self.error or error
        self._wake()
        self.wake_sender()
        self._closed(self)
        if self.on_abort:
            self.on_abort()

    def wake_sender(self) -> None:
        """There may be room to send now."""
        if self._writable and not self._writable.done():
            self._writable.set_result(None)

    def _wake(self) -> None:
        if self._readable and not self._readable.done():
            self._readable.set_result(None)

    # called by the proxy

    @property
    def is_open(self) -> bool:
        """Whether there is still a peer to send to."""
        return self.error is None

    async def receive_section(self, seconds: float = 0) -> RawFields:
        """The next field section before the body.

        Raises StreamResetError, TimeoutError after ``seconds`` without one (0: no limit).
        """
        while not self._sections:
            if self.error or self.ended:
                raise self.error or StreamResetError("The stream ended without a response.")
            await self._wait_readable(seconds)
        return self._sections.popleft()

    async def receive(self, seconds: float = 0) -> bytes:
        """The next bytes, empty at the end.

        Raises StreamResetError, TimeoutError after ``seconds`` without any (0: no limit).
        """
        while not self._chunks:
            if self.ended:
                return b""
            if self.error:
                raise self.error
            await self._wait_readable(seconds)
        data, size = self._taken()
        self._outbox.consumed(self.number, size)
        return data

    def _taken(self) -> tuple[bytes, int]:
        """All that has come, at most a window: a piece costs more than a byte."""
        if len(self._chunks) == 1:
            return self._chunks.popleft()
        data = b"".join([chunk for chunk, _ in self._chunks])
        size = sum([size for _, size in self._chunks])
        self._chunks.clear()
        return data, size

    async def _wait_readable(self, seconds: float) -> None:
        self._readable = self._loop.create_future()
        async with asyncio.timeout(seconds or None):
            await self._readable

    async def send_section(self, section: list[HeaderTuple], *, last: bool = False) -> None:
        """Send fields; waits while the connection is slow. Raises StreamResetError."""
        await self._wait_for(self._outbox.is_writable)
        self.send_section_now(section, last=last)

    def send_section_now(self, section: list[HeaderTuple], *, last: bool = False) -> None:
        """Send fields without waiting. Raises StreamResetError."""
        self._check()
        self._outbox.send_section(self.number, section, last=last)
        if last:
            self._on_finished()

    async def send(self, data: bytes) -> None:
        """Send bytes; waits while the peer's window is closed. Raises StreamResetError."""
        at, size = 0, len(data)
        while at < size:
            await self._wait_for(self._has_room)
            room = self._outbox.window(self.number)
            self._outbox.send_data(self.number, data[at : at + room], last=False)
            at += room
        self.sent += 1

    def finish(self, trailers: list[HeaderTuple] | None = None) -> None:
        """End our direction. Raises StreamResetError."""
        self._check()
        if self.finished:
            return
        if trailers:
            self._outbox.send_section(self.number, trailers, last=True)
        else:
            self._outbox.send_data(self.number, b"", last=True)
        self._on_finished()

    def close(self, code: ErrorCodes = ErrorCodes.CANCEL) -> None:
        """Reset the stream unless it is complete in both directions; gives unread bytes back."""
        unread = sum(size for _, size in self._chunks)
        self._chunks.clear()
        if unread:
            self._outbox.consumed(self.number, unread)
        if self.error is None and not (self.ended and self.finished):
            self.on_abort = None
            self._outbox.reset(self.number, code)
            self.on_reset(StreamResetError("The stream was closed."))

    def _has_room(self) -> bool:
        return self._outbox.is_writable() and self._outbox.window(self.number) > 0

    async def _wait_for(self, ready: Callable[[], bool]) -> None:
        self._check()
        if ready():
            return
        try:
            async with asyncio.timeout(self._stalled_seconds):
                while not ready():
                    self._writable = self._loop.create_future()
                    await self._writable
                    self._check()
        except TimeoutError as error:
            self.close(ErrorCodes.CANCEL)
            raise StreamResetError("The peer takes no bytes.") from error

    def _check(self) -> None:
        if self.error:
            raise self.error

    def _on_finished(self) -> None:
        self.finished = True
        self._close_if_done()

    def _close_if_done(self) -> None:
        if self.ended and self.finished:
            self._closed(self)
