"""An event loop with a network of its own: the test's names and public addresses lead to loopback.

The proxy under attack runs with its own resolver and connector; only the system calls beneath are
those of the test. Every connection that is tried is put down.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

Addresses = Callable[[], list[str]]
"""The addresses of a name, asked for at each look-up: the answer may change."""


NAMES: Final[dict[str, Addresses]] = {}
"""The names of the test, which hold for all loops: a resolver may ask from a thread of its own."""
LONGEST: Final = 4 << 20
_SYSTEM: Final = socket.getaddrinfo


def looked_up(  # noqa: PLR0917  # as the system has them
    host: str | None,
    port: int | str | None,
    family: int = 0,
    type: int = 0,  # noqa: A002  # the system's own name for it
    proto: int = 0,
    flags: int = 0,
) -> list[Any]:
    """In place of ``socket.getaddrinfo``: the test's names, and what the system takes for numbers.

    Raises socket.gaierror for all else.
    """
    name = (host or "").lower().removesuffix(".")
    if name in NAMES:
        return [_info(address, int(port or 0)) for address in NAMES[name]()]
    if host and name != "localhost":
        flags |= socket.AI_NUMERICHOST
    return list(_SYSTEM(host, port, family, type, proto, flags))


@contextmanager
def own_names() -> Iterator[None]:
    """Have this process know no names but the test's, which end with it."""
    before = socket.getaddrinfo
    setattr(socket, "getaddrinfo", looked_up)  # noqa: B010  # what is replaced has overloads
    try:
        yield
    finally:
        setattr(socket, "getaddrinfo", before)  # noqa: B010  # the same
        NAMES.clear()


class Network(asyncio.SelectorEventLoop):
    """``names`` leads to addresses, ``routes`` from public ones to a port on loopback."""

    def __init__(self) -> None:
        super().__init__()
        self.names = NAMES
        self.routes: dict[tuple[str, int], int] = {}
        self.connected: list[tuple[str, int]] = []
        self.proxies: set[int] = set()
        """Ports of the proxies under attack."""
        self.scales = 0
        """The port of a proxy apart, to which the test sends all again."""
        self.stores: set[int] = set()
        """Ports of the Redis of a proxy under attack, which it asks by itself."""
        self.sent: list[bytearray] = []
        """What attempts have sent to these, a connection each, up to its first LONGEST bytes."""

    def add_reader(self, fd: Any, callback: Any, *arguments: Any) -> None:  # type: ignore[override]  # passed on
        """Learn the proxies' ports: their listener accepts so, the sites' does not."""
        if getattr(callback, "__name__", "") == "_accept_some":
            self.proxies.add(fd.getsockname()[1])
        super().add_reader(fd, callback, *arguments)

    async def create_connection(  # type: ignore[override]  # the same
        self, factory: Any, host: Any = None, port: Any = None, **rest: Any
    ) -> Any:
        """Note what an attempt sends; the proxy itself opens its connections by sockets."""
        transport, protocol = await super().create_connection(factory, host, port, **rest)
        if host is not None and port in self.proxies:
            self._note(transport)
        return transport, protocol

    def _note(self, transport: Any) -> None:
        sent, write = bytearray(), transport.write
        self.sent.append(sent)

        def noted(data: Any) -> None:
            sent.extend(data[: max(LONGEST - len(sent), 0)])
            write(data)

        transport.write = noted

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
