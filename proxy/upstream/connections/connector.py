"""Opens connections: resolves the name, checks the addresses, then TCP and TLS.

The address checked is the one connected to, so that a name cannot change it in between (DNS
rebinding).
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from collections.abc import Awaitable, Sequence
from dataclasses import replace

from aiohappyeyeballs import start_connection
from cachetools import TTLCache

from winnow.proxy.access.private_addresses import (
    ClientPermit,
    is_public_host,
    private_address_error,
    private_name_error,
    usable,
)
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.http.proxy_errors import (
    OriginTimeoutError,
    OriginUnreachableError,
    PortRefusedError,
    ProxyError,
)
from winnow.proxy.http.request_target import Origin
from winnow.proxy.http.sentences import says
from winnow.proxy.server.redirected import Ends, ends_of
from winnow.proxy.server.sockets import peer_address
from winnow.proxy.upstream.connections.connection_pool import OriginConnection
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.origin_tls import (
    CertificateRequests,
    OriginTls,
    tls_fault,
)
from winnow.proxy.upstream.connections.parent_proxy import (
    ParentProxy,
    connected_by_socks,
    open_tunnel,
)
from winnow.proxy.upstream.connections.resolver import Resolver
from winnow.proxy.upstream.connections.tls_sessions import TlsSessions

_PROXY_STATUS = {
    errno.ECONNREFUSED: "connection_refused",
    errno.EHOSTUNREACH: "destination_ip_unroutable",
    errno.ENETUNREACH: "destination_ip_unroutable",
    errno.ETIMEDOUT: "connection_timeout",
}
"""What a failed connect is called by RFC 9209, section 2.3."""
CLOSING_SECONDS = 1.0
"""A closed connection waits so long for the origin's own end of TLS, which some never send."""
PUBLIC_NAMES, PUBLIC_SECONDS = 65536, 86400.0
"""Names that had a public address, and how long they lead to no private one thereafter."""
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
        self.resolver = resolver or Resolver()
        tls = tls or OriginTls.trusting(http2=False)
        self._tls = tls if isinstance(tls, OriginTls) else OriginTls(tls, tls)
        contexts = {self._tls.http1, self._tls.newest}
        self._certificate_requests = [CertificateRequests(context) for context in contexts]
        self._sessions = [TlsSessions(context) for context in contexts]
        self._timeout = timeout
        self._parent = parent
        self._opened: TTLCache[Ends, bool] = TTLCache(OPENED, OPENED_SECONDS)
        self._public: TTLCache[str, bool] = TTLCache(PUBLIC_NAMES, PUBLIC_SECONDS)

    async def aclose(self) -> None:
        """End the lookups that run."""
        await self.resolver.aclose()

    def is_ours(self, ends: Ends) -> bool:
        """Whether a connection with these ends was opened here lately: it was redirected to us."""
        return ends in self._opened

    def requests_certificate(self, host: str) -> bool:
        """Whether the host's server requested a client certificate lately."""
        return any(host in requests for requests in self._certificate_requests)

    async def leads_to(self, host: str, meant: Origin) -> bool:
        """Whether a name has the literal address that a client connects to.

        Nothing is looked up where a parent proxy of SOCKS5 resolves all names.
        """
        if self._parent is not None and self._parent.socks is not None:
            return False
        try:
            found = await self.resolver.addresses(host, meant.port)
        except ProxyError:
            return False
        return meant.host in [peer_address(each[4]) for each in found]

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
        except (ssl.SSLError, ValueError) as error:  # or a name that TLS cannot ask for
            opened.abort()
            raise tls_fault(origin, error) from error
        except OSError as error:
            raise _closed(origin, error) from error
        if transport is None:
            raise OriginUnreachableError(
                says("{authority} closed the connection.", authority=origin.authority),
                "connection_terminated",
            )
        opened.connection_made(transport)
        return opened

    async def _in_time(self, work: Awaitable[OriginConnection], origin: Origin) -> OriginConnection:
        try:
            async with asyncio.timeout(self._timeout):
                return await work
        except TimeoutError as error:
            raise OriginTimeoutError(
                says("{authority} did not answer in time.", authority=origin.authority),
                "connection_timeout",
            ) from error

    async def _open(self, origin: Origin, permit: Permit, *, http2: bool) -> OriginConnection:
        parent = self._parent_of(origin, permit)
        if parent is not None and parent.socks is None and origin.scheme != "https":
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
        """The parent that serves an origin, of which only the name can be checked then.

        One of SOCKS5 is far from here: nothing of this network is asked of it.
        """
        if self._parent is None or not self._parent.serves(origin):
            return None
        is_far = self._parent.socks is not None
        if not permit(origin.host, origin.port) or (is_far and not is_public_host(origin.host)):
            raise private_address_error(origin.host)
        return self._parent

    async def _tunnelled(self, parent: ParentProxy, origin: Origin) -> socket.socket:
        """A socket that leads to ``origin`` through the parent's tunnel."""
        if parent.socks is not None:
            return await connected_by_socks(parent, origin)
        connected = await self._connected(parent.address, anywhere)
        try:
            await open_tunnel(connected, parent, origin)
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
        found = await self.resolver.addresses(origin.host, origin.port)
        allowed = self._allowed(origin, found, permit)
        try:
            connected = await start_connection(allowed, happy_eyeballs_delay=0.25)
            self._opened[ends_of(connected.getsockname(), connected.getpeername())] = True
        except OSError as error:
            raise OriginUnreachableError(
                says(
                    "{authority} cannot be reached: {error}",
                    authority=origin.authority,
                    error=str(error),
                ),
                _PROXY_STATUS.get(error.errno or 0, "destination_unavailable"),
            ) from error
        return connected

    def _allowed(
        self, origin: Origin, found: Sequence[AddressInfo], permit: Permit
    ) -> list[AddressInfo]:
        """Those that may be connected to. Raises PrivateAddressError where there is none."""
        addresses = [peer_address(info[4]) for info in found]
        if any(map(is_public_host, addresses)):
            self._public[origin.host] = True
        was_public = origin.host in self._public
        chosen = usable(origin.host, addresses, origin.port, permit, was_public=was_public)
        if chosen:
            return [info for info, each in zip(found, addresses, strict=True) if each in chosen]
        if isinstance(permit, ClientPermit):
            raise private_name_error(origin.host, asks=permit.asks and not was_public)
        raise private_address_error(origin.host)

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
        except (ssl.SSLError, ValueError) as error:
            connected.close()  # asyncio leaves it open where it has not begun
            raise tls_fault(origin, error) from error
        except OSError as error:
            raise _closed(origin, error) from error
        return connection


def _closed(origin: Origin, error: OSError) -> OriginUnreachableError:
    message = says(
        "{authority} closed the connection: {error}", authority=origin.authority, error=str(error)
    )
    return OriginUnreachableError(message, "connection_terminated")
