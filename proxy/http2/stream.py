"""One stream: field sections and bytes both ways, with back-pressure (RFC 9113, section 5)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from h2.errors import ErrorCodes
from hpack import HeaderTuple

from winnow.proxy.http2.fields import RawFields
from winnow.proxy.http2.scheduler import WRITE_AHEAD, Scheduler, Sending

if TYPE_CHECKING:
    from winnow.proxy.http.headers import Headers

STALLED_SECONDS: Final = 60.0
"""Time in which a peer must take LEAST_RATE of what is to be sent: else the stream is reset."""
LEAST_RATE: Final = 64
"""Bytes a second."""


class StreamResetError(ConnectionResetError):
    """The stream was reset; ``unprocessed``: the peer certainly did nothing for it (8.7).

    ``needs_http1``: it asks for the request by HTTP/1.1 (HTTP_1_1_REQUIRED).
    """

    def __init__(
        self, message: str, *, unprocessed: bool = False, needs_http1: bool = False
    ) -> None:
        super().__init__(message)
        self.unprocessed, self.needs_http1 = unprocessed, needs_http1

    @classmethod
    def by(cls, code: int | None, *, unprocessed: bool = False) -> StreamResetError:
        """What the peer's error code says; ``unprocessed``: its GOAWAY does."""
        needs_http1 = code == ErrorCodes.HTTP_1_1_REQUIRED
        unprocessed = unprocessed or needs_http1 or code == ErrorCodes.REFUSED_STREAM
        message = f"The peer ended the stream (error {code})."
        return cls(message, unprocessed=unprocessed, needs_http1=needs_http1)


class Http2Stream:
    """``trailers`` are set once the peer has sent them; ``sent`` counts pieces of data.
    ``section_size``: bytes of its request's field section, as MAX_SECTION counts them.

    ``stalled_seconds``: STALLED_SECONDS.
    """

    def __init__(
        self,
        number: int,
        scheduler: Scheduler,
        closed: Callable[[Http2Stream], None],
        stalled_seconds: float,
    ) -> None:
        """``closed`` is called once both sides have ended or either was reset."""
        self.number, self._scheduler, self._closed = number, scheduler, closed
        self.sending = Sending(number, self._wake_sender)
        self._stalled_seconds = stalled_seconds
        self._loop = asyncio.get_running_loop()
        self._sections: deque[RawFields] = deque()
        self._chunks: deque[tuple[bytes, int]] = deque()
        self.trailers: Headers | None = None
        self.ended = self.finished = False
        self.error: StreamResetError | None = None
        self.on_abort: Callable[[], object] | None = None
        """Called when the peer, or the end of the connection, ends the stream."""
        self.sent = self.section_size = 0
        self._readable: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None

    # called by the connection

    def on_section(self, raw: RawFields) -> None:
        """Fields have come: of a request, an interim or a final response."""
        self._sections.append(raw)
        self._wake()

    def on_data(self, data: bytes, size: int) -> None:
        """``size``: of the frame, with its padding; the stream is reset where it cannot be held."""
        is_held = bool(data) and self._scheduler.hold(size)
        if is_held:
            self._chunks.append((data, size))
            self._wake()
        else:
            self._scheduler.consumed(self.number, size)
        if data and not is_held:
            self.close(ErrorCodes.ENHANCE_YOUR_CALM)

    def on_end(self) -> None:
        """The peer sends no more."""
        self.ended = True
        self._wake()
        self._close_if_done()

    def on_reset(self, error: StreamResetError) -> None:
        """The peer, or the end of the connection, ended the stream."""
        self.error = self.error or error
        self.sending.data = b""
        self._wake()
        self._wake_sender()
        self._closed(self)
        if self.on_abort:
            self.on_abort()

    def on_window(self) -> None:
        """There may be room to send now."""
        self._scheduler.resume(self.sending)
        self._wake_sender()

    def _wake_sender(self) -> None:
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
        self._give_back(size)
        return data

    def _give_back(self, size: int) -> None:
        self._scheduler.let_go(size)
        self._scheduler.consumed(self.number, size)

    def _taken(self) -> tuple[bytes, int]:
        """All that has come, at most a window: a piece costs more than a byte."""
        if len(self._chunks) == 1:
            return self._chunks.popleft()
        data = b"".join([chunk for chunk, _ in self._chunks])
        size = sum([size for _, size in self._chunks])
        self._chunks.clear()
        return data, size

    async def drain(self, seconds: float) -> None:
        """Take and drop what the peer still sends, for a while."""
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(seconds):
                while await self.receive():
                    pass

    async def _wait_readable(self, seconds: float) -> None:
        self._readable = self._loop.create_future()
        async with asyncio.timeout(seconds or None):
            await self._readable

    async def send_section(self, section: list[HeaderTuple], *, last: bool = False) -> None:
        """Send fields; waits while the connection is slow. Raises StreamResetError."""
        await self._wait_for(self._scheduler.is_writable)
        self.send_section_now(section, last=last)

    def send_section_now(self, section: list[HeaderTuple], *, last: bool = False) -> None:
        """Send fields without waiting. Raises StreamResetError."""
        self._check()
        self._scheduler.send_section(self.number, section, last=last)
        if last:
            self._on_finished()

    async def send(self, data: bytes) -> None:
        """Send bytes; waits while it is not their turn. Raises StreamResetError."""
        self._check()
        self._scheduler.send(self.sending, data)
        if not self._is_sent():
            await self._wait_until_sent(min(len(data), WRITE_AHEAD))
        self.sent += 1

    async def _wait_until_sent(self, size: int) -> None:
        """``size``: what is booked meanwhile; a longer piece is a page's or the cache's own."""
        if not self._scheduler.hold(size):
            self.close(ErrorCodes.ENHANCE_YOUR_CALM)
            raise StreamResetError("The peer has too much sent to it at once.")
        try:
            await self._wait_for(self._is_sent)
        finally:
            self._scheduler.let_go(size)

    def finish(self, trailers: list[HeaderTuple] | None = None) -> None:
        """End our direction. Raises StreamResetError."""
        self._check()
        if self.finished:
            return
        if trailers:
            self._scheduler.send_section(self.number, trailers, last=True)
        else:
            self._scheduler.send_end(self.number)
        self._on_finished()

    def close(self, code: ErrorCodes = ErrorCodes.CANCEL) -> None:
        """Reset the stream unless it is complete in both directions; gives unread bytes back."""
        unread = sum(size for _, size in self._chunks)
        self._chunks.clear()
        if unread:
            self._give_back(unread)
        if self.error is None and not (self.ended and self.finished):
            self.on_abort = None
            self._scheduler.reset(self.number, code)
            self.on_reset(StreamResetError("The stream was closed."))

    def _is_sent(self) -> bool:
        return not self.sending.data

    async def _wait_for(self, ready: Callable[[], bool]) -> None:
        self._check()
        while not ready():
            taken, of_all = self.sending.taken, self._scheduler.taken
            try:
                async with asyncio.timeout(self._stalled_seconds):
                    await self._woken(ready)
            except TimeoutError as error:
                of_all = self._scheduler.taken - of_all
                progress = self.sending.taken - taken if self._is_window_shut() else of_all
                if progress < LEAST_RATE * self._stalled_seconds:
                    self.close(ErrorCodes.CANCEL)
                    raise StreamResetError("The peer takes no bytes.") from error

    def _is_window_shut(self) -> bool:
        """Whether this stream waits for its own window, and not for its turn."""
        return bool(self.sending.data) and not self.sending.is_queued

    async def _woken(self, ready: Callable[[], bool]) -> None:
        while not ready():
            self._writable = self._loop.create_future()
            await self._writable
            self._check()

    def _check(self) -> None:
        if self.error:
            raise self.error

    def _on_finished(self) -> None:
        self.finished = True
        self._close_if_done()

    def _close_if_done(self) -> None:
        if self.ended and self.finished:
            self._closed(self)
