"""The only way from the rendering browser to the network: a SOCKS proxy for one page (RFC 1928).

It connects to public addresses alone, bytes and connections are bounded, and it ends with its page.
It reads nothing: what passes is neither extracted nor answered by own pages.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Self

from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.request_target import Origin
from winnow.proxy.upstream.connections.connection_pool import OriginConnection
from winnow.proxy.upstream.connections.connector import Connector

_VERSION: Final = 5
_NO_PASSWORD, _NO_METHOD = 0, 255
_CONNECT: Final = 1
_IPV4, _NAME, _IPV6 = 1, 3, 4
_GRANTED, _UNREACHABLE, _NO_COMMAND = 0, 4, 7
_CHUNK: Final = 1 << 16
_REFUSALS: Final = (ProxyError, OSError, TimeoutError)


@dataclass(frozen=True, slots=True)
class TrafficBounds:
    """What one page may move: bytes in all, connections at once."""

    size: int = 64 * 1024 * 1024
    connections: int = 64


class BrowserProxy:
    """An async context: listens on a free port of 127.0.0.1 until it is left."""

    def __init__(
        self,
        connector: Connector,
        bounds: TrafficBounds | None = None,
        permit: Permit = public_only,
    ) -> None:
        self._connector, self._permit = connector, permit
        self._bounds = bounds or TrafficBounds()
        self._left = self._bounds.size
        self._tasks: set[asyncio.Task[None]] = set()
        self.refused: list[str] = []
        """Hosts that were not connected to."""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.sockets[0].getsockname()[1])

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._tasks) >= self._bounds.connections:
            writer.close()
            return
        self._tasks.add(task)
        try:
            await self._relay(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the browser or the origin has gone, or the page is done
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        origin = await _requested(reader, writer)
        if origin is None:
            return None
        try:
            self._connector.check_port(origin)
            far = await self._connector.open_tcp(origin, self._permit)
        except _REFUSALS:
            self.refused.append(origin.host)
            return _answer(writer, _UNREACHABLE)
        _answer(writer, _GRANTED)
        try:
            await self._joined(reader, writer, far)
        finally:
            far.close()

    async def _joined(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, far: OriginConnection
    ) -> None:
        """Copy both ways until either ends or the page has moved all that it may."""

        async def up() -> None:
            while (data := await reader.read(_CHUNK)) and self._may_move(data):
                await far.send(data)

        async def down() -> None:
            while (data := await far.receive()) and self._may_move(data):
                writer.write(data)
                await writer.drain()

        ways = [asyncio.create_task(up()), asyncio.create_task(down())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)

    def _may_move(self, data: bytes) -> bool:
        self._left -= len(data)
        return self._left >= 0


async def _requested(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Origin | None:
    """The origin that a client asks for (RFC 1928, sections 3 and 4); None if it asks amiss."""
    version, methods = await reader.readexactly(2)
    offered = await reader.readexactly(methods)
    if version != _VERSION or _NO_PASSWORD not in offered:
        writer.write(bytes((_VERSION, _NO_METHOD)))
        return None
    writer.write(bytes((_VERSION, _NO_PASSWORD)))
    _, command, _, kind = await reader.readexactly(4)
    host = await _host(reader, kind)
    port = int.from_bytes(await reader.readexactly(2))
    if command != _CONNECT or not host:
        _answer(writer, _NO_COMMAND)
        return None
    return Origin("https" if port == 443 else "http", host, port)


async def _host(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == _NAME:
        (length,) = await reader.readexactly(1)
        name = await reader.readexactly(length)
        return name.decode("ascii", "replace").lower().rstrip(".")
    if kind in (_IPV4, _IPV6):
        return str(ip_address(await reader.readexactly(4 if kind == _IPV4 else 16)))
    return ""


def _answer(writer: asyncio.StreamWriter, status: int) -> None:
    """The reply (section 6); the address that it names is of no use to a client."""
    writer.write(bytes((_VERSION, status, 0, _IPV4)) + bytes(6))
