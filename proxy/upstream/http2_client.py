"""Sends one request on a stream of an HTTP/2 connection and reads its response."""

from __future__ import annotations

import asyncio
import time
from base64 import b64encode
from contextlib import suppress
from dataclasses import replace
from hashlib import sha1
from typing import Final

from hpack import HeaderTuple

from winnow.proxy.http.headers import Headers, number
from winnow.proxy.http.messages import OriginRequest, ResponseHead
from winnow.proxy.http.proxy_errors import (
    ClientFaultError,
    MalformedResponseError,
    OriginFaultError,
    OriginTimeoutError,
    StaleConnectionError,
)
from winnow.proxy.http.sentences import says
from winnow.proxy.http.trailers import forwarded_trailers
from winnow.proxy.http2.fields import MalformedFieldsError, parse_response, section
from winnow.proxy.http2.stream import Http2Stream, StreamResetError
from winnow.proxy.server.stream_transport import StreamTransport
from winnow.proxy.upstream.connections.connection_pool import connection_of
from winnow.proxy.upstream.expectation import Expectation
from winnow.proxy.upstream.http2_pool import Http2Session
from winnow.proxy.upstream.response_dates import dated
from winnow.proxy.upstream.response_limits import MOST_INTERIM, OriginTimeouts

VERSION = (2, 0)
_WEBSOCKET: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""By which a server answers a key (RFC 6455, section 1.3)."""


class UnprocessedError(StaleConnectionError):
    """The origin certainly did not process the request: any method may be sent again (8.7)."""


class Http1RequiredError(UnprocessedError):
    """The origin wants the request by HTTP/1.1, as IIS does for a log-in by Windows accounts."""


class Http2Response:
    """A response whose head was read; read its body once, then call ``aclose``.

    ``length``: bytes of the body, None where the head does not say.
    """

    def __init__(
        self, head: ResponseHead, stream: Http2Stream, length: int | None, timeouts: OriginTimeouts
    ) -> None:
        self.head, self.length = head, length
        self._stream, self._timeouts = stream, timeouts
        self.upload: asyncio.Task[ClientFaultError | None] | None = None

    @property
    def trailers(self) -> Headers:
        """The trailer fields, once the body was read to its end."""
        return self._stream.trailers or Headers()

    async def read(self) -> bytes:
        """The next piece of the body, empty at its end. Raises OriginFaultError if cut short."""
        try:
            return await self._stream.receive(self._timeouts.body)
        except TimeoutError as error:
            raise OriginTimeoutError(says("The origin stopped sending.")) from error
        except ConnectionError as error:
            raise OriginFaultError(
                says("The origin closed the connection early: {error}", error=str(error)),
                "connection_terminated",
            ) from error

    async def aclose(self) -> None:
        """End the stream, unless both sides have."""
        if self.upload and not self.upload.done():
            self.upload.cancel()
            with suppress(asyncio.CancelledError):
                await self.upload
        self._stream.close()


class Http2Upgrade(Http2Response):
    """A stream on which another protocol is spoken, as 101 of HTTP/1; ``connection`` has its bytes.

    Read nothing; close the connection.
    """

    def __init__(
        self, head: ResponseHead, stream: Http2Stream, timeouts: OriginTimeouts, peer: str
    ) -> None:
        super().__init__(head, stream, 0, timeouts)
        self.connection = connection_of(StreamTransport(stream, (peer, 0)), b"")

    async def aclose(self) -> None:
        self.connection.close()


async def open_websocket(
    session: Http2Session, request: OriginRequest, timeouts: OriginTimeouts
) -> Http2Response:
    """Ask for a WebSocket by extended CONNECT (RFC 8441). Raises OriginFaultError."""
    stream = _opened(session, request, websocket_section(request))
    try:
        response = await _final_response(request, stream, timeouts, Expectation(expects=False))
    except BaseException:
        stream.close()
        raise
    if response.head.status != 200:
        return response
    key = request.headers.get("sec-websocket-key")
    accept = b64encode(
        sha1(key.encode("latin-1") + _WEBSOCKET, usedforsecurity=False).digest()
    ).decode()
    fields = (("Upgrade", "websocket"), ("Sec-WebSocket-Accept", accept))
    head = replace(response.head, status=101, headers=response.head.headers.plus(*fields))
    return Http2Upgrade(head, stream, timeouts, session.peer)


async def offers_websockets(session: Http2Session, seconds: float) -> bool:
    """Whether the origin takes extended CONNECT, which its SETTINGS say."""
    await asyncio.wait([session.connection.settled], timeout=seconds or None)
    return session.connection.has_extended_connect and session.connection.has_room


async def send_on(
    session: Http2Session, request: OriginRequest, timeouts: OriginTimeouts
) -> Http2Response:
    """Send a request and wait for the final head. Raises OriginFaultError."""
    stream = _opened(session, request, request_section(request))
    upload: asyncio.Task[ClientFaultError | None] | None = None
    expectation = Expectation(expects=request.expects)
    if request.body:
        upload = asyncio.create_task(_upload(request, stream, expectation))
    try:
        response = await _final_response(request, stream, timeouts, expectation)
    except BaseException:
        if upload and upload.done() and (fault := upload.result()):
            raise fault from None  # the client caused the origin's error
        if upload:
            upload.cancel()
        stream.close()
        raise
    response.upload = upload
    if upload and request.expects and request.body and not request.body.started:
        upload.cancel()  # the origin wants no body
    return response


def _opened(
    session: Http2Session, request: OriginRequest, section: list[HeaderTuple]
) -> Http2Stream:
    is_whole = request.body is None and not request.upgrade
    try:
        stream = session.connection.request(section, last=is_whole)
    except ConnectionError as error:
        raise UnprocessedError(says("The origin closed the connection.")) from error
    session.on_request()
    return stream


def request_section(request: OriginRequest) -> list[HeaderTuple]:
    """The fields in HTTP/2's form, ``:authority`` for Host (RFC 9113, section 8.3.1)."""
    target = request.target
    pseudo = (
        (":method", request.method),
        (":scheme", target.origin.scheme),
        (":authority", request.headers.get("host") or target.origin.authority),
        (":path", target.path),
    )
    return section(pseudo, request.headers)


def websocket_section(request: OriginRequest) -> list[HeaderTuple]:
    """The fields of an extended CONNECT (RFC 8441, section 5), of a handshake of HTTP/1."""
    target = request.target
    pseudo = (
        (":method", "CONNECT"),
        (":protocol", "websocket"),
        (":scheme", target.origin.scheme),
        (":authority", request.headers.get("host") or target.origin.authority),
        (":path", target.path),
    )
    return section(pseudo, request.headers.without(("sec-websocket-key",)))


async def _final_response(
    request: OriginRequest,
    stream: Http2Stream,
    timeouts: OriginTimeouts,
    expectation: Expectation,
) -> Http2Response:
    for _ in range(MOST_INTERIM + 1):
        status, headers = await _head(stream, timeouts.head)
        if status >= 200:
            head = dated(ResponseHead(status, "", headers, VERSION), time.time())
            return Http2Response(head, stream, _length(request, status, headers), timeouts)
        if status == 100:
            expectation.meet()
        elif request.interim:
            await request.interim(status, headers)
    raise MalformedResponseError(says("The origin sends interim replies without end."))


async def _head(stream: Http2Stream, seconds: float) -> tuple[int, Headers]:
    """The next head; an origin may be silent while the request is being sent."""
    while True:
        sent = stream.sent
        try:
            return parse_response(await stream.receive_section(seconds))
        except MalformedFieldsError as error:
            raise MalformedResponseError(
                says("The origin’s response is malformed: {error}", error=str(error))
            ) from error
        except TimeoutError as error:
            if stream.sent == sent:
                raise OriginTimeoutError(says("The origin stopped sending.")) from error
        except StreamResetError as error:
            kind = UnprocessedError if error.unprocessed else StaleConnectionError
            kind = Http1RequiredError if error.needs_http1 else kind
            raise kind(says("The origin closed the stream without a response.")) from error


def _length(request: OriginRequest, status: int, headers: Headers) -> int | None:
    if request.method == "HEAD" or status in (204, 304):
        return 0
    return number(headers.get("content-length"), 10**18)


async def _upload(
    request: OriginRequest, stream: Http2Stream, expectation: Expectation
) -> ClientFaultError | None:
    """Send a request's body; an origin that stops reading may still send its response.

    Returns the client's error, if any: the stream is reset then, so that the origin does not take
    half a body for a whole one.
    """
    assert request.body
    await expectation.wait()
    try:
        async for chunk in request.body.chunks():
            await stream.send(chunk)
        stream.finish(section((), forwarded_trailers(request.body.trailers)))
    except ConnectionError:
        return None
    except ClientFaultError as fault:
        stream.close()
        return fault
    return None
