"""Opens connections: name to addresses, permitted ones only, then TCP and TLS; knows no HTTP.

The address that was checked is the one that is connected to, so that a name cannot change its
address in between (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Callable
from typing import Any

from aiohappyeyeballs import start_connection
from cachetools import TTLCache

from proxy.errors import (
    AddressRefusedError,
    OriginCertificateError,
    OriginFaultError,
    OriginTimeoutError,
    OriginUnreachableError,
)
from proxy.upstream.origins import Origin
from proxy.upstream.wire import Wire

AddressInfo = tuple[int, int, int, str, Any]
Permit = Callable[[str, int], bool]
"""Whether an address (as text) and port may be connected to."""


_HANDSHAKE = 22
_CERTIFICATE_REQUEST = 13
"""Of RFC 8446: ContentType (section 5.1) and HandshakeType (section 4)."""


def anywhere(address: str, port: int) -> bool:
    """Permits every address: what a client on this very machine may reach."""
    return bool(address) and port > 0


class Resolver:
    """Names to addresses, kept for ``seconds``; the system decides their order."""

    def __init__(self, seconds: float = 60, size: int = 1024) -> None:
        self._known: TTLCache[tuple[str, int], list[AddressInfo]] = TTLCache(size, seconds)

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        """Raises OriginUnreachableError for a name that nobody knows."""
        if (host, port) in self._known:
            return self._known[host, port]
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise OriginUnreachableError(f"The name {host} could not be resolved.") from error
        self._known[host, port] = list(found)
        return self._known[host, port]


def default_tls() -> ssl.SSLContext:
    """Verifies certificates, and speaks HTTP/1.1 only."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


class CertificateWanted:
    """Which hosts asked us for a client certificate, as the handshakes of a context show.

    Python tells it by ``_msg_callback`` alone, which its own tests and tools use to watch
    handshakes; where that is missing, no host is known to ask.
    """

    def __init__(self, context: ssl.SSLContext) -> None:
        self._hosts: TTLCache[str, bool] = TTLCache(1024, 86_400)
        setattr(context, "_msg_callback", self._saw)  # noqa: B010  # typeshed does not list it

    def __contains__(self, host: str) -> bool:
        return host in self._hosts

    def _saw(self, connection: ssl.SSLObject, *message: object) -> None:
        direction, _, content, kind, _ = message
        asked = (content, kind) == (_HANDSHAKE, _CERTIFICATE_REQUEST)
        if asked and direction == "read" and connection.server_hostname:
            self._hosts[connection.server_hostname] = True


class Connector:
    """Opens a Wire to an origin within ``timeout`` seconds."""

    def __init__(
        self,
        resolver: Resolver | None = None,
        tls: ssl.SSLContext | None = None,
        timeout: float = 10,
    ) -> None:
        self._resolver = resolver or Resolver()
        self._tls = tls or default_tls()
        self._wanted = CertificateWanted(self._tls)
        self._timeout = timeout

    def wants_certificate(self, host: str) -> bool:
        """Whether a server asked for the client's certificate when we last connected to it."""
        return host in self._wanted

    async def open(self, origin: Origin, permit: Permit = anywhere) -> Wire:
        """TCP, and TLS for https. Raises OriginFaultError or AddressRefusedError."""
        try:
            async with asyncio.timeout(self._timeout):
                return await self._open(origin, permit)
        except TimeoutError as error:
            raise OriginTimeoutError(f"{origin.authority} did not answer in time.") from error

    async def _open(self, origin: Origin, permit: Permit) -> Wire:
        found = await self._resolver.addresses(origin.host, origin.port)
        allowed = [info for info in found if permit(plain_address(info), origin.port)]
        if not allowed:
            raise AddressRefusedError(f"{origin.host} is at an address that is not open to you.")
        try:
            connected = await start_connection(allowed, happy_eyeballs_delay=0.25)
        except OSError as error:
            raise OriginUnreachableError(
                f"{origin.authority} cannot be reached: {error}"
            ) from error
        return await self._start(connected, origin)

    async def _start(self, connected: socket.socket, origin: Origin) -> Wire:
        loop = asyncio.get_running_loop()
        secure = origin.scheme == "https"
        try:
            _, wire = await loop.create_connection(
                Wire,
                sock=connected,
                ssl=self._tls if secure else None,
                server_hostname=origin.host if secure else None,
            )
        except ssl.SSLError as error:
            raise tls_fault(origin, error) from error
        except OSError as error:
            raise OriginUnreachableError(f"{origin.authority} broke off: {error}") from error
        return wire


def plain_address(info: AddressInfo) -> str:
    """The address in ``getaddrinfo``'s answer, an IPv4-mapped one as IPv4."""
    address = ipaddress.ip_address(str(info[4][0]).partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def tls_fault(origin: Origin, error: ssl.SSLError) -> OriginFaultError:
    """What went wrong with TLS, in plain words."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return OriginCertificateError(
            f"The certificate of {origin.host} cannot be trusted: {error.verify_message}.",
            origin.host,
            error.verify_code,
        )
    return OriginUnreachableError(f"No TLS with {origin.authority}: {error.reason or error}.")
