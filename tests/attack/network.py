"""An event loop with a network of its own: the test's names and public addresses lead to loopback.

The proxy under attack runs with its own resolver and connector; only the system calls beneath are
those of the test. Every connection that is tried is put down.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from typing import Any

Addresses = Callable[[], list[str]]
"""The addresses of a name, asked for at each look-up: the answer may change."""


class Network(asyncio.SelectorEventLoop):
    """``names`` leads to addresses, ``routes`` from public ones to a port on loopback."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, Addresses] = {}
        self.routes: dict[tuple[str, int], int] = {}
        self.connected: list[tuple[str, int]] = []

    async def getaddrinfo(  # type: ignore[override]  # typeshed's is wider than asyncio's own call
        self,
        host: str | None,
        port: int | str | None,
        *,
        family: int = 0,
        type: int = 0,  # noqa: A002  # the name that asyncio gives it
        proto: int = 0,
        flags: int = 0,
    ) -> list[tuple[Any, Any, int, str, Any]]:
        """The test's names, and whatever the system takes for a number; all else is unknown."""
        name = (host or "").lower().removesuffix(".")
        if name in self.names:
            number = int(port or 0)
            return [_info(address, number) for address in self.names[name]()]
        if name != "localhost":
            flags |= socket.AI_NUMERICHOST
        return socket.getaddrinfo(host, port, family=family, type=type, proto=proto, flags=flags)

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:
        """Connect to loopback; a public address by its route, any other to nobody."""
        host, port = str(address[0]).partition("%")[0], int(address[1])
        self.connected.append((host, port))
        routed = self.routes.get((host, port))
        if routed is not None:
            there = "::ffff:127.0.0.1" if sock.family == socket.AF_INET6 else "127.0.0.1"
            await super().sock_connect(sock, (there, routed))
        elif is_here(host):
            await super().sock_connect(sock, address)
        else:
            raise ConnectionRefusedError(111, f"nobody is at {host} in this test")


def _info(address: str, port: int) -> tuple[Any, Any, int, str, Any]:
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0)
    return socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)


def is_here(host: str) -> bool:
    """Whether an address is this computer."""
    address = ipaddress.ip_address(host)
    mapped = getattr(address, "ipv4_mapped", None) or address
    return mapped.is_loopback or mapped.is_unspecified


def is_public(host: str) -> bool:
    """Whether an address is one of the internet's."""
    return ipaddress.ip_address(host).is_global
