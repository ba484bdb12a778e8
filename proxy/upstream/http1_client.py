"""Sends one request on a connection of HTTP/1 and reads its response (RFC 9112)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress

from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, RequestBody, ResponseHead, field_lines
from winnow.proxy.http.proxy_errors import (
    ClientFaultError,
    MalformedResponseError,
    OriginFaultError,
    OriginTimeoutError,
    StaleConnectionError,
)
from winnow.proxy.http.request_target import Origin
from winnow.proxy.http.sentences import says
from winnow.proxy.http.trailers import forwarded_trailers
from winnow.proxy.upstream.connections.connection_pool import IdleConnections, OriginConnection
from winnow.proxy.upstream.expectation import Expectation
from winnow.proxy.upstream.response_dates import dated
from winnow.proxy.upstream.response_limits import MOST_INTERIM, OriginTimeouts
from winnow.proxy.upstream.response_parser import (
    BodyReader,
    Framing,
    framing,
    head_end,
    parse_head,
    reusable,
    transfer_codings,
)
from winnow.proxy.upstream.transfer_coding import TransferDecoder


class Http1Response:
    """A response whose head was read; read its body once, then call ``aclose``.

    ``length``: bytes of the body, None where the head does not say.
    """

    def __init__(
        self,
        head: ResponseHead,
        connection: OriginConnection,
        framed: tuple[Framing, int],
        idle: IdleConnections,
        timeouts: OriginTimeouts,
    ) -> None:
        how, length = framed
        self.head = head
        self.length = None if how in (Framing.CHUNKED, Framing.CLOSE) else length
        self.connection = connection
        self.origin: Origin | None = None
        self.reusable = False
        self.upload: asyncio.Task[ClientFaultError | None] | None = None
        self._reader = BodyReader(how, length)
        codings = () if how is Framing.NONE else transfer_codings(head.headers)
        self._transfer = TransferDecoder(codings) if codings else None
        self._pieces: Iterator[bytes] = iter(())
        self._idle, self._timeouts = idle, timeouts

    @property
    def trailers(self) -> Headers:
        """The trailer fields, once the body was read to its end."""
        return self._reader.trailers

    async def read(self) -> bytes:
        """The next piece of the body, empty at its end. Raises OriginFaultError if cut short."""
        if self._transfer:
            return await self._decoded(self._transfer)
        while not self._reader.done:
            if piece := await self._piece():
                return piece
        return b""

    async def _decoded(self, transfer: TransferDecoder) -> bytes:
        while True:
            if piece := next(self._pieces, b""):
                return piece
            if self._reader.done:
                transfer.end()
                return b""
            self._pieces = transfer.pieces(await self._piece())

    async def _piece(self) -> bytes:
        data = await receive(self.connection, self._timeouts.body)
        if data:
            return self._reader.feed(data)
        self._reader.end()
        return b""

    async def aclose(self) -> None:
        """Return the connection to the idle ones, or close it if it cannot be reused."""
        uploaded = self.upload is None or self.upload.done()
        if self.upload and not uploaded:
            self.upload.cancel()
            with suppress(asyncio.CancelledError):
                await self.upload
        complete = uploaded and self._reader.done and not self._reader.rest
        if self.reusable and complete and self.origin:
            self._idle.put(self.origin, self.connection)
        else:
            self.connection.close()


async def receive(connection: OriginConnection, seconds: float) -> bytes:
    """The next bytes of a connection. Raises OriginFaultError if late or broken off."""
    try:
        return await connection.receive(seconds)
    except TimeoutError as error:
        raise OriginTimeoutError(says("The origin stopped sending.")) from error
    except ConnectionError as error:
        raise OriginFaultError(
            says("The origin closed the connection early: {error}", error=str(error)),
            "connection_terminated",
        ) from error


async def send_on_http1(
    connection: OriginConnection,
    request: OriginRequest,
    idle: IdleConnections,
    timeouts: OriginTimeouts,
) -> Http1Response:
    """Send a request and wait for the final head; ``idle`` gets the connection once it is free.

    Raises OriginFaultError.
    """
    upload: asyncio.Task[ClientFaultError | None] | None = None
    expectation = Expectation(expects=request.expects)
    try:
        await _send_head(request, connection)
        if request.body:
            upload = asyncio.create_task(_upload(request, request.body, connection, expectation))
        head = await _final_head(request, connection, timeouts.head, expectation)
        head = dated(head, time.time()) if head.status >= 200 else head
        framed = framing(request.method, head)
    except BaseException:
        connection.abort()
        if upload and upload.done() and (fault := upload.result()):
            raise fault from None  # the client caused the origin's error
        if upload:
            upload.cancel()
        raise
    response = Http1Response(head, connection, framed, idle, timeouts)
    response.origin = request.target.origin
    response.reusable = reusable(head, framed[0]) and head.status != 101
    response.upload = upload
    if upload and request.expects and request.body and not request.body.started:
        upload.cancel()  # the origin wants no body, and waits for one on this connection
        response.reusable = False
    return response


async def _final_head(
    request: OriginRequest, connection: OriginConnection, limit: float, expectation: Expectation
) -> ResponseHead:
    """The first response that is final, or 101; interim ones go to ``request.interim``."""
    for _ in range(MOST_INTERIM + 1):
        head = await _head(connection, limit)
        if head.status >= 200 or (head.status == 101 and request.upgrade):
            return head
        if head.status == 100:
            expectation.meet()
        elif request.interim and head.status > 101:
            await request.interim(head.status, head.headers)
    raise MalformedResponseError(says("The origin sends interim replies without end."))


async def _head(connection: OriginConnection, limit: float) -> ResponseHead:
    """Read one head; bytes beyond it are put back."""
    buffer, begun = bytearray(), 0.0
    while (end := head_end(buffer)) < 0:
        buffer += await _part_of_head(connection, begun, limit)
        begun = begun or asyncio.get_running_loop().time()
    connection.unread(bytes(buffer[end:]))
    return parse_head(bytes(buffer[:end]))


async def _part_of_head(connection: OriginConnection, begun: float, limit: float) -> bytes:
    """At least one more byte of a head that ``begun`` at that time; 0: not yet.

    An origin may be silent while the request is being sent. Raises OriginFaultError.
    """
    elapsed = asyncio.get_running_loop().time() - begun if begun else 0.0
    while True:
        sent = connection.sent
        try:
            data = await receive(connection, max(limit - elapsed, 0.001) if limit else 0.0)
        except OriginTimeoutError:
            if begun or connection.sent == sent:
                raise
        except OriginFaultError as error:
            raise _cut_short(begun) from error
        else:
            if not data:
                raise _cut_short(begun)
            return data


def _cut_short(begun: float) -> OriginFaultError:
    """The connection ended within a head, or before its first byte."""
    if begun:
        return MalformedResponseError(
            says("The origin closed the connection within its header fields.")
        )
    return StaleConnectionError(says("The origin closed the connection without a reply."))


async def _send_head(request: OriginRequest, connection: OriginConnection) -> None:
    parent = connection.parent
    try:
        await connection.send(request.proxy_head(parent.fields()) if parent else request.head)
    except ConnectionError as error:
        raise StaleConnectionError(says("The origin closed the connection.")) from error


async def _upload(
    request: OriginRequest,
    body: RequestBody,
    connection: OriginConnection,
    expectation: Expectation,
) -> ClientFaultError | None:
    """Send a request's body; an origin that stops reading may still send its response.

    Returns the client's error, if any: the connection is closed then, so that the origin does not
    take half a body for a whole one.
    """
    await expectation.wait()
    try:
        async for chunk in body.chunks():
            framed = b"%x\r\n%b\r\n" % (len(chunk), chunk) if request.chunked else chunk
            await connection.send(framed)
        if request.chunked:
            await connection.send(b"0\r\n" + field_lines(forwarded_trailers(body.trailers)))
    except ConnectionError:
        return None
    except ClientFaultError as fault:
        connection.abort()
        return fault
    return None
