"""A name server of a test: answers queries by UDP on this machine as it is told to."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import cast

_A, _AAAA = 1, 28


@dataclass
class NameServer(asyncio.DatagramProtocol):
    """``names``: addresses by name; others do not exist. ``code``: of the error that it answers.

    ``ttl``: seconds. Mute while not ``up``.
    """

    names: Mapping[str, tuple[str, ...]]
    ttl: int = 300
    up: bool = True
    code: int = 0
    asked: list[str] = field(default_factory=list)
    address: str = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)
        self.address = "127.0.0.1:{}".format(transport.get_extra_info("sockname")[1])

    def datagram_received(self, data: bytes, addr: tuple[str | bytes, int]) -> None:
        name, question, kind = _question(data)
        self.asked.append(name)
        if self.up:
            self._transport.sendto(self._answer(data[:2], name, question, kind), addr)

    def _answer(self, number: bytes, name: str, question: bytes, kind: int) -> bytes:
        family = {_A: socket.AF_INET, _AAAA: socket.AF_INET6}.get(kind)
        found = [
            socket.inet_pton(family, address)
            for address in self.names.get(name, ())
            if family is not None and not self.code and (":" in address) == (kind == _AAAA)
        ]
        code = self.code or (0 if name in self.names else 3)
        head = number + struct.pack("!HHHHH", 0x8180 | code, 1, len(found), 0, 0)
        records = [
            struct.pack("!HHHIH", 0xC00C, kind, 1, self.ttl, len(raw)) + raw for raw in found
        ]
        return head + question + b"".join(records)


def _question(data: bytes) -> tuple[str, bytes, int]:
    labels, at = list[str](), 12
    while length := data[at]:
        labels.append(data[at + 1 : at + 1 + length].decode())
        at += 1 + length
    return ".".join(labels).lower(), data[12 : at + 5], int.from_bytes(data[at + 1 : at + 3], "big")


@asynccontextmanager
async def name_server(names: Mapping[str, tuple[str, ...]]) -> AsyncIterator[NameServer]:
    """One that listens on a free port."""
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(
        lambda: NameServer(names), local_addr=("127.0.0.1", 0)
    )
    try:
        yield server
    finally:
        transport.close()
