"""A request and its response over HTTP/1.

The response's head is written here: a proxy sends the origin's fields as they are and adds none of
a server's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import cast

from aiohttp import web

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import field_lines, response_head
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import redirected_target
from winnow.proxy.server.requests.client_limits import LeastRate, too_slow
from winnow.proxy.server.requests.client_stream import (
    BODILESS,
    CLIENT_BROKE,
    FINISHED,
    NO_TRAILERS,
    FinishedResponse,
    ServerContext,
)
from winnow.proxy.server.requests.request_parser import RequestMessage

PIECE = 16 * 1024
"""Bytes of an upload that are read and forwarded at a time; some four of these are buffered."""
RESPONSE_PIECE = 64 * 1024
"""Bytes of a response that are written at a time: what the client does not take is copied."""


class UploadBody:
    """The body of a client's request; sends ``100 Continue`` where the client expects it."""

    def __init__(
        self, request: web.BaseRequest, expects: bool, idle_seconds: float, rate: LeastRate
    ) -> None:
        self._request, self._rate = request, rate
        self._expects = expects
        self._idle_seconds = idle_seconds
        self.started = False

    @property
    def trailers(self) -> Headers:
        return cast(RequestMessage, self._request._message).trailers

    async def chunks(self) -> AsyncIterator[bytes]:
        """Raises ClientFaultError if the client closes its connection, falls silent or drips."""
        self.started = True
        try:
            if self._expects:
                await self._request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            while chunk := await self._piece():
                yield chunk
        except TimeoutError as error:
            raise too_slow() from error
        except CLIENT_BROKE as error:
            raise ClientFaultError("The client aborted its request.") from error

    async def _piece(self) -> bytes:
        async with asyncio.timeout(self._idle_seconds):
            piece = await self._request.content.read(PIECE)
        self._rate.moved(len(piece), asyncio.get_running_loop().time())
        return piece


class Http1Stream:
    """As ``ClientStream`` says."""

    def __init__(self, request: web.BaseRequest, context: ServerContext | None = None) -> None:
        context = context or ServerContext()
        self._request = request
        self._upload_idle, self._rate_seconds = context.upload_idle, context.rate_seconds
        message = cast(RequestMessage, request._message)  # what our parser gave aiohttp
        self.head = request_head_of(message, request.remote or "", context)
        self.keep_alive = request.keep_alive
        self._pending_head = b""
        self._upload: UploadBody | None = None
        self._chunked = False
        self._until_close = False

    @property
    def secure(self) -> bool:
        return self._request.secure

    def body(self) -> UploadBody | None:
        if not self._request.body_exists:
            return None
        rate = LeastRate(seconds=self._rate_seconds)
        self._upload = UploadBody(self._request, self._expects(), self._upload_idle, rate)
        return self._upload

    def _expects(self) -> bool:
        return self.head.version >= (1, 1) and "100-continue" in self.head.headers.items("expect")

    def _is_refusal(self, status: int) -> bool:
        """Whether the client learns by this response that its body is not wanted.

        It may send it all the same or not: only the connection's end makes that clear.
        """
        unread = self._upload is None or not self._upload.started
        return status >= 200 and unread and self._request.body_exists and self._expects()

    def start(self, status: int, reason: str, headers: Headers, length: int | None) -> None:
        if self._is_refusal(status):
            self.keep_alive = False
        framing = self._framing(status, length)
        fields = Headers((*headers.fields, *framing, *self._connection()))
        self._pending_head = response_head(status, reason, fields)
        asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        head, self._pending_head = self._pending_head, b""
        transport = self._request.transport
        if head and transport and not transport.is_closing():
            transport.write(head)

    async def _send(self, data: bytes) -> None:
        """Write the pending head and these bytes, by pieces; waits while the client is slow."""
        head, self._pending_head = self._pending_head, b""
        writer, first = self._request.writer, data[:RESPONSE_PIECE]
        await writer.write(head + first if head else first)
        for at in range(RESPONSE_PIECE, len(data), RESPONSE_PIECE):
            await writer.drain()
            await writer.write(data[at : at + RESPONSE_PIECE])

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
        await self._send(b"%x\r\n%b\r\n" % (len(chunk), chunk) if self._chunked else chunk)

    async def interim(self, status: int, reason: str, headers: Headers) -> None:
        await self._request.writer.write(response_head(status, reason, headers))

    async def finish(self, trailers: Headers = NO_TRAILERS) -> web.StreamResponse:
        """Trailers are sent to clients that accept them (RFC 9110, section 6.5.1)."""
        if self._chunked or self._pending_head:
            await self._send(self._last_chunk(trailers) if self._chunked else b"")
        return FINISHED[self.keep_alive]

    def _last_chunk(self, trailers: Headers) -> bytes:
        accepted = trailers.fields and "trailers" in self.head.headers.items("te")
        return b"0\r\n" + (field_lines(trailers) if accepted else b"\r\n")

    def break_off(self) -> web.StreamResponse:
        self._flush()
        transport = self._request.transport
        if transport and self._until_close:
            transport.abort()
        elif transport:
            transport.close()
        return FINISHED[False]

    async def take_over(self, status: int, headers: Headers) -> tuple[asyncio.Transport, bytes]:
        """``let_go`` ends aiohttp's protocol."""
        if status == 200:
            head = response_head(200, "Connection established", headers)
            await self._request.writer.write(head)
        else:
            self._flush()
        protocol, transport = self._request.protocol, self._request.transport
        if transport is None:
            raise ConnectionResetError("The client has left.")
        tail, protocol._message_tail = protocol._message_tail, b""
        transport.pause_reading()
        return transport, tail

    def let_go(self) -> web.StreamResponse:
        """Tell aiohttp that a taken-over connection has ended."""
        self._request.protocol.force_close()
        self._request.protocol.connection_lost(None)
        return FinishedResponse(False)


def request_head_of(message: RequestMessage, client: str, context: ServerContext) -> RequestHead:
    """The head of a parsed request from this client."""
    client, fields = context.claim(client, message.fields)
    inside, user, redirected = context.inside, context.user, context.redirected
    names = context.names
    target = message.target
    if redirected and not inside:
        target = redirected_target(target, fields.get("host"), redirected)
    return RequestHead(
        message.method, target, fields, client, message.version, inside, user, redirected, names
    )
