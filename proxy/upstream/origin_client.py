"""Sends requests to origins and returns their responses; reuses connections.

Redirects, content codings and cookies are forwarded as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from winnow.proxy.access.private_addresses import usable
from winnow.proxy.http.messages import (
    OriginRequest,
    Permit,
    anywhere,
)
from winnow.proxy.http.proxy_errors import (
    OriginFaultError,
    StaleConnectionError,
)
from winnow.proxy.http.request_target import Origin
from winnow.proxy.upstream.connections.connection_limit import ConnectionLimit
from winnow.proxy.upstream.connections.connection_pool import IdleConnections, OriginConnection
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.resolver import Resolver
from winnow.proxy.upstream.http1_client import Http1Response, send_on_http1
from winnow.proxy.upstream.http2_client import (
    Http1RequiredError,
    Http2Response,
    Http2Upgrade,
    UnprocessedError,
    offers_websockets,
    open_websocket,
    send_on,
)
from winnow.proxy.upstream.http2_pool import Http2Pool, Http2Session
from winnow.proxy.upstream.response_limits import OriginTimeouts

MAX_IDLE_FOR_BODY = 2.0
"""Seconds that a connection may have been idle for a request with a body, which cannot be repeated:
some origins close theirs after five."""


UpgradableResponse = Http1Response | Http2Upgrade
"""Those that 101 may be the status of; ``connection`` then has the other protocol's bytes."""


class OriginClient:
    """One per process; any number of tasks may call ``send`` at the same time."""

    def __init__(
        self,
        connector: Connector,
        idle: IdleConnections,
        timeouts: OriginTimeouts | None = None,
        http2: Http2Pool | None = None,
        limit: ConnectionLimit | None = None,
    ) -> None:
        self.connector = connector
        self.idle = idle
        self.http2 = http2 or Http2Pool()
        self.timeouts = timeouts or OriginTimeouts()
        self._limit = limit or ConnectionLimit()
        idle.on_idle = self._limit.freed

    async def send(self, request: OriginRequest) -> Http1Response | Http2Response:
        """Send a request and wait for the final head. Raises OriginFaultError."""
        origin = request.target.origin
        if not request.upgrade:
            await self.http2.wait_for(origin)
        session = self.http2.find(origin, request.permit)
        if session and await self._takes(session, request):
            try:
                return await self._send_by_http2(request, session)
            except StaleConnectionError as error:
                if not _may_repeat(request, error):
                    raise
        return await self._send_by_http1(request)

    async def _send_by_http1(self, request: OriginRequest) -> Http1Response | Http2Response:
        """Send on an idle connection of HTTP/1, else on a new one, whatever is spoken there."""
        reused = await self._turn(request, lambda: self._take(request))
        if reused:
            try:
                return await self._send_on(reused, request)
            except StaleConnectionError:
                if not request.repeatable:
                    raise
            await self._turn(request, lambda: None)
        fresh = await self._fresh(request)
        if not isinstance(fresh, Http2Session):
            return await self._send_on(fresh, request)
        try:
            return await self._send_by_http2(request, fresh)
        except Http1RequiredError as error:
            if not _may_repeat(request, error):
                raise
            return await self._send_by_http1(request)

    async def _turn(
        self, request: OriginRequest, take: Callable[[], OriginConnection | None]
    ) -> OriginConnection | None:
        """A connection by ``take``, or None: one may be opened now."""
        return take() if request.upgrade else await self._limit.turn(request.target.origin, take)

    def _take(self, request: OriginRequest) -> OriginConnection | None:
        """An idle connection to an address that this client may reach."""
        origin = request.target.origin
        idle = self.idle.take(origin, MAX_IDLE_FOR_BODY if request.body else math.inf)
        if idle is None:
            return None
        peer = origin.host if idle.parent else idle.peer
        if usable(origin.host, (peer,), origin.port, request.permit):
            return idle
        idle.close()
        return None

    async def _send_on(self, connection: OriginConnection, request: OriginRequest) -> Http1Response:
        return await send_on_http1(connection, request, self.idle, self.timeouts)

    async def _send_by_http2(self, request: OriginRequest, session: Http2Session) -> Http2Response:
        send = open_websocket if request.upgrade else send_on
        try:
            return await send(session, request, self.timeouts)
        except Http1RequiredError:
            self.http2.refuse(request.target.origin)
            raise

    async def _takes(self, session: Http2Session, request: OriginRequest) -> bool:
        """Whether a request can be sent on this session; of upgrades a WebSocket's alone."""
        if not request.upgrade:
            return True
        return request.is_websocket and await offers_websockets(session, self.timeouts.head)

    async def _fresh(self, request: OriginRequest) -> OriginConnection | Http2Session:
        """A new connection; one of HTTP/1 where the request upgrades and HTTP/2 is of no use."""
        origin, permit = request.target.origin, request.permit
        known = self.http2.find(origin, permit) is not None  # and does not take it
        if not request.upgrade or (request.is_websocket and not known):
            opened = await self._open(origin, permit)
            if isinstance(opened, OriginConnection) or await self._takes(opened, request):
                return opened
        return await self.connector.open(origin, permit, http2=False)

    async def _open(self, origin: Origin, permit: Permit) -> OriginConnection | Http2Session:
        with self.http2.opening(origin):
            self._limit.opened(origin)
            try:
                http2 = not self.http2.is_refused(origin)
                opened = await self.connector.open(origin, permit, http2=http2)
            except BaseException:
                self._limit.closed(origin)
                raise
            if not opened.speaks_http2:
                self._limit.closed_with(opened.closed, origin)
                return opened
            if session := self.http2.find(origin, permit):  # another one was opened meanwhile
                self._limit.closed(origin)
                opened.close()
                return session
            return self._add(opened, origin)

    def _add(self, opened: OriginConnection, origin: Origin) -> Http2Session:
        session = self.http2.add(opened, origin)
        self._limit.closed_with(session.connection.gone, origin)
        return session

    async def warm(self, origin: Origin, permit: Permit = anywhere) -> None:
        """Have a connection for the next request. Raises OriginFaultError."""
        if self.http2.find(origin, permit):
            return
        opened = self.idle.take(origin) or await self._open(origin, permit)
        if isinstance(opened, OriginConnection):
            self.idle.put(origin, opened)

    async def warm_by(self, opened: OriginConnection, origin: Origin) -> None:
        """Have this TCP connection to an https origin for the next request; takes it over.

        Raises OriginFaultError.
        """
        try:
            await self.connector.secure(opened, origin)
        except OriginFaultError:
            opened.abort()
            raise
        self._limit.opened(origin)
        if opened.speaks_http2:
            self._add(opened, origin)
        else:
            self._limit.closed_with(opened.closed, origin)
            self.idle.put(origin, opened)

    @property
    def resolver(self) -> Resolver:
        return self.connector.resolver

    async def aclose(self) -> None:
        await self.idle.aclose()
        await self.connector.aclose()
        await self.http2.aclose()


def _may_repeat(request: OriginRequest, error: StaleConnectionError) -> bool:
    """RFC 9113, section 8.7: any request that was not processed, else an idempotent one."""
    if isinstance(error, UnprocessedError):
        return request.body is None or not request.body.started
    return request.repeatable
