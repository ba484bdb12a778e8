"""Sends one request on a stream of an HTTP/2 connection and reads its response."""

from __future__ import annotations

import asyncio
from contextlib import suppress

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
from winnow.proxy.http2.fields import MalformedFieldsError, parse_response, section
from winnow.proxy.http2.stream import Http2Stream, StreamResetError
from winnow.proxy.upstream.http2_pool import Http2Session
from winnow.proxy.upstream.response_limits import MOST_INTERIM, OriginTimeouts

VERSION = (2, 0)


class UnprocessedError(StaleConnectionError):
    """The origin certainly did not process the request: any method may be sent again (8.7)."""


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
            raise OriginTimeoutError("The origin stopped sending.") from error
        except ConnectionError as error:
            raise OriginFaultError(f"The origin closed the connection early: {error}") from error

    async def aclose(self) -> None:
        """End the stream, unless both sides have."""
        if self.upload and not self.upload.done():
            self.upload.cancel()
            with suppress(asyncio.CancelledError):
                await self.upload
        self._stream.close()


async def send_on(
    session: Http2Session, request: OriginRequest, timeouts: OriginTimeouts
) -> Http2Response:
    """Send a request and wait for the final head. Raises OriginFaultError."""
    stream = _opened(session, request)
    upload: asyncio.Task[ClientFaultError | None] | None = None
    if request.body:
        upload = asyncio.create_task(_upload(request, stream))
    try:
        response = await _final_response(request, stream, timeouts)
    except BaseException:
        if upload and upload.done() and (fault := upload.result()):
            raise fault from None  # the client caused the origin's error
        if upload:
            upload.cancel()
        stream.close()
        raise
    response.upload = upload
    return response


def _opened(session: Http2Session, request: OriginRequest) -> Http2Stream:
    try:
        stream = session.connection.request(request_section(request), last=request.body is None)
    except ConnectionError as error:
        raise UnprocessedError("The origin closed the connection.") from error
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


async def _final_response(
    request: OriginRequest, stream: Http2Stream, timeouts: OriginTimeouts
) -> Http2Response:
    for _ in range(MOST_INTERIM + 1):
        status, headers = await _head(stream, timeouts.head)
        if status >= 200:
            head = ResponseHead(status, "", headers, VERSION)
            return Http2Response(head, stream, _length(request, status, headers), timeouts)
        if request.interim and status > 101:
            await request.interim(status, headers)
    raise MalformedResponseError("The origin sends interim replies without end.")


async def _head(stream: Http2Stream, seconds: float) -> tuple[int, Headers]:
    """The next head; an origin may be silent while the request is being sent."""
    while True:
        sent = stream.sent
        try:
            return parse_response(await stream.receive_section(seconds))
        except MalformedFieldsError as error:
            raise MalformedResponseError(f"The origin's response is malformed: {error}") from error
        except TimeoutError as error:
            if stream.sent == sent:
                raise OriginTimeoutError("The origin stopped sending.") from error
        except StreamResetError as error:
            kind = UnprocessedError if error.unprocessed else StaleConnectionError
            raise kind("The origin closed the stream without a response.") from error


def _length(request: OriginRequest, status: int, headers: Headers) -> int | None:
    if request.method == "HEAD" or status in (204, 304):
        return 0
    return number(headers.get("content-length"), 10**18)


async def _upload(request: OriginRequest, stream: Http2Stream) -> ClientFaultError | None:
    """Send a request's body; an origin that stops reading may still send its response.

    Returns the client's error, if any: the stream is reset then, so that the origin does not take
    half a body for a whole one.
    """
    assert request.body
    try:
        async for chunk in request.body.chunks():
            await stream.send(chunk)
        stream.finish()
    except ConnectionError:
        return None
    except ClientFaultError as fault:
        stream.close()
        return fault
    return None
