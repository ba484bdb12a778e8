"""Load balancers before the listener: their connections are those of other clients."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from typing import Final

from winnow.proxy.access.address_kinds import Network
from winnow.proxy.access.client_networks import in_networks
from winnow.proxy.server.proxy_protocol import bytes_wanted, claimed_client

PROXY_HEADER_SECONDS = 5.0
"""For the PROXY header of a trusted proxy, which sends it with its first segment."""


@dataclass(frozen=True, slots=True)
class Balancers:
    """``sends_header``: each of their connections must begin with a PROXY header."""

    networks: tuple[Network, ...] = ()
    sends_header: bool = False

    def has(self, address: str) -> bool:
        """Whether a connection's peer is one."""
        return bool(self.networks) and in_networks(address, self.networks)


NO_BALANCERS: Final = Balancers()


async def client_behind(connection: socket.socket) -> str:
    """The client whom a connection's PROXY header names, "" for none; reads no byte behind it.

    Raises ProxyHeaderError, OSError or TimeoutError.
    """
    loop, received = asyncio.get_running_loop(), b""
    async with asyncio.timeout(PROXY_HEADER_SECONDS):
        while wanted := bytes_wanted(received):
            piece = await loop.sock_recv(connection, wanted)
            if not piece:
                raise ConnectionResetError("it ended")
            received += piece
    return claimed_client(received)
