"""aiohttp's server as this proxy uses it: bounded reads, who came and left, a log without HTTP.

Knows connections; refuses to know what is asked on them.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web_protocol import RequestHandler

from proxy.crowd import Crowd
from proxy.exchange import PIECE
from proxy.intercept import Ended
from proxy.listening import client_of

_LOG = logging.getLogger("winnow.front")
MAX_FIELD = 64 * 1024
MAX_FIELDS = 1000
_BUFFER = memoryview(bytearray(PIECE))
"""Where the event loop puts what it reads: one for all, since it is copied out at once."""


class Discreet(logging.LoggerAdapter[logging.Logger]):
    """Keeps what is no HTTP out of the log: aiohttp would quote it whole, with a traceback each."""

    def log(self, level: int, msg: object, *args: object, **kwargs: Any) -> None:
        error = kwargs.get("exc_info")
        if isinstance(error, HttpProcessingError):
            self.logger.debug("A request that is no HTTP was refused: %s", type(error).__name__)
        else:
            super().log(level, msg, *args, **kwargs)


class Connection(RequestHandler, asyncio.BufferedProtocol):
    """aiohttp's connection, which is given at most PIECE bytes at a time.

    Both event loops would read 256 KiB at once for each client that sends much.
    """

    __slots__ = ()

    def get_buffer(self, sizehint: int) -> memoryview:
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(_BUFFER[:nbytes]))


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
