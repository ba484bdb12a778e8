"""What docs/adr/014 says of aiohttp's client holds in the pinned version."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from aiohttp import ClientSession, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult


class Resolver(AbstractResolver):
    """Every name is this computer's; remembers which ones were asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked.append(host)
        found = ResolveResult(
            hostname=host, host="127.0.0.1", port=port, family=socket.AF_INET, proto=0, flags=0
        )
        return [found]

    async def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize(("host", "asked"), [("name.test", ["name.test"]), ("127.0.0.1", [])])
async def test_socket_factory_sees_each_address_and_a_resolver_no_number(
    host: str, asked: list[str]
) -> None:
    seen = []

    def make(address: Any) -> socket.socket:
        seen.append(address[4][0])
        raise PermissionError("this address was refused")

    async def never(_: asyncio.StreamReader, __: asyncio.StreamWriter) -> None:
        raise AssertionError("a connection was made")

    resolver = Resolver()
    server = await asyncio.start_server(never, "127.0.0.1", 0)
    connector = TCPConnector(resolver=resolver, socket_factory=make)
    async with server, ClientSession(connector=connector) as session:
        with pytest.raises(OSError, match="Cannot connect"):
            await session.get(f"http://{host}:{server.sockets[0].getsockname()[1]}/")
    assert (seen, resolver.asked) == (["127.0.0.1"], asked)
