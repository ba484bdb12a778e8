"""aiohttp's server as this proxy uses it: bounded reads, who came and left, a log without HTTP.

Knows connections; refuses to know what is asked on them.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

from aiohttp import web
from aiohttp.http_parser import HttpParser
from aiohttp.web_protocol import RequestHandler

from proxy.crowd import Crowd
from proxy.exchange import PIECE
from proxy.intercept import Ended
from proxy.listening import client_of
from proxy.server.read_buffer import read_buffer
from proxy.server.refusals import Refusal
from proxy.server.request_parser import BoundedParser, RefusedRequestError


class Connection(RequestHandler, asyncio.BufferedProtocol):
    """aiohttp's connection, which is given at most PIECE bytes at a time.

    Both event loops would read 256 KiB at once for each client that sends much.
    """

    __slots__ = ("_read_buffer",)

    def __init__(self, *args: Any, loop: asyncio.AbstractEventLoop, **settings: Any) -> None:
        super().__init__(*args, loop=loop, **settings)
        self._read_buffer = read_buffer(loop)[:PIECE]
        assert self._parser is not None
        self._parser = cast(HttpParser[Any], BoundedParser(self._parser))

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._read_buffer

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._read_buffer[:nbytes]))

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


class Telling(web.Server):
    """Tells ``ended`` when a connection has ended, and by which error."""

    ended: Ended | None = None
    crowd: Crowd | None = None

    def __call__(self) -> Connection:
        return Connection(self, loop=self._loop, **self._kwargs)

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        super().connection_made(handler, transport)
        if self.crowd is not None:
            self.crowd.came(handler, client_of(transport.get_extra_info("peername")))

    def connection_lost(self, handler: RequestHandler, exc: BaseException | None = None) -> None:
        super().connection_lost(handler, exc)
        if self.crowd is not None:
            self.crowd.left(handler)
        if self.ended:
            self.ended(exc)
