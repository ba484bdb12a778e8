"""aiohttp's server with bounded reads and request heads, connection counts and our own errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any, Final, cast

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong
from aiohttp.http_parser import HttpParser
from aiohttp.streams import EMPTY_PAYLOAD, StreamReader
from aiohttp.web_protocol import RequestHandler

from winnow.proxy.server.client_limits import HEAD_SECONDS, KEEPALIVE_SECONDS, LINGERING_SECONDS
from winnow.proxy.server.exchange import PIECE
from winnow.proxy.server.listener import ConnectionLimits
from winnow.proxy.server.refusals import Refusal, refusal
from winnow.proxy.server.sockets import peer_address, read_buffer

_LOG = logging.getLogger("winnow.connection")
MAX_HEAD: Final = 256 * 1024
"""Bytes of a request line and its fields; one more read of PIECE bytes may complete it."""
MAX_LINE: Final = 64 * 1024
"""Bytes of a request target, and of a field."""
MAX_FIELDS: Final = 1000

_TOO_MANY_FIELDS: Final = "Too many headers received"
"""aiohttp's message, which has no exception class of its own."""

Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
Ended = Callable[[BaseException | None], None]
"""Called when a connection is lost, with the error or None (``asyncio.Protocol``)."""
Parsed = tuple[Sequence[tuple[Any, StreamReader]], bool, bytes]


class RefusedRequestError(HttpProcessingError):
    """A request that is malformed or too large: ``code`` is 400, 414 or 431. Quotes nothing."""


class BoundedParser:
    """aiohttp's parser of one connection, with MAX_HEAD enforced while bytes arrive.

    After an error it ignores all input.
    """

    def __init__(self, parser: HttpParser[Any]) -> None:
        self._parser = parser
        self._body: StreamReader = EMPTY_PAYLOAD
        self._head = 0
        self._line_has_ended = False
        self.broken = False
        self.pause_reading = parser.pause_reading
        self.message_consumed = parser.message_consumed
        self.feed_eof = parser.feed_eof
        self.set_upgraded = parser.set_upgraded

    def feed_data(self, data: bytes) -> Parsed:
        """As aiohttp's. Raises RefusedRequestError."""
        if self.broken:
            return (), False, b""
        try:
            parsed: Parsed = self._parser.feed_data(data)
        except HttpProcessingError as error:
            raise self._refusal(self._code(error)) from None
        if parsed[0]:
            self._body, self._head, self._line_has_ended = parsed[0][-1][1], 0, False
        elif self._body.is_eof():
            self._count(data)
        return parsed

    def _count(self, data: bytes) -> None:
        """Count bytes of an incomplete head."""
        self._head += len(data)
        self._line_has_ended = self._line_has_ended or b"\n" in data.lstrip(b"\r\n")
        if self._head > MAX_HEAD:
            raise self._refusal(431)

    def _refusal(self, code: int) -> RefusedRequestError:
        self.broken = True
        return RefusedRequestError(code=code)

    def _code(self, error: HttpProcessingError) -> int:
        if isinstance(error, LineTooLong):
            return 431 if self._line_has_ended else 414
        return 431 if error.message == _TOO_MANY_FIELDS else 400


class ClientConnection(RequestHandler, asyncio.BufferedProtocol):
    """aiohttp's connection, reading at most PIECE bytes at a time instead of 256 KiB."""

    __slots__ = ("_read_buffer", "_timed_head")

    def __init__(self, *args: Any, loop: asyncio.AbstractEventLoop, **settings: Any) -> None:
        super().__init__(*args, loop=loop, **settings)
        self._read_buffer = read_buffer(loop)[:PIECE]
        self._timed_head: asyncio.Future[None] | None = None
        assert self._parser is not None
        self._parser = cast(HttpParser[Any], BoundedParser(self._parser))

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._read_buffer[:nbytes]))
        head = self._waiter
        if head is not None and head is not self._timed_head and not head.done():
            self._timed_head = head  # incomplete after its first bytes, which is rare
            seconds = cast(ConnectionServer, self._manager).head_seconds
            self._loop.call_later(seconds, self._end_late_head, head)

    def _end_late_head(self, head: asyncio.Future[None]) -> None:
        """Refuse a request whose head is still not complete."""
        if head is self._waiter and not head.done() and self.transport is not None:
            self.transport.write(refusal(HTTPStatus.REQUEST_TIMEOUT))
            self.force_close()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Send our own error; the log quotes nothing of a refused request."""
        if isinstance(exc, RefusedRequestError):
            self.logger.debug("A request was refused while it was read: %d", exc.code)
            return Refusal(exc.code)
        self.logger.error("A request could not be answered", exc_info=exc)
        return Refusal(status)


class ConnectionServer(web.Server):
    """``ended`` is called with each connection's end; ``head_seconds``: HEAD_SECONDS."""

    def __init__(
        self, handler: Handler, head_seconds: float = HEAD_SECONDS, ended: Ended | None = None
    ) -> None:
        super().__init__(
            handler,
            handler_cancellation=True,
            auto_decompress=False,
            max_line_size=MAX_LINE,
            max_field_size=MAX_LINE,
            max_headers=MAX_FIELDS,
            keepalive_timeout=KEEPALIVE_SECONDS,
            read_bufsize=PIECE,
            lingering_time=LINGERING_SECONDS,
            access_log=None,
            logger=_LOG,
        )
        self.head_seconds, self.ended = head_seconds, ended
        self.connection_limits: ConnectionLimits | None = None

    def __call__(self) -> ClientConnection:
        return ClientConnection(self, loop=self._loop, **self._kwargs)

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        if self.connection_limits is not None:
            accepted = transport.get_extra_info("socket").fileno()
            if not self.connection_limits.rename(accepted, handler):
                self.connection_limits.add(
                    handler, peer_address(transport.get_extra_info("peername"))
                )

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        super().connection_lost(handler, exc)
        if self.connection_limits is not None:
            self.connection_limits.remove(handler)
        if self.ended:
            self.ended(exc)
