"""Sends requests to origins and gives their replies; keeps connections for the next request.

Refuses to follow redirects, to decode bodies and to keep cookies: a proxy passes these on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from winnow.proxy.http.messages import OriginRequest, Permit, RequestBody, ResponseHead, anywhere
from winnow.proxy.http.origins import Origin
from winnow.proxy.http.proxy_errors import (
    ClientFaultError,
    MalformedResponseError,
    OriginFaultError,
    OriginTimeoutError,
    StaleConnectionError,
)
from winnow.proxy.upstream.connector import Connector
from winnow.proxy.upstream.idle_connections import IdleConnections
from winnow.proxy.upstream.parent_proxy import ParentProxy
from winnow.proxy.upstream.response_parser import (
    BodyReader,
    Framing,
    framing,
    head_end,
    parse_head,
    reusable,
)
from winnow.proxy.upstream.wire import OriginConnection

YOUNG = 2.0
"""Seconds: a request with a body cannot be sent once more, so it takes no connection that has been
idle for longer; some origins close theirs after five."""
MOST_INTERIM = 1000
"""Interim replies (RFC 9110, section 15.2) that are skipped before a final one."""


@dataclass(frozen=True, slots=True)
class OriginTimeouts:
    """Seconds to wait for the reply's head, then for all of it, and between two pieces of its body.

    0 is forever.
    """

    head: float = 120
    body: float = 600


_LENGTHS: Mapping[Framing, int | None] = {Framing.CHUNKED: None, Framing.CLOSE: None}
"""What a framing tells of a body's length that is not told by a number."""


class Http1Response:
    """A reply whose head has come; its body is read once, then ``aclose`` is called."""

    def __init__(
        self,
        head: ResponseHead,
        wire: OriginConnection,
        framed: tuple[Framing, int],
        client: OriginClient,
    ) -> None:
        how, length = framed
        self.head = head
        """The status line and the fields."""
        self.length = _LENGTHS.get(how, length)
        """Bytes of the body, if the head tells."""
        self.wire = wire
        self.origin: Origin | None = None
        self.keep = False
        self.upload: asyncio.Task[ClientFaultError | None] | None = None
        self._reader = BodyReader(how, length)
        self._client = client

    async def read(self) -> bytes:
        """The next piece of the body, empty at its end. Raises OriginFaultError if cut short."""
        while not self._reader.done:
            data = await self._client.receive(self.wire, self._client.limits.body)
            if not data:
                self._reader.end()
            elif piece := self._reader.feed(data):
                return piece
        return b""

    async def aclose(self) -> None:
        """Give the connection back, or close it if it cannot carry another request."""
        uploaded = self.upload is None or self.upload.done()
        if self.upload and not uploaded:
            self.upload.cancel()
            with suppress(asyncio.CancelledError):
                await self.upload
        if self.keep and uploaded and self._reader.done and not self._reader.rest and self.origin:
            self._client.idle.put(self.origin, self.wire)
        else:
            self.wire.close()


class OriginClient:
    """One per process. ``send`` may be called by any number of tasks at once."""

    def __init__(
        self, connector: Connector, idle: IdleConnections, limits: OriginTimeouts | None = None
    ) -> None:
        self.connector = connector
        self.idle = idle
        self.limits = limits or OriginTimeouts()

    async def send(self, order: OriginRequest) -> Http1Response:
        """Send a request and wait for the final head. Raises OriginFaultError."""
        kept = self.idle.take(order.target.origin, YOUNG if order.body else float("inf"))
        origin = order.target.origin
        if kept and not order.permit(origin.host if kept.parent else kept.peer, origin.port):
            kept.close()  # another client was allowed to reach this address, this one is not
            kept = None
        if kept:
            try:
                return await self._exchange(order, kept)
            except StaleConnectionError:
                if not order.repeatable:
                    raise
        fresh = await self.connector.open(order.target.origin, order.permit)
        return await self._exchange(order, fresh)

    async def warm(self, origin: Origin, permit: Permit = anywhere) -> None:
        """Have a connection ready for the next request. Raises OriginFaultError."""
        kept = self.idle.take(origin)
        self.idle.put(origin, kept or await self.connector.open(origin, permit))

    async def receive(self, wire: OriginConnection, seconds: float) -> bytes:
        """The next bytes of a connection. Raises OriginFaultError if late or broken off."""
        try:
            return await wire.receive(seconds)
        except TimeoutError as error:
            raise OriginTimeoutError("The origin fell silent.") from error
        except ConnectionError as error:
            raise OriginFaultError(f"The origin broke off: {error}") from error

    async def aclose(self) -> None:
        await self.idle.aclose()

    async def _exchange(self, order: OriginRequest, wire: OriginConnection) -> Http1Response:
        upload: asyncio.Task[ClientFaultError | None] | None = None
        try:
            await self._send_head(order, wire)
            if order.body:
                upload = asyncio.create_task(_upload(order, order.body, wire))
            reply = await self._final_reply(order, wire)
        except BaseException:
            wire.abort()
            if upload and upload.done() and (fault := upload.result()):
                raise fault from None  # it was the client that ended this
            if upload:
                upload.cancel()
            raise
        reply.upload = upload
        return reply

    async def _send_head(self, order: OriginRequest, wire: OriginConnection) -> None:
        try:
            await wire.send(_request_head(order, wire.parent))
        except ConnectionError as error:
            raise StaleConnectionError("The origin closed the connection.") from error

    async def _final_reply(self, order: OriginRequest, wire: OriginConnection) -> Http1Response:
        """Skip interim replies (100-199 but 101): documented as dropped."""
        head = await self._head(wire)
        interim = 0
        while head.status < 200 and not (head.status == 101 and order.upgrade):
            interim += 1
            if interim > MOST_INTERIM:
                raise MalformedResponseError("The origin sends interim replies without end.")
            head = await self._head(wire)
        framed = framing(order.method, head)
        reply = Http1Response(head, wire, framed, self)
        reply.origin = order.target.origin
        reply.keep = reusable(head, framed[0]) and head.status != 101
        return reply

    async def _head(self, wire: OriginConnection) -> ResponseHead:
        """Read one head; bytes beyond it are put back. Most come as one piece with their body."""
        data = await self._part_of_head(wire, b"", 0.0)
        end = head_end(data)
        if end < 0:
            data, end = await self._long_head(wire, bytearray(data))
        wire.unread(data[end:])
        return parse_head(data[:end])

    async def _long_head(self, wire: OriginConnection, buffer: bytearray) -> tuple[bytes, int]:
        """The bytes of a head that comes in several pieces, and where it ends."""
        begun = asyncio.get_running_loop().time()
        while (end := head_end(buffer)) < 0:
            buffer += await self._part_of_head(wire, buffer, begun)
        return bytes(buffer), end

    async def _part_of_head(
        self, wire: OriginConnection, had: bytes | bytearray, begun: float
    ) -> bytes:
        """The next bytes, at least one. Raises OriginFaultError that tells if some ``had`` come."""
        try:
            data = await self._piece_of_head(wire, begun)
        except OriginTimeoutError:
            raise
        except OriginFaultError as error:
            raise _cut(had) from error
        if not data:
            raise _cut(had)
        return data

    async def _piece_of_head(self, wire: OriginConnection, begun: float) -> bytes:
        """More of a head that ``begun`` then, 0 for not yet: it may last as long as it may tarry.

        An origin may be silent as long as we still send it something.
        """
        elapsed = asyncio.get_running_loop().time() - begun if begun else 0.0
        seconds = max(self.limits.head - elapsed, 0.001) if self.limits.head else 0.0
        while True:
            sent = wire.sent
            try:
                return await self.receive(wire, seconds)
            except OriginTimeoutError:
                if begun or wire.sent == sent:
                    raise


def _request_head(order: OriginRequest, parent: ParentProxy | None) -> bytes:
    return order.proxy_head(parent.fields()) if parent else order.head


def _cut(buffer: bytes | bytearray) -> OriginFaultError:
    """The connection ended within a head, or before its first byte."""
    if buffer:
        return MalformedResponseError("The origin closed the connection within its header fields.")
    return StaleConnectionError("The origin closed the connection without a reply.")


async def _upload(
    order: OriginRequest, body: RequestBody, wire: OriginConnection
) -> ClientFaultError | None:
    """Send a request's body; an origin that stops listening may still send its reply.

    The result is how the client failed, if it did: then the connection ends, since the origin must
    not take half a body for a whole one.
    """
    try:
        async for chunk in body.chunks():
            await wire.send(b"%x\r\n%b\r\n" % (len(chunk), chunk) if order.chunked else chunk)
        if order.chunked:
            await wire.send(b"0\r\n\r\n")
    except ConnectionError:
        return None
    except ClientFaultError as fault:
        wire.abort()
        return fault
    return None
