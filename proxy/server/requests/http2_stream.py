"""A request and its response on one stream of HTTP/2 (RFC 9113, section 8)."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from secrets import token_bytes
from typing import Any, Final

from aiohttp import web
from h2.errors import ErrorCodes
from hpack import HeaderTuple

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http2.fields import MalformedFieldsError, RawFields, parse_request, section
from winnow.proxy.http2.stream import Http2Stream
from winnow.proxy.server.requests.client_limits import LINGERING_SECONDS, LeastRate, too_slow
from winnow.proxy.server.requests.client_stream import (
    BODILESS,
    FINISHED,
    NO_TRAILERS,
    ServerContext,
)
from winnow.proxy.server.stream_transport import StreamTransport

VERSION: Final = (2, 0)
BREAK_OFF_SECONDS: Final = 0.2
"""From the last bytes of an incomplete response to the reset: read at once, it takes them along."""
_OF_THE_HANDSHAKE: Final = ("sec-websocket-accept", "content-length")
"""Fields of 101 that the response to extended CONNECT has not (RFC 8441, section 5)."""


class Http2Upload:
    """The body of a client's request."""

    def __init__(
        self, stream: Http2Stream, expects: bool, idle_seconds: float, rate: LeastRate
    ) -> None:
        self._stream, self._expects, self._idle_seconds = stream, expects, idle_seconds
        self._rate = rate
        self.started = False

    @property
    def trailers(self) -> Headers:
        return self._stream.trailers or NO_TRAILERS

    async def chunks(self) -> AsyncIterator[bytes]:
        """Raises ClientFaultError if the client resets its stream, falls silent or drips."""
        self.started = True
        try:
            if self._expects:
                await self._stream.send_section(section(((":status", "100"),), Headers()))
            clock = asyncio.get_running_loop().time
            while chunk := await self._stream.receive(self._idle_seconds):
                self._rate.moved(len(chunk), clock())
                yield chunk
        except TimeoutError as error:
            raise too_slow() from error
        except ConnectionError as error:
            raise ClientFaultError("The client aborted its request.") from error


class Http2ClientStream:
    """As ``ClientStream`` says. ``keep_alive`` changes nothing: other streams go on."""

    def __init__(
        self,
        stream: Http2Stream,
        head: RequestHead,
        transport: asyncio.Transport,
        context: ServerContext,
    ) -> None:
        self._stream, self._transport, self._context = stream, transport, context
        self.head = head
        self.secure = is_secure(transport)
        self.keep_alive = True
        self._has_body = not stream.ended  # here, since a short one may have come until it is read
        self._pending_head: list[HeaderTuple] = []
        self._tunnel: StreamTransport | None = None
        self._is_broken = False

    def body(self) -> Http2Upload | None:
        if not self._has_body or self.head.method == "CONNECT" or self.head.upgrade:
            return None
        expects = "100-continue" in self.head.headers.items("expect")
        rate = LeastRate(seconds=self._context.rate_seconds)
        return Http2Upload(self._stream, expects, self._context.upload_idle, rate)

    def start(self, status: int, reason: str, headers: Headers, length: int | None) -> None:
        if status == 101:
            status, headers = 200, headers.without(_OF_THE_HANDSHAKE)
        elif length is not None and status >= 200 and status not in BODILESS:
            headers = headers.plus(("content-length", str(length)))
        self._pending_head = section(((":status", str(status)),), headers)
        asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        head, self._pending_head = self._pending_head, []
        if head and self._stream.is_open:
            self._stream.send_section_now(head)

    async def write(self, chunk: bytes) -> None:
        self._flush()
        await self._stream.send(chunk)

    async def interim(self, status: int, reason: str, headers: Headers) -> None:
        await self._stream.send_section(section(((":status", str(status)),), headers))

    async def finish(self, trailers: Headers = NO_TRAILERS) -> web.StreamResponse:
        head, self._pending_head = self._pending_head, []
        if head:
            await self._stream.send_section(head, last=not trailers.fields)
        if trailers.fields or not head:
            self._stream.finish(section((), trailers))
        return FINISHED[True]

    def break_off(self) -> web.StreamResponse:
        self._flush()
        self._is_broken = True
        return FINISHED[True]

    async def take_over(self, status: int, headers: Headers) -> tuple[asyncio.Transport, bytes]:
        if status == 200:
            await self._stream.send_section(section(((":status", "200"),), headers))
        else:
            self._flush()
        peer = self._transport.get_extra_info("peername")
        self._tunnel = StreamTransport(self._stream, peer)
        return self._tunnel, b""

    def let_go(self) -> web.StreamResponse:
        if self._tunnel:
            self._tunnel.close()
        return FINISHED[True]

    async def aclose(self) -> None:
        """End the stream, once what waits in its tunnel is sent.

        A client that still sends its body, after the whole response, is told to stop (RFC 9113,
        8.1), but late: some lose the response by it.
        """
        if self._tunnel:
            await self._tunnel.ended
        self._stream.on_abort = None
        if self._is_broken:
            await asyncio.sleep(BREAK_OFF_SECONDS)
            self._stream.close(ErrorCodes.INTERNAL_ERROR)
        if self._stream.finished:
            await self._stream.drain(LINGERING_SECONDS)
        self._stream.close(ErrorCodes.NO_ERROR if self._stream.finished else ErrorCodes.CANCEL)


def head_of(
    raw: RawFields, context: ServerContext, client: str, *, secure: bool, ended: bool
) -> RequestHead:
    """The request in the form that HTTP/1 has it in.

    ``ended``: it has no body. Raises MalformedFieldsError.
    """
    pseudo, headers = parse_request(raw)
    length = headers.get("content-length")
    if ended and length.strip("0"):
        raise MalformedFieldsError("A request without a body has a Content-Length.")
    framing: tuple[Field, ...] = ()
    if not ended and not length and pseudo[":method"] != "CONNECT":
        framing = (("Transfer-Encoding", "chunked"),)
    method, target = pseudo[":method"], _target(pseudo, context, secure=secure)
    if protocol := pseudo.get(":protocol"):
        method, framing = "GET", _handshake(protocol)
    host = ("Host", pseudo[":authority"])
    client, fields = context.claim(client, Headers((host, *headers.fields, *framing)))
    inside, user, redirected, names = (
        context.inside,
        context.user,
        context.redirected,
        context.names,
    )
    return RequestHead(method, target, fields, client, VERSION, inside, user, redirected, names)


def _target(pseudo: dict[str, str], context: ServerContext, *, secure: bool) -> str:
    """The request target (RFC 9112, section 3.2): in absolute form where it is for the proxy."""
    scheme, authority = pseudo.get(":scheme"), pseudo[":authority"]
    if scheme is None:
        return authority
    path = pseudo[":path"]
    is_direct = scheme == "https" if secure else scheme == "http" and context.is_ours(authority)
    if context.inside or is_direct or path == "*":
        return path
    return f"{scheme}://{authority}{path}"


def _handshake(protocol: str) -> tuple[Field, ...]:
    """The fields by which HTTP/1 asks for the same protocol (RFC 8441, section 5)."""
    key = b64encode(token_bytes(16)).decode()
    return (("Connection", "Upgrade"), ("Upgrade", protocol), ("Sec-WebSocket-Key", key))


def is_secure(transport: asyncio.Transport) -> bool:
    """Whether the client reached us by TLS."""
    return transport.get_extra_info("sslcontext") is not None


def peer_of(transport: asyncio.Transport) -> str:
    """The client's address as aiohttp reports it for HTTP/1."""
    peer: Any = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, list | tuple) else str(peer or "")
