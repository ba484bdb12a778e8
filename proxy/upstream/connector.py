"""Opens connections: resolves the name, checks the addresses, then TCP and TLS.

The address checked is the one connected to, so that a name cannot change it in between (DNS
rebinding).
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Awaitable
from dataclasses import replace

from aiohappyeyeballs import start_connection
from cachetools import TTLCache

from winnow.proxy.access.private_addresses import private_address_error
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.http.proxy_errors import (
    OriginTimeoutError,
    OriginUnreachableError,
    PortRefusedError,
)
from winnow.proxy.http.request_target import Origin
from winnow.proxy.http.sentences import says
from winnow.proxy.server.redirected import Ends, ends_of
from winnow.proxy.server.sockets import peer_address
from winnow.proxy.upstream.connection_pool import OriginConnection
from winnow.proxy.upstream.origin_tls import (
    CertificateRequests,
    OriginTls,
    tls_fault,
)
from winnow.proxy.upstream.parent_proxy import ParentProxy, check_tunnel
from winnow.proxy.upstream.resolver import Resolver
from winnow.proxy.upstream.tls_sessions import TlsSessions

_LONGEST_HEAD = 65536
CLOSING_SECONDS = 1.0
"""A closed connection waits so long for the origin's own end of TLS, which some never send."""
OPENED, OPENED_SECONDS = 65536, 60.0
"""Connections whose ends are remembered: the first bytes on each tell whether it is redirected."""


class Connector:
    """Opens a connection to an origin within ``timeout`` seconds."""

    def __init__(
        self,
        resolver: Resolver | None = None,
        tls: ssl.SSLContext | OriginTls | None = None,
        timeout: float = 10,
        parent: ParentProxy | None = None,
        refused_ports: frozenset[int] = frozenset(),
    ) -> None:
        self._refused_ports = refused_ports
        self._resolver = resolver or Resolver()
        tls = tls or OriginTls.trusting(http2=False)
        self._tls = tls if isinstance(tls, OriginTls) else OriginTls(tls, tls)
        contexts = {self._tls.http1, self._tls.newest}
        self._certificate_requests = [CertificateRequests(context) for context in contexts]
        self._sessions = [TlsSessions(context) for context in contexts]
        self._timeout = timeout
        self._parent = parent
        self._opened: TTLCache[Ends, bool] = TTLCache(OPENED, OPENED_SECONDS)

    def is_ours(self, ends: Ends) -> bool:
        """Whether a connection with these ends was opened here lately: it was redirected to us."""
        return ends in self._opened

    def requests_certificate(self, host: str) -> bool:
        """Whether the host's server requested a client certificate lately."""
        return any(host in requests for requests in self._certificate_requests)

    def check_port(self, origin: Origin) -> None:
        """Raises PortRefusedError for a port that nobody may connect to."""
        if origin.port in self._refused_ports:
            raise PortRefusedError(
                says("Port {port} is not one that Winnow connects to.", port=origin.port)
            )

    async def open(
        self, origin: Origin, permit: Permit = anywhere, *, http2: bool = True
    ) -> OriginConnection:
        """TCP, and TLS for https. Raises OriginFaultError or AddressRefusedError.

        Where ``parent`` of the connection is set, it leads to that proxy. ``http2``: offer it.
        """
        self.check_port(origin)
        return await self._in_time(self._open(origin, permit, http2=http2), origin)

    async def open_tcp(self, origin: Origin, permit: Permit = anywhere) -> OriginConnection:
        """TCP alone, through a parent proxy's tunnel if need be. Raises as ``open``."""
        self.check_port(origin)
        return await self._in_time(self._open_tcp(origin, permit), origin)

    async def secure(self, opened: OriginConnection, origin: Origin) -> None:
        """TLS over a TCP connection on which nothing was sent. Raises OriginFaultError."""
        await self._in_time(self._secure(opened, origin), origin)

    async def _secure(self, opened: OriginConnection, origin: Origin) -> OriginConnection:
        loop = asyncio.get_running_loop()
        await self._tls.system.load_into(self._tls.newest)
        try:
            transport = await loop.start_tls(
                opened.transport,
                opened,
                self._tls.newest,
                server_hostname=origin.host,
                ssl_shutdown_timeout=CLOSING_SECONDS,
            )
        except ssl.SSLError as error:
            raise tls_fault(origin, error) from error
        except OSError as error:
            message = says(
                "{authority} closed the connection: {error}",
                authority=origin.authority,
                error=str(error),
            )
            raise OriginUnreachableError(message) from error
        if transport is None:
            raise OriginUnreachableError(
                says("{authority} closed the connection.", authority=origin.authority)
            )
        opened.connection_made(transport)
        return opened

    async def _in_time(self, work: Awaitable[OriginConnection], origin: Origin) -> OriginConnection:
        try:
            async with asyncio.timeout(self._timeout):
                return await work
        except TimeoutError as error:
            raise OriginTimeoutError(
                says("{authority} did not answer in time.", authority=origin.authority)
            ) from error

    async def _open(self, origin: Origin, permit: Permit, *, http2: bool) -> OriginConnection:
        parent = self._parent_of(origin, permit)
        if parent is not None and origin.scheme != "https":
            tls = await self._context_for(parent.address, http2=False)
            connected = await self._connected(parent.address, anywhere)
            connection = await self._start(connected, parent.address, tls)
            connection.parent = parent
            return connection
        tls = await self._context_for(origin, http2=http2)
        if parent is None:
            return await self._start(await self._connected(origin, permit), origin, tls)
        return await self._start(await self._tunnelled(parent, origin), origin, tls)

    async def _context_for(self, origin: Origin, *, http2: bool) -> ssl.SSLContext | None:
        """The context of TLS with an origin, ready for use; None for http."""
        if origin.scheme != "https":
            return None
        tls = self._tls.newest if http2 else self._tls.http1
        await self._tls.system.load_into(tls)
        return tls

    async def _open_tcp(self, origin: Origin, permit: Permit) -> OriginConnection:
        parent = self._parent_of(origin, permit)
        bare = replace(origin, scheme="http")
        if parent is None:
            return await self._start(await self._connected(bare, permit), bare)
        return await self._start(await self._tunnelled(parent, bare), bare)

    def _parent_of(self, origin: Origin, permit: Permit) -> ParentProxy | None:
        """The parent that serves an origin, of which only the name can be checked then."""
        if self._parent is None or not self._parent.serves(origin):
            return None
        if not permit(origin.host, origin.port):
            raise private_address_error(origin.host)
        return self._parent

    async def _tunnelled(self, parent: ParentProxy, origin: Origin) -> socket.socket:
        """A socket that leads to ``origin`` through the parent's tunnel."""
        connected = await self._connected(parent.address, anywhere)
        loop = asyncio.get_running_loop()
        try:
            await loop.sock_sendall(connected, parent.connect_request(origin))
            check_tunnel(await _head(connected), parent, origin)
        except OSError as error:
            connected.close()
            raise OriginUnreachableError(
                says("The next proxy closed the connection early: {error}", error=str(error))
            ) from error
        except BaseException:
            connected.close()
            raise
        return connected

    async def _connected(self, origin: Origin, permit: Permit) -> socket.socket:
        found = await self._resolver.addresses(origin.host, origin.port)
        allowed = [info for info in found if permit(peer_address(info[4]), origin.port)]
        if not allowed:
            raise private_address_error(origin.host)
        try:
            connected = await start_connection(allowed, happy_eyeballs_delay=0.25)
            self._opened[ends_of(connected.getsockname(), connected.getpeername())] = True
        except OSError as error:
            raise OriginUnreachableError(
                says(
                    "{authority} cannot be reached: {error}",
                    authority=origin.authority,
                    error=str(error),
                )
            ) from error
        return connected

    async def _start(
        self, connected: socket.socket, origin: Origin, tls: ssl.SSLContext | None = None
    ) -> OriginConnection:
        loop = asyncio.get_running_loop()
        try:
            _, connection = await loop.create_connection(
                OriginConnection,
                sock=connected,
                ssl=tls,
                server_hostname=origin.host if tls else None,
                ssl_shutdown_timeout=CLOSING_SECONDS if tls else None,
            )
        except ssl.SSLError as error:
            raise tls_fault(origin, error) from error
        except OSError as error:
            message = says(
                "{authority} closed the connection: {error}",
                authority=origin.authority,
                error=str(error),
            )
            raise OriginUnreachableError(message) from error
        return connection


async def _head(connected: socket.socket) -> bytes:
    """A response's head, read byte by byte: what follows it belongs to the tunnel."""
    loop = asyncio.get_running_loop()
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = await loop.sock_recv(connected, 1)
        head += byte
        if not byte or len(head) > _LONGEST_HEAD:
            raise OriginUnreachableError(says("The next proxy sent no HTTP response."))
    return head
