"""One request and its response on the client's side, the same for every version of HTTP."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from aiohttp import web

from winnow.proxy.access.requester import new_request_id
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import RequestBody
from winnow.proxy.http.proxy_errors import FramingError
from winnow.proxy.server.requests.client_stream import BODILESS, NO_TRAILERS, ClientStream


class Exchange:
    """A request's head and body; ``start``, ``write`` and ``finish`` send the response.

    For observers: ``status`` and ``response_headers``, ``sent`` bytes of the body, ``fetched`` and
    ``extracted`` seconds to the origin's head and from there to ours, ``page_size`` bytes of the
    page that it was made from, if any; ``page`` is the address of a page that a person opened,
    ``purpose`` what that is for, where it is known, ``words`` how many its article has;
    ``by_reader`` whether a click chose its view; ``changes`` whether it may change what is stored.
    ``front``: what answers it in place of the app (``app.Front``), by whose face it came.
    """

    def __init__(self, stream: ClientStream) -> None:
        self._stream = stream
        self.front: Callable[[Exchange, Any], Awaitable[web.StreamResponse]] | None = None
        self.head = stream.head
        self.begun = time.perf_counter()
        self.number = new_request_id()
        self.started = False
        self.status, self.response_headers = 0, Headers()
        self.sent = 0
        self.page_size = self.words = 0
        self.page = self.purpose = ""
        self.by_reader = self.changes = False
        self.fetched: float | None = None
        self.extracted: float | None = None
        self._remaining: int | None = None

    @property
    def secure(self) -> bool:
        """Whether the client reached us by TLS."""
        return self._stream.secure

    @property
    def keep_alive(self) -> bool:
        """Whether the connection may carry further requests."""
        return self._stream.keep_alive

    @keep_alive.setter
    def keep_alive(self, value: bool) -> None:
        self._stream.keep_alive = value

    def body(self) -> RequestBody | None:
        """The request's body, None where it has none."""
        return self._stream.body()

    async def start(
        self, status: int, headers: Headers, length: int | None, reason: str = ""
    ) -> None:
        """Send the head. ``headers`` have no framing; ``length``: bytes, None for unknown.

        Raises MalformedHeadError, and nothing is sent then.
        """
        self._stream.start(status, reason or _phrase(status), headers, length)
        if status >= 200 and status not in BODILESS and self.head.method != "HEAD":
            self._remaining = length
        self.record(status, headers)

    def record(self, status: int, headers: Headers) -> None:
        """Note the response for observers."""
        self.started = True
        self.status, self.response_headers = status, headers

    async def write(self, chunk: bytes) -> None:
        """Send a piece of the body; waits while the client is slow.

        Raises FramingError above the length of the head: the client would take the rest for its
        next response.
        """
        if self._remaining is not None:
            if len(chunk) > self._remaining:
                raise FramingError("The response is longer than its Content-Length.")
            self._remaining -= len(chunk)
        self.sent += len(chunk)
        await self._stream.write(chunk)

    async def interim(self, status: int, headers: Headers) -> None:
        """Send an interim response (RFC 9110, 15.2); none to HTTP/1.0 or after the final one."""
        if not self.started and self.head.version >= (1, 1):
            await self._stream.interim(status, _phrase(status), headers)

    async def finish(self, trailers: Headers = NO_TRAILERS) -> web.StreamResponse:
        """End the response; one shorter than its Content-Length ends the connection."""
        return self.break_off() if self._remaining else await self._stream.finish(trailers)

    def break_off(self) -> web.StreamResponse:
        """End an incomplete response so that the client can tell."""
        return self._stream.break_off()

    async def send(
        self, status: int, headers: Headers, body: bytes, reason: str = ""
    ) -> web.StreamResponse:
        """Send a whole response; its head alone for HEAD."""
        await self.start(status, headers, len(body), reason)
        if body and self.head.method != "HEAD" and status not in BODILESS:
            await self.write(body)
        return await self.finish()

    async def establish(self, headers: Headers) -> tuple[asyncio.Transport, bytes]:
        """Answer CONNECT with 200; the bytes from then on, as ``ClientStream.take_over`` says."""
        self.record(200, headers)
        return await self._stream.take_over(200, headers)

    async def upgrade(self, headers: Headers, reason: str) -> tuple[asyncio.Transport, bytes]:
        """Answer 101; the bytes from then on, as ``ClientStream.take_over`` says."""
        self.keep_alive = True
        await self.start(101, headers, None, reason)
        return await self._stream.take_over(101, headers)

    def let_go(self) -> web.StreamResponse:
        """End what was taken over."""
        return self._stream.let_go()


@lru_cache
def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""
