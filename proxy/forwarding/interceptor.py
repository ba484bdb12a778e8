"""TLS interception of CONNECT: TLS with the client in the host's name, else a tunnel."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import cast

from aiohttp import web
from cachetools import TTLCache

from winnow.jobs.small_gateway import OWN_NAME
from winnow.proxy.decisions.private_permits import plain_check, unasked
from winnow.proxy.forwarding.tunnel import FIRST_SECONDS, establish, passes, splice
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.http.request_target import Origin
from winnow.proxy.server.connection import Ended
from winnow.proxy.server.requests.client_limits import TunnelLimits
from winnow.proxy.server.requests.exchange import Exchange
from winnow.proxy.server.stream_transport import StreamTransport
from winnow.proxy.tls.client_hello import ClientHello, read_hello
from winnow.proxy.tls.interception_policy import InterceptionPolicy, SparedReason, spared_by_hello
from winnow.proxy.tls.lazy_authority import LazyAuthority
from winnow.proxy.tls.pinning import PinningDetector, TlsClient
from winnow.proxy.tls.tls_errors import AuthorityError, NoAuthorityError, NotTlsError, TlsError
from winnow.proxy.upstream.connections.connection_pool import OriginConnection
from winnow.proxy.upstream.origin_client import OriginClient

_LOG = logging.getLogger("winnow.intercept")
HANDSHAKE_SECONDS = 20.0
WRITE_AHEAD = 64 * 1024
"""Bytes that may wait for a slow client; Python would let half a megabyte wait behind TLS."""

ServerFor = Callable[[Origin, Ended], web.Server]
"""aiohttp's server for the requests inside an origin's TLS; the callable hears of their end."""


@dataclass(frozen=True)
class Interceptor:
    """Answers CONNECT for hosts whose TLS may be opened. One for the whole process."""

    keys: LazyAuthority
    policy: InterceptionPolicy
    lessons: PinningDetector
    client: OriginClient
    tunnels: TunnelLimits = field(default_factory=TunnelLimits)
    _vetted: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(4096, 600))

    async def __call__(
        self, exchange: Exchange, origin: Origin, server_for: ServerFor, permit: Permit
    ) -> web.StreamResponse:
        """Serve one CONNECT until its connection ends.

        Raises OriginFaultError where a program cannot be told otherwise that nobody listens there:
        a browser shows no answer to CONNECT, but the page of the first request inside TLS.
        """
        reached = await self._reached(exchange, origin, permit)
        near = await establish(exchange, WinnowAction.TUNNEL, "intercepted")
        try:
            head = exchange.head
            visit = _InterceptedConnection(
                near, origin, head.client, permit, reached, is_redirected=bool(head.redirected)
            )
            await self._serve(visit, server_for)
        except (ProxyError, TlsError, OSError) as error:
            level = logging.DEBUG if isinstance(error, NoAuthorityError) else logging.INFO
            _LOG.log(level, "CONNECT %s ended: %s", origin.address, error)
        finally:
            reached.close()
            near.close()
            response = exchange.let_go()
        return response

    async def _reached(self, exchange: Exchange, origin: Origin, permit: Permit) -> _Reached:
        """A TCP connection to the origin, unless TLS was spoken there of late.

        A client that was redirected gets no answer to CONNECT, and perhaps means a name.
        """
        is_browser = exchange.head.headers.get("user-agent").startswith("Mozilla/")
        if (
            exchange.head.redirected
            or is_browser
            or origin.host == OWN_NAME
            or self._vetted.get(origin.address)
        ):
            return _Reached(None)
        return _Reached(await self.client.connector.open_tcp(origin, permit))

    async def _serve(self, visit: _InterceptedConnection, server_for: ServerFor) -> None:
        hello, first = await read_first(visit.near)
        spared: SparedReason | None = SparedReason.NOT_TLS
        if hello is not None:
            visit = replace(visit, server_name=hello.server_name, hello=hello.fingerprint)
            spared = self._spared(visit, hello) or await self._spared_by_name(visit)
            spared = spared or await self._spared_by_origin(visit)
        if spared:
            _LOG.debug("%s is tunnelled: %s", visit.origin.address, spared)
            visit.near.unread(first)
            return await self._join(visit)
        return await self._open(visit, first, server_for)

    def _spared(self, visit: _InterceptedConnection, hello: ClientHello) -> SparedReason | None:
        """Why it is not intercepted, by the ClientHello, what was learned, the policy again."""
        if hello.server_name not in (None, visit.origin.host):
            return SparedReason.OTHER_NAME
        if self.lessons.passes(visit.program, visit.origin.host):
            return SparedReason.LEARNED
        return spared_by_hello(hello, self.policy) or self.policy.spares(visit.origin.host)

    async def _spared_by_name(self, visit: _InterceptedConnection) -> SparedReason | None:
        """Whether the hello names what is not at the literal address that a client asked for.

        A client that was redirected is held to that address by its permit (``Policy.permit_of``).
        """
        origin, meant = visit.origin, visit.requested
        if origin == meant or visit.is_redirected or origin.host == OWN_NAME:
            return None
        leads = await self.client.connector.leads_to(origin.host, meant)
        return None if leads else SparedReason.OTHER_NAME

    async def _spared_by_origin(self, visit: _InterceptedConnection) -> SparedReason | None:
        """Whether the origin asks for a certificate, which only the client itself can show.

        The connection made for the test serves the first request.
        """
        origin, connector = visit.origin, self.client.connector
        if origin.host == OWN_NAME:
            return None
        if origin.address not in self._vetted and not connector.requests_certificate(origin.host):
            self._vetted[origin.address] = await self._warmed(visit)
        return (
            SparedReason.CLIENT_CERTIFICATE if connector.requests_certificate(origin.host) else None
        )

    async def _warmed(self, visit: _InterceptedConnection) -> bool:
        """Whether the origin speaks TLS; if not, the first request will say so."""
        reached = visit.reached.take() if visit.origin == visit.requested else None
        try:
            if reached is not None:
                await self.client.warm_by(reached, visit.origin)
            else:
                await self.client.warm(visit.origin, visit.permit)
        except ProxyError:
            return False
        return True

    async def _join(self, visit: _InterceptedConnection) -> None:
        far = visit.reached.take()
        far = far or await self.client.connector.open_tcp(visit.requested, unasked(visit.permit))
        check = plain_check(visit.requested.host, visit.permit, far.peer)
        if check is None or await passes(visit.near, check):
            await splice(visit.near, far, self.tunnels)
        far.close()

    async def _refuse_unasked(self, host: str) -> None:
        """Our own name is always opened, but is no reason to make an authority.

        Raises NoAuthorityError where there is none and nobody switched HTTPS on.
        """
        if host == OWN_NAME and not self.policy.opened and await self.keys.existing() is None:
            raise NoAuthorityError("There is no certificate authority yet: HTTPS is off.")

    async def _open(
        self, visit: _InterceptedConnection, first: bytes, server_for: ServerFor
    ) -> None:
        host = visit.origin.host
        try:
            await self._refuse_unasked(host)
            context = await self.keys.context_for(host)
        except AuthorityError as error:
            if host == OWN_NAME:
                raise
            self.keys.notices.add(f"No TLS is opened, and hosts are tunnelled: {error}")
            visit.near.unread(first)
            return await self._join(visit)
        ended: asyncio.Future[BaseException | None] = asyncio.get_running_loop().create_future()

        def end(error: BaseException | None) -> None:
            if not ended.done():
                ended.set_result(error)

        server = server_for(visit.origin, end)
        protocol = server()
        try:
            transport = await shake_hands(visit.near, protocol, context, first)
        except (ssl.SSLError, ConnectionError) as error:
            return await self.lessons.failed(visit.program, host, error)
        await self.lessons.accepted(visit.program, host)
        protocol.connection_made(transport)
        try:
            last = await ended
            if isinstance(last, ssl.SSLError):  # an alert after the handshake
                await self.lessons.failed(visit.program, host, last)
        finally:
            await server.shutdown(0)


@dataclass(slots=True)
class _Reached:
    """A connection that one of those who need it may take."""

    _connection: OriginConnection | None

    def take(self) -> OriginConnection | None:
        taken, self._connection = self._connection, None
        return taken

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


@dataclass(frozen=True, slots=True)
class _InterceptedConnection:
    """One CONNECT: the client's connection, the origin meant, and the requested address."""

    near: OriginConnection
    requested: Origin
    client: str
    permit: Permit
    reached: _Reached
    server_name: str | None = None
    hello: str = ""
    is_redirected: bool = False

    @property
    def program(self) -> TlsClient:
        """The TLS client, as far as it can be distinguished from others at that address."""
        return TlsClient(self.client, self.hello)

    @property
    def origin(self) -> Origin:
        """The origin meant: a CONNECT to a bare address means the host that the hello names."""
        if self.server_name is None or not self.requested.is_literal:
            return self.requested
        return replace(self.requested, host=self.server_name)


async def read_first(wire: OriginConnection) -> tuple[ClientHello | None, bytes]:
    """The client's ClientHello and all bytes that came with it; None if it speaks no TLS."""
    data = b""
    with suppress(TimeoutError, NotTlsError):
        async with asyncio.timeout(FIRST_SECONDS):
            while piece := await wire.receive():
                data += piece
                hello = read_hello(data)
                if hello is not None:
                    return hello, data
    return None, data


async def shake_hands(
    near: OriginConnection, protocol: asyncio.Protocol, context: ssl.SSLContext, first: bytes
) -> asyncio.Transport:
    """TLS as server over a connection of whose bytes ``first`` were read already.

    Raises ssl.SSLError if the handshake fails, OSError if the connection breaks.
    """
    loop = asyncio.get_running_loop()
    transport = near.transport
    start_tls = loop.start_tls
    if isinstance(transport, StreamTransport):  # uvloop takes none but its own transports
        start_tls = partial(asyncio.BaseEventLoop.start_tls, cast(asyncio.BaseEventLoop, loop))
    work = asyncio.ensure_future(
        start_tls(
            transport,
            protocol,
            context,
            server_side=True,
            ssl_handshake_timeout=HANDSHAKE_SECONDS,
        )
    )
    await asyncio.sleep(0)  # start_tls now has its own protocol in place ...
    loop.call_soon(_feed, transport, first + near.drain())  # ... and will have connected it by then
    secured = await work
    if secured is None:
        raise ConnectionResetError("The client left during the handshake.")
    secured.set_write_buffer_limits(high=WRITE_AHEAD)
    return secured


def _feed(transport: asyncio.Transport, data: bytes) -> None:
    """Give bytes to start_tls's protocol as the transport would."""
    protocol = cast(asyncio.BufferedProtocol, transport.get_protocol())
    while data:
        buffer = memoryview(protocol.get_buffer(len(data)))
        size = min(len(buffer), len(data))
        buffer[:size] = data[:size]
        protocol.buffer_updated(size)
        data = data[size:]
