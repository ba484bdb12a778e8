"""aiohttp's server as this proxy uses it: bounded reads, who came and left, a log without HTTP.

Knows connections; refuses to know what is asked on them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from aiohttp import web
from aiohttp.http_parser import HttpParser
from aiohttp.web_protocol import RequestHandler

from winnow.proxy.server.client_bounds import HEAD_SECONDS
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.exchange import PIECE
from winnow.proxy.server.listener import client_of
from winnow.proxy.server.read_buffer import read_buffer
from winnow.proxy.server.refusals import Refusal, refusal
from winnow.proxy.server.request_parser import BoundedParser, RefusedRequestError

Ended = Callable[[BaseException | None], None]
"""Called when a connection is lost, with the error or None (``asyncio.Protocol``)."""


class ClientConnection(RequestHandler, asyncio.BufferedProtocol):
    """aiohttp's connection, which is given at most PIECE bytes at a time.

    Both event loops would read 256 KiB at once for each client that sends much.
    """

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
            self._timed_head = head  # begun, and not complete: most are, in their first piece
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
        """Answer what is no request in our own words; the log says only that there was one."""
        if isinstance(exc, RefusedRequestError):
            self.logger.debug("A request was refused before it was read: %d", exc.code)
            return Refusal(exc.code)
        self.logger.error("A request could not be answered", exc_info=exc)
        return Refusal(status)


class ConnectionServer(web.Server):
    """Tells ``ended`` when a connection has ended, and by which error."""

    ended: Ended | None = None
    connection_limits: ConnectionLimits | None = None
    head_seconds: float = HEAD_SECONDS

    def __call__(self) -> ClientConnection:
        return ClientConnection(self, loop=self._loop, **self._kwargs)

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        if self.connection_limits is not None:
            accepted = transport.get_extra_info("socket").fileno()
            if not self.connection_limits.becomes(accepted, handler):
                self.connection_limits.came(
                    handler, client_of(transport.get_extra_info("peername"))
                )

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        super().connection_lost(handler, exc)
        if self.connection_limits is not None:
            self.connection_limits.left(handler)
        if self.ended:
            self.ended(exc)
