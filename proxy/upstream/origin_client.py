"""Sends requests to origins and returns their responses; reuses connections.

Redirects, content codings and cookies are forwarded as they are.
"""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress

from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, Permit, RequestBody, ResponseHead, anywhere
from winnow.proxy.http.proxy_errors import (
    ClientFaultError,
    MalformedResponseError,
    OriginFaultError,
    OriginTimeoutError,
    StaleConnectionError,
)
from winnow.proxy.http.request_target import Origin
from winnow.proxy.upstream.connection_pool import IdleConnections, OriginConnection
from winnow.proxy.upstream.connector import Connector
from winnow.proxy.upstream.http2_client import Http2Response, UnprocessedError, send_on
from winnow.proxy.upstream.http2_pool import Http2Pool, Http2Session
from winnow.proxy.upstream.response_limits import MOST_INTERIM, OriginTimeouts
from winnow.proxy.upstream.response_parser import (
    BodyReader,
    Framing,
    framing,
    head_end,
    parse_head,
    reusable,
)

MAX_IDLE_FOR_BODY = 2.0
"""Seconds that a connection may have been idle for a request with a body, which cannot be repeated:
some origins close theirs after five."""


class Http1Response:
    """A response whose head was read; read its body once, then call ``aclose``.

    ``length``: bytes of the body, None where the head does not say.
    """

    def __init__(
        self,
        head: ResponseHead,
        connection: OriginConnection,
        framed: tuple[Framing, int],
        client: OriginClient,
    ) -> None:
        how, length = framed
        self.head = head
        self.length = None if how in (Framing.CHUNKED, Framing.CLOSE) else length
        self.connection = connection
        self.origin: Origin | None = None
        self.reusable = False
        self.upload: asyncio.Task[ClientFaultError | None] | None = None
        self._reader = BodyReader(how, length)
        self._client = client

    @property
    def trailers(self) -> Headers:
        """The trailer fields, once the body was read to its end."""
        return self._reader.trailers

    async def read(self) -> bytes:
        """The next piece of the body, empty at its end. Raises OriginFaultError if cut short."""
        while not self._reader.done:
            data = await self._client.receive(self.connection, self._client.timeouts.body)
            if not data:
                self._reader.end()
            elif piece := self._reader.feed(data):
                return piece
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
            self._client.idle.put(self.origin, self.connection)
        else:
            self.connection.close()


class OriginClient:
    """One per process; any number of tasks may call ``send`` at the same time."""

    def __init__(
        self,
        connector: Connector,
        idle: IdleConnections,
        timeouts: OriginTimeouts | None = None,
        http2: Http2Pool | None = None,
    ) -> None:
        self.connector = connector
        self.idle = idle
        self.http2 = http2 or Http2Pool()
        self.timeouts = timeouts or OriginTimeouts()

    async def send(self, request: OriginRequest) -> Http1Response | Http2Response:
        """Send a request and wait for the final head. Raises OriginFaultError."""
        origin = request.target.origin
        if not request.upgrade:
            await self.http2.wait_for(origin)
            if session := self.http2.find(origin, request.permit):
                try:
                    return await send_on(session, request, self.timeouts)
                except StaleConnectionError as error:
                    if not _may_repeat(request, error):
                        raise
        return await self._send_by_http1(request)

    async def _send_by_http1(self, request: OriginRequest) -> Http1Response | Http2Response:
        """Send on an idle connection of HTTP/1, else on a new one, whatever is spoken there."""
        origin = request.target.origin
        reused = self.idle.take(origin, MAX_IDLE_FOR_BODY if request.body else math.inf)
        if reused and not request.permit(
            origin.host if reused.parent else reused.peer, origin.port
        ):
            reused.close()  # opened for a client that may reach this address; this one may not
            reused = None
        if reused:
            try:
                return await self._exchange(request, reused)
            except StaleConnectionError:
                if not request.repeatable:
                    raise
        if request.upgrade:
            opened = await self.connector.open(origin, request.permit, http2=False)
            return await self._exchange(request, opened)
        fresh = await self._open(origin, request.permit)
        if isinstance(fresh, Http2Session):
            return await send_on(fresh, request, self.timeouts)
        return await self._exchange(request, fresh)

    async def _open(self, origin: Origin, permit: Permit) -> OriginConnection | Http2Session:
        with self.http2.opening(origin):
            opened = await self.connector.open(origin, permit)
            if not opened.speaks_http2:
                return opened
            if session := self.http2.find(origin, permit):  # another one was opened meanwhile
                opened.close()
                return session
            return self.http2.add(opened, origin)

    async def warm(self, origin: Origin, permit: Permit = anywhere) -> None:
        """Have a connection for the next request. Raises OriginFaultError."""
        if self.http2.find(origin, permit):
            return
        opened = self.idle.take(origin) or await self._open(origin, permit)
        if isinstance(opened, OriginConnection):
            self.idle.put(origin, opened)

    async def receive(self, connection: OriginConnection, seconds: float) -> bytes:
        """The next bytes of a connection. Raises OriginFaultError if late or broken off."""
        try:
            return await connection.receive(seconds)
        except TimeoutError as error:
            raise OriginTimeoutError("The origin stopped sending.") from error
        except ConnectionError as error:
            raise OriginFaultError(f"The origin closed the connection early: {error}") from error

    async def aclose(self) -> None:
        await self.idle.aclose()
        await self.http2.aclose()

    async def _exchange(
        self, request: OriginRequest, connection: OriginConnection
    ) -> Http1Response:
        upload: asyncio.Task[ClientFaultError | None] | None = None
        try:
            await _send_head(request, connection)
            if request.body:
                upload = asyncio.create_task(_upload(request, request.body, connection))
            response = await self._final_response(request, connection)
        except BaseException:
            connection.abort()
            if upload and upload.done() and (fault := upload.result()):
                raise fault from None  # the client caused the origin's error
            if upload:
                upload.cancel()
            raise
        response.upload = upload
        return response

    async def _final_response(
        self, request: OriginRequest, connection: OriginConnection
    ) -> Http1Response:
        """The first response that is final, or 101; interim ones go to ``request.interim``."""
        for _ in range(MOST_INTERIM + 1):
            head = await self._head(connection)
            if head.status >= 200 or (head.status == 101 and request.upgrade):
                break
            if request.interim and head.status > 101:
                await request.interim(head.status, head.headers)
        else:
            raise MalformedResponseError("The origin sends interim replies without end.")
        framed = framing(request.method, head)
        response = Http1Response(head, connection, framed, self)
        response.origin = request.target.origin
        response.reusable = reusable(head, framed[0]) and head.status != 101
        return response

    async def _head(self, connection: OriginConnection) -> ResponseHead:
        """Read one head; bytes beyond it are put back."""
        buffer, begun = bytearray(), 0.0
        while (end := head_end(buffer)) < 0:
            buffer += await self._part_of_head(connection, begun)
            begun = begun or asyncio.get_running_loop().time()
        connection.unread(bytes(buffer[end:]))
        return parse_head(bytes(buffer[:end]))

    async def _part_of_head(self, connection: OriginConnection, begun: float) -> bytes:
        """At least one more byte of a head that ``begun`` at that time; 0: not yet.

        An origin may be silent while the request is being sent. Raises OriginFaultError.
        """
        elapsed = asyncio.get_running_loop().time() - begun if begun else 0.0
        limit = self.timeouts.head
        while True:
            sent = connection.sent
            try:
                data = await self.receive(connection, max(limit - elapsed, 0.001) if limit else 0.0)
            except OriginTimeoutError:
                if begun or connection.sent == sent:
                    raise
            except OriginFaultError as error:
                raise _cut_short(begun) from error
            else:
                if not data:
                    raise _cut_short(begun)
                return data


def _may_repeat(request: OriginRequest, error: StaleConnectionError) -> bool:
    """RFC 9113, section 8.7: any request that was not processed, else an idempotent one."""
    if isinstance(error, UnprocessedError):
        return request.body is None or not request.body.started
    return request.repeatable


def _cut_short(begun: float) -> OriginFaultError:
    """The connection ended within a head, or before its first byte."""
    if begun:
        return MalformedResponseError("The origin closed the connection within its header fields.")
    return StaleConnectionError("The origin closed the connection without a reply.")


async def _send_head(request: OriginRequest, connection: OriginConnection) -> None:
    parent = connection.parent
    try:
        await connection.send(request.proxy_head(parent.fields()) if parent else request.head)
    except ConnectionError as error:
        raise StaleConnectionError("The origin closed the connection.") from error


async def _upload(
    request: OriginRequest, body: RequestBody, connection: OriginConnection
) -> ClientFaultError | None:
    """Send a request's body; an origin that stops reading may still send its response.

    Returns the client's error, if any: the connection is closed then, so that the origin does not
    take half a body for a whole one.
    """
    try:
        async for chunk in body.chunks():
            framed = b"%x\r\n%b\r\n" % (len(chunk), chunk) if request.chunked else chunk
            await connection.send(framed)
        if request.chunked:
            await connection.send(b"0\r\n\r\n")
    except ConnectionError:
        return None
    except ClientFaultError as fault:
        connection.abort()
        return fault
    return None
