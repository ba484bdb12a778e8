"""A whole proxy in this process with short patience, and origins that go wrong before it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.faults.origins import PAGE, Fault
from tests.faults.readers import Read, is_sound, read
from tests.proxy.origins import Origin, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import Running, running
from winnow.config.settings import Settings
from winnow.proxy.http.proxy_errors import OriginUnreachableError
from winnow.proxy.upstream.connections.lookups import AddressInfo
from winnow.proxy.upstream.connections.resolver import Resolver


def settings(folder: Path) -> Settings:
    """Waits a few seconds, keeps nothing of this machine's own."""
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0, shutdown_grace=1.0),
        upstream=replace(
            plain.upstream, connect_timeout=3.0, read_timeout=3.0, page_timeout=6.0, dns_cache=0.05
        ),
        extraction=replace(UNHURRIED, extractor="bte"),
        learning=replace(plain.learning, enabled=False),
        storage=replace(plain.storage, folder=folder),
    )


@dataclass
class Flapping(Resolver):
    """Knows every name as this computer while it is up, and none while it is down."""

    up: bool = True
    asked: int = 0

    def __post_init__(self) -> None:
        super().__init__(0.05)

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        self.asked += 1
        if not self.up:
            raise OriginUnreachableError(f"The name {host} could not be resolved.")
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port))]


@dataclass
class World:
    """``sound`` is an origin that nothing is wrong with."""

    proxy: Running
    sound: Origin
    names: Flapping = field(default_factory=Flapping)

    async def meet(self, fault: Fault) -> Read:
        """What a reader gets of an origin with that fault."""
        scripts: set[asyncio.Task[None]] = set()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task
            scripts.add(task)
            try:
                await fault.script(reader, writer)
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                pass
            finally:
                writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            url = f"{fault.scheme}://127.0.0.1:{port}/0"
            return await read(self.proxy.port, url, fault.through)
        finally:
            server.close()
            for task in scripts:
                task.cancel()
            await asyncio.gather(*scripts, return_exceptions=True)
            await server.wait_closed()

    async def is_sound(self) -> bool:
        """Whether the proxy still does its work."""
        return await is_sound(self.proxy.port, self.sound.url("/page"))


@asynccontextmanager
async def world(folder: Path) -> AsyncIterator[World]:
    names = Flapping()
    origin = Origin({"/page": html(PAGE, "Cache-Control: no-store")})
    async with serving(origin) as sound, running(settings(folder), names) as proxy:
        yield World(proxy, sound, names)
