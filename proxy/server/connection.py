"""aiohttp's server with bounded reads and request heads, connection counts and our own errors."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, cast

from aiohttp import web
from aiohttp.http_parser import HttpParser
from aiohttp.web_protocol import RequestHandler

from winnow.proxy.server.client_limits import HEAD_SECONDS, KEEPALIVE_SECONDS, LINGERING_SECONDS
from winnow.proxy.server.exchange import PIECE
from winnow.proxy.server.listener import ConnectionLimits
from winnow.proxy.server.refusal_responses import Refusal, refusal
from winnow.proxy.server.request_parser import (
    MAX_FIELDS,
    MAX_LINE,
    BoundedParser,
    RefusedRequestError,
)
from winnow.proxy.server.sockets import peer_address, read_buffer

_LOG = logging.getLogger("winnow.connection")
Handler = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
Ended = Callable[[BaseException | None], None]
"""Called when a connection is lost, with the error or None (``asyncio.Protocol``)."""


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
