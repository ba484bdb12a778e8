"""The one place where a connection for a stranger is checked: as its socket is made.

A name can resolve to another address a moment later (DNS rebinding), so the check reads the very
address that is then connected to. Refuses to know who asks: the caller picks guard or no guard.
"""

from __future__ import annotations

import asyncio
import socket

import aiohappyeyeballs
from aiohappyeyeballs import AddrInfoType

from proxy.access.addresses import Kind, kind_of, parse_address
from proxy.access.errors import AddressRefusedError

_EYEBALLS_DELAY = 0.25
"""Seconds before the next address is tried beside a slow one (RFC 8305, section 5)."""


def any_socket(info: AddrInfoType) -> socket.socket:
    """A socket for any address: for clients on this computer."""
    return socket.socket(family=info[0], type=info[1], proto=info[2])


def guarded_socket(info: AddrInfoType) -> socket.socket:
    """A socket for a public address; ``socket_factory`` of aiohttp's connector for strangers.

    Raises ``AddressRefusedError`` for every other address.
    """
    address = parse_address(str(info[4][0]))
    if address is None or kind_of(address) is not Kind.PUBLIC:
        raise AddressRefusedError
    return any_socket(info)


async def connect(host: str, port: int, *, guarded: bool) -> socket.socket:
    """A connected socket, for tunnels: the first address that answers and may be reached.

    Raises ``AddressRefusedError`` if there is none for a stranger, ``OSError`` if none answers.
    """
    loop = asyncio.get_running_loop()
    infos = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return await aiohappyeyeballs.start_connection(
        infos,
        happy_eyeballs_delay=_EYEBALLS_DELAY,
        socket_factory=guarded_socket if guarded else any_socket,
    )
