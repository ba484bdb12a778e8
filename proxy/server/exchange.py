"""One request and its response on the client's side, over aiohttp's parser.

aiohttp parses strictly (llhttp). The response's head is written here: a proxy sends the origin's
fields as they are and adds none of a server's own.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from functools import lru_cache
from http import HTTPStatus

from aiohttp import web
from aiohttp.abc import AbstractStreamWriter
from aiohttp.http_parser import RawRequestMessage
from aiohttp.web_protocol import RequestPayloadError

from winnow.proxy.access.requester import RequestHead, new_request_id
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import response_head
from winnow.proxy.http.proxy_errors import ClientFaultError, FramingError
from winnow.proxy.http.request_target import Origin
from winnow.proxy.server.client_limits import UPLOAD_IDLE, too_slow

CLIENT_BROKE = (RequestPayloadError, ConnectionError)
BODILESS = frozenset({204, 304})
PIECE = 16 * 1024
"""Bytes of an upload that are read and forwarded at a time; some four of these are buffered."""


class FinishedResponse(web.StreamResponse):
    """Tells aiohttp that the response was written, and whether the connection stays open."""

    def __init__(self, keep_alive: bool) -> None:
        super().__init__()
        self._keep_alive = keep_alive

    async def prepare(self, request: web.BaseRequest) -> AbstractStreamWriter | None:
        return request.writer

    async def write_eof(self, data: bytes = b"") -> None:
        pass


_FINISHED = {keep_alive: FinishedResponse(keep_alive) for keep_alive in (True, False)}
"""aiohttp only reads them, so all requests share them."""


class UploadBody:
    """The body of a client's request; sends ``100 Continue`` where the client expects it."""

    def __init__(self, request: web.BaseRequest, expects: bool, idle_seconds: float) -> None:
        self._request = request
        self._expects = expects
        self._idle_seconds = idle_seconds
        self.started = False

    async def chunks(self) -> AsyncIterator[bytes]:
        """Raises ClientFaultError if the client closes its connection or falls silent."""
        self.started = True
        try:
            if self._expects:
                await self._request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            while chunk := await self._piece():
                yield chunk
        except TimeoutError as error:
            raise too_slow() from error
        except CLIENT_BROKE as error:
            raise ClientFaultError("The client broke off its request.") from error

    async def _piece(self) -> bytes:
        async with asyncio.timeout(self._idle_seconds):
            return await self._request.content.read(PIECE)


class Exchange:
    """A request's head and body; ``start``, ``write`` and ``finish`` send the response.

    For observers: ``status`` and ``response_headers``, ``sent`` bytes of the body, ``fetched`` and
    ``extracted`` seconds to the origin's head and from there to ours, ``page_size`` bytes of the
    page that it was made from, if any; ``page`` is the address of a page that a person opened,
    ``purpose`` what that is for, where it is known.
    """

    def __init__(
        self,
        request: web.BaseRequest,
        inside: Origin | None = None,
        upload_idle: float = UPLOAD_IDLE,
        user: str = "",
    ) -> None:
        """``inside`` and ``user``: as in RequestHead; ``upload_idle``: seconds."""
        self.request = request
        self._upload_idle = upload_idle
        message = request._message  # the only place where aiohttp keeps the raw target and fields
        self.head = request_head_of(message, request.remote or "", inside, user)
        self.keep_alive = request.keep_alive
        self.begun = time.perf_counter()
        self.number = new_request_id()
        self.started = False
        self.status, self.response_headers = 0, Headers()
        self.sent = 0
        self.page_size = 0
        self.page = self.purpose = ""
        self.fetched: float | None = None
        self.extracted: float | None = None
        self._pending_head = b""
        self._chunked = False
        self._until_close = False
        self._remaining: int | None = None

    def body(self) -> UploadBody | None:
        """The request's body, None where it has none."""
        if not self.request.body_exists:
            return None
        return UploadBody(self.request, self._expects(), self._upload_idle)

    def _expects(self) -> bool:
        return self.head.version >= (1, 1) and "100-continue" in self.head.headers.items("expect")

    async def start(
        self, status: int, headers: Headers, length: int | None, reason: str = ""
    ) -> None:
        """Send the head. ``headers`` have no framing; ``length``: bytes, None for unknown.

        Raises MalformedHeadError, and nothing is sent then.
        """
        framing = self._framing(status, length)
        if framing and not self._chunked and self.head.method != "HEAD":
            self._remaining = length
        fields = Headers((*headers.fields, *framing, *self._connection()))
        head = response_head(status, reason or _phrase(status), fields)
        self.record(status, headers)
        self._schedule(head)

    def _schedule(self, head: bytes) -> None:
        """Send the head with the first piece of the body, or alone in the loop's next turn."""
        self._pending_head = head
        asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        head, self._pending_head = self._pending_head, b""
        transport = self.request.transport
        if head and transport and not transport.is_closing():
            transport.write(head)

    async def _send(self, data: bytes) -> None:
        """Write the pending head and these bytes at once; waits while the client is slow."""
        head, self._pending_head = self._pending_head, b""
        await self.request.writer.write(head + data if head else data)

    def record(self, status: int, headers: Headers) -> None:
        """Note the response for observers."""
        self.started = True
        self.status, self.response_headers = status, headers

    def _framing(self, status: int, length: int | None) -> tuple[Field, ...]:
        if status < 200 or status in BODILESS:
            return ()
        if length is not None:
            return (("Content-Length", str(length)),)
        if self.head.method == "HEAD":
            return ()
        self._chunked = self.head.version >= (1, 1)
        if self._chunked:
            return (("Transfer-Encoding", "chunked"),)
        self._until_close = True
        self.keep_alive = False
        return ()

    def _connection(self) -> tuple[Field, ...]:
        if not self.keep_alive:
            return (("Connection", "close"),)
        return (("Connection", "keep-alive"),) if self.head.version < (1, 1) else ()

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
        await self._send(b"%x\r\n%b\r\n" % (len(chunk), chunk) if self._chunked else chunk)

    async def finish(self) -> web.StreamResponse:
        """End the response; one shorter than its Content-Length ends the connection."""
        if self._remaining:
            return self.break_off()
        if self._chunked or self._pending_head:
            await self._send(b"0\r\n\r\n" if self._chunked else b"")
        return _FINISHED[self.keep_alive]

    def break_off(self) -> web.StreamResponse:
        """End an incomplete response so that the client can tell."""
        self._flush()
        transport = self.request.transport
        if transport and self._until_close:
            transport.abort()
        elif transport:
            transport.close()
        return _FINISHED[False]

    async def send(
        self, status: int, headers: Headers, body: bytes, reason: str = ""
    ) -> web.StreamResponse:
        """Send a whole response; its head alone for HEAD."""
        await self.start(status, headers, len(body), reason)
        if body and self.head.method != "HEAD" and status not in BODILESS:
            await self.write(body)
        return await self.finish()


@lru_cache
def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def request_head_of(
    message: RawRequestMessage, client: str, inside: Origin | None = None, user: str = ""
) -> RequestHead:
    """The head from aiohttp's message; characters of target and fields are bytes."""
    target = message.path.encode("utf-8", "surrogateescape").decode("latin-1")
    fields = Headers.from_raw(message.raw_headers)
    version = (message.version[0], message.version[1])
    return RequestHead(message.method, target, fields, client, version, inside, user)
