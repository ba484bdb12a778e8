"""Queries by DNS without a thread each (c-ares), and which names only the system knows."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Sequence
from typing import Final

import aiodns
import pycares

from winnow.proxy.upstream.connections.lookups import AddressInfo, Found

TIMEOUT, TRIES = 2.0, 3
"""Seconds for the first try with each name server; later ones wait longer."""
_ABSENT = {pycares.errno.ARES_ENOTFOUND, pycares.errno.ARES_ENODATA, pycares.errno.ARES_EBADNAME}
"""What a name server answers for a name that has no address; all else may pass."""
_NEVER_ASKED: Final = (".invalid", ".onion")
"""No name server is asked for these (RFC 6761, section 6.4; RFC 7686, section 2)."""
_OF_SYSTEM: Final = ("local", "home.arpa")
"""Zones of multicast DNS (RFC 6762) and of home networks (RFC 8375)."""


class DnsClient:
    """Asks the system's name servers, and its hosts file first.

    Both address families are asked for side by side and sorted (RFC 6724). A change of
    ``resolv.conf`` is noticed.
    """

    def __init__(self, servers: Sequence[str] | None = None) -> None:
        self._servers = servers
        self._resolver: aiodns.DNSResolver | None = None

    async def __call__(self, host: str, port: int) -> Found:
        """Raises ``socket.gaierror``: EAI_NONAME for no such name, EAI_AGAIN where none answers."""
        if host.lower().rstrip(".").endswith(_NEVER_ASKED):
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        self._resolver = self._resolver or aiodns.DNSResolver(
            self._servers, asyncio.get_running_loop(), timeout=TIMEOUT, tries=TRIES
        )
        try:
            found = await self._resolver.getaddrinfo(host, port=port, type=socket.SOCK_STREAM)
        except aiodns.error.DNSError as error:
            absent = error.args[0] in _ABSENT
            code = socket.EAI_NONAME if absent else socket.EAI_AGAIN
            raise socket.gaierror(code, error.args[-1]) from error
        if not found.nodes:
            raise socket.gaierror(socket.EAI_NONAME, "no address")
        lifetimes = [*(name.ttl for name in found.cnames), *(node.ttl for node in found.nodes)]
        return Found([_info(node) for node in found.nodes], min(lifetimes))

    async def aclose(self) -> None:
        """End the queries that run."""
        resolver, self._resolver = self._resolver, None
        if resolver is not None:
            await resolver.close()


def _info(node: pycares.AddrInfoNode) -> AddressInfo:
    address, *rest = node.addr
    return node.family, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address.decode(), *rest)


def only_system_knows(host: str, zones: Sequence[str]) -> bool:
    """Whether a name is none of DNS: without a dot, of a home network or of ``zones``.

    ``zones``: domain names; ``*`` for all. On macOS the system knows name servers by zone, which
    no file says.
    """
    if sys.platform == "darwin" or "*" in zones:
        return True
    name = host.rstrip(".").lower()
    return "." not in name or any(
        name == zone or name.endswith(f".{zone}") for zone in (*_OF_SYSTEM, *zones)
    )
