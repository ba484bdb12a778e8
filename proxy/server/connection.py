"""aiohttp's server with a parser, bounded reads, connection counts and errors of our own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from http import HTTPStatus
from typing import Any, cast

from aiohttp import web
from aiohttp.http_parser import HttpParser
from aiohttp.web_protocol import MAX_MSG_QUEUE_SIZE, RequestHandler

from winnow.proxy.access.claimed_clients import always
from winnow.proxy.access.memory_account import Holding, MemoryFullError
from winnow.proxy.http.request_target import Origin
from winnow.proxy.server.connection_limits import ConnectionLimits
from winnow.proxy.server.proxy_protocol import PREFIX_1, PREFIX_2
from winnow.proxy.server.requests.client_limits import (
    HEAD_SECONDS,
    KEEPALIVE_SECONDS,
    LEAST_READ,
    LINGERING_SECONDS,
)
from winnow.proxy.server.requests.client_stream import ServerContext
from winnow.proxy.server.requests.http1_stream import PIECE, Http1Stream
from winnow.proxy.server.requests.http2_requests import PREFACE, Answer, Http2Requests
from winnow.proxy.server.requests.refusal_responses import Refusal, refusal
from winnow.proxy.server.requests.request_parser import RefusedRequestError, RequestParser
from winnow.proxy.server.sockets import peer_address, read_buffer, reset_at_close, unread

_LOG = logging.getLogger("winnow.connection")
Ended = Callable[[BaseException | None], None]
"""Called when a connection is lost, with the error or None (``asyncio.Protocol``)."""


class ClientConnection(RequestHandler, asyncio.BufferedProtocol):
    """aiohttp's connection, reading at most PIECE bytes at a time instead of 256 KiB.

    Where the client begins with the preface of HTTP/2, or ALPN chose it, that is served instead.
    """

    __slots__ = (
        *("_early", "_first", "_held", "_http2", "_read_buffer", "_reading", "_timed_head"),
        "context",
    )

    def __init__(
        self,
        *args: Any,
        loop: asyncio.AbstractEventLoop,
        context: ServerContext,
        **settings: Any,
    ) -> None:
        super().__init__(*args, loop=loop, **settings)
        self.context = context
        self._read_buffer = read_buffer(loop)[:PIECE]
        self._timed_head: asyncio.Future[None] | None = None
        self._http2: Http2Requests | None = None
        self._first: bytes | None = b""
        self._early = b""
        self._held: Holding | None = None
        self._reading: asyncio.TimerHandle | None = None
        parser = RequestParser(self, loop, PIECE, MAX_MSG_QUEUE_SIZE)
        self._parser = cast(HttpParser[Any], parser)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._read_buffer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        server = cast(ConnectionServer, self._manager)
        tls = transport.get_extra_info("ssl_object")
        if not server.http2:
            self._first = None
        elif tls is not None and tls.selected_alpn_protocol() == "h2":
            self._start_http2()
        early, self._early = self._early, b""
        if early:
            self._on_bytes(early)

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(self._read_buffer[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """uvloop calls this one: to it whatever derives from Protocol is not buffered."""
        if self.transport is None:  # they came with the end of the handshake
            self._early += data
        else:
            self._on_bytes(data)

    def _on_bytes(self, data: bytes) -> None:
        if self._first is not None:
            data = self._after_first(data)
        if self._http2 is not None:
            self._http2.connection.data_received(data)
        elif data:
            self._on_http1(data)

    def _after_first(self, data: bytes) -> bytes:
        """All bytes so far once they tell the version; until then they are held, and b"" is."""
        assert self._first is not None
        first = self._first + data
        if len(first) < len(PREFACE) and PREFACE.startswith(first):
            if not self._first:
                seconds = cast(ConnectionServer, self._manager).head_seconds
                self._loop.call_later(seconds, self._end_late_preface)
            self._first = first
            return b""
        self._first = None
        if first.startswith(PREFACE):
            self._start_http2()
        elif first.startswith((PREFIX_1, PREFIX_2)):
            self._note_unasked_header()
        return first

    def _note_unasked_header(self) -> None:
        """Of a balancer that was forgotten in the settings: its request is refused as malformed."""
        limits = cast(ConnectionServer, self._manager).connection_limits
        if limits is not None:
            limits.on_refusal("unasked_proxy_header")

    def _end_late_preface(self) -> None:
        if self._first is not None and self.transport is not None:
            self.transport.close()

    def _start_http2(self) -> None:
        """aiohttp's task waits without a timeout until the connection ends."""
        self._first = None
        if self._keepalive_handle is not None:
            self._keepalive_handle.cancel()
        server = cast(ConnectionServer, self._manager)
        self._http2 = Http2Requests(
            cast(asyncio.Transport, self.transport), server.answer, self.context
        )

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._http2 is not None:
            self._http2.connection.pause_writing()
        else:
            self._watch_reading(0)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        if self._http2 is not None:
            self._http2.connection.resume_writing()

    def _watch_reading(self, before: int) -> None:
        """End a connection whose client takes less than LEAST_READ bytes of ``before`` in time.

        A reply waits meanwhile, so that nothing is added.
        """
        if self.transport is None:
            return
        left = unread(self.transport)
        if before and before - left < LEAST_READ:
            reset_at_close(self.transport.get_extra_info("socket"))
            self.transport.abort()
        else:
            seconds = self.context.rate_seconds
            self._reading = self._loop.call_later(seconds, self._watch_reading, left)

    def connection_lost(self, exc: BaseException | None) -> None:
        if self._http2 is not None:
            self._http2.connection.connection_lost(None)
        super().connection_lost(exc)
        if self._reading is not None:
            self._reading.cancel()
        if self._held is not None:
            self._held.release()

    def close(self) -> None:
        """Serve no further requests; those under way are finished."""
        if self._http2 is None:
            super().close()
        else:
            self._http2.connection.leave()

    def leave_http2(self) -> None:
        """As ``close``, where it is HTTP/2: there no response can say that the connection ends."""
        if self._http2 is not None:
            self._http2.connection.leave()

    async def shutdown(self, timeout: float | None = 15.0) -> None:  # noqa: ASYNC109  # aiohttp's
        """End all requests."""
        if self._http2 is None:
            return await super().shutdown(timeout)
        await self._http2.shutdown()
        self.force_close()
        return None

    def _on_http1(self, data: bytes) -> None:
        super().data_received(data)
        parser = cast(RequestParser, self._parser)
        if parser.body_is_broken:
            super().close()  # once this request is answered
        if parser.held or self._held is not None:
            self._book(parser.held)
        head = self._waiter
        if head is not None and head is not self._timed_head and not head.done():
            self._timed_head = head  # incomplete after its first bytes, which is rare
            seconds = cast(ConnectionServer, self._manager).head_seconds
            self._loop.call_later(seconds, self._end_late_head, head)

    def _book(self, size: int) -> None:
        """Book what waits to become a head; where that is too much the client is refused."""
        if self._held is None:
            self._held = self.context.holding(cast(asyncio.Transport, self.transport))
        try:
            self._held.set(size)
        except MemoryFullError:
            if self.transport is not None:
                self.transport.write(refusal(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE))
            self.force_close()

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
        self,
        answer: Answer,
        head_seconds: float = HEAD_SECONDS,
        ended: Ended | None = None,
        context: ServerContext | None = None,
        *,
        http2: bool = True,
    ) -> None:
        def handle(request: web.BaseRequest) -> Awaitable[web.StreamResponse]:
            context = cast(ClientConnection, request.protocol).context
            return self.answer(Http1Stream(request, context))

        self.answer, self.context, self.http2 = answer, context or ServerContext(), http2
        super().__init__(
            handle,
            handler_cancellation=True,
            auto_decompress=False,
            keepalive_timeout=KEEPALIVE_SECONDS,
            read_bufsize=PIECE,
            lingering_time=LINGERING_SECONDS,
            access_log=None,
            logger=_LOG,
        )
        self.head_seconds, self.ended = head_seconds, ended
        self.connection_limits: ConnectionLimits | None = None

    def __call__(
        self, client: str | None = None, redirected: Origin | None = None
    ) -> ClientConnection:
        """``client``: whose connection it is by a PROXY header; None: the peer's.

        ``redirected``: as in RequestHead.
        """
        context = self.context if client is None else replace(self.context, claim=always(client))
        if redirected is not None:
            context = replace(context, redirected=redirected)
        return ClientConnection(self, loop=self._loop, context=context, **self._kwargs)

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
