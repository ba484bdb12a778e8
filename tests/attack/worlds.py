"""A whole proxy with its default settings, sites of several kinds around it, and a local tool."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from tests.attack.network import Network, is_public, own_names
from tests.attack.web import HTML, page, request, throw
from tests.proxy.origins import Origin, reply, serving
from winnow.compose.process.shares import SharedState
from winnow.compose.running import Running, listening, running
from winnow.config.settings import Settings
from winnow.config.sources.settings_source import SettingsSource

T = TypeVar("T")
SITE, EVIL = "93.184.215.14", "93.184.215.15"
SECRET = b"SECRET-OF-THIS-COMPUTER"
PRIVATE = (
    "127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1",
    "169.254.169.254", "::1", "fd00::1", "fe80::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::1",
)  # fmt: skip


class Complaints(logging.Handler):
    """Keeps the exceptions that were logged: a handler that raised says so there."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1]:
            self.said.append(f"{record.getMessage()}: {record.exc_info[1]!r}"[:300])


@dataclass
class World:
    """``site`` is public (site.example, evil.example), ``tool`` answers on loopback alone."""

    proxy: Running
    network: Network
    folder: Path
    site: Origin
    tool: Origin
    log: Complaints
    ending: AsyncExitStack
    _kept: dict[str, Any] = field(default_factory=dict)

    async def keep(self, name: str, opened: Callable[[], AbstractAsyncContextManager[T]]) -> T:
        """What ``opened`` gives, opened once and closed with the world."""
        if name not in self._kept:
            self._kept[name] = await self.ending.enter_async_context(opened())
        return cast(T, self._kept[name])

    @property
    def port(self) -> int:
        return self.proxy.port

    @property
    def own(self) -> str:
        return f"127.0.0.1:{self.port}"

    def calm(self) -> None:
        """Forget what one attempt left in the records of sites and network."""
        for site in (self.site, self.tool):
            site.requests.clear()
            site.bodies.clear()
        self.network.connected.clear()
        self.log.said.clear()

    def complaint(self) -> str:
        """The first traceback that was logged, in a line; "" where there was none."""
        return f"logged: {self.log.said[0]}" if self.log.said else ""

    def reached(self) -> list[tuple[str, int]]:
        """Private addresses that somebody but the test itself tried to connect to."""
        spared = {self.port, self.network.scales, *self.network.stores}
        return [
            (host, port)
            for host, port in self.network.connected
            if not is_public(host) and port not in spared
        ]

    def broken_into(self) -> str:
        """What private address was reached, "" if none was."""
        if self.tool.requests:
            return f"the local tool was asked: {self.tool.requests[0][:80]!r}"
        reached = self.reached()
        return f"a connection to {reached[0]}" if reached else ""

    def lasting(self) -> list[str]:
        """All that is remembered of choices and saved items, as on disk."""
        found = []
        for file in sorted(self.folder.rglob("*")):
            if file.name == "sites.sqlite3" or "cache" in file.parts or not file.is_file():
                continue
            if file.suffix == ".sqlite3":
                with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as database:
                    found += list(database.iterdump())
            elif file.suffix in (".json", ".toml"):
                found.append(file.read_text())
        return found


def defaults(folder: Path) -> Settings:
    """The default settings on a free port, data in ``folder``."""
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0, shutdown_grace=1.0),
        storage=replace(plain.storage, folder=folder),
        upstream=replace(plain.upstream, system_names=("*",)),  # the test's names are the system's
    )


def outfit(network: Network, site: Origin, tool: Origin) -> None:
    """Names and routes of the test's internet."""
    for name in ("site.example", "other.example", *(f"t{n}.site.example" for n in range(40))):
        network.names[name] = lambda: [SITE]
    network.names["evil.example"] = lambda: [EVIL]
    for number, address in enumerate(PRIVATE):
        network.names[f"inside{number}.example"] = lambda address=address: [address]  # type: ignore[misc]  # a default binds the value
    for address in (SITE, EVIL):
        for port in (80, 8080, 8081):
            network.routes[address, port] = site.port
    for address in PRIVATE:
        for port in (80, 443, 8080):
            network.routes.setdefault((address, port), tool.port)


@asynccontextmanager
async def world(folder: Path, settings: Settings | None = None) -> AsyncIterator[World]:
    """Everything that most families need; the loop must be a Network."""
    network = asyncio.get_running_loop()
    assert isinstance(network, Network)
    site = Origin(usual=page("Anything"))
    tool = Origin(usual=reply(SECRET, "Content-Type: text/html"))
    with own_names():
        async with _around(network, folder, settings, site, tool) as made:
            yield made


@asynccontextmanager
async def _around(
    network: Network, folder: Path, settings: Settings | None, site: Origin, tool: Origin
) -> AsyncIterator[World]:
    async with serving(site), serving(tool):
        outfit(network, site, tool)
        opened = proxy_by_file(folder) if settings is None else running(settings)
        async with opened as proxy:
            await _warm(proxy.port)
            log = Complaints()
            logging.getLogger().addHandler(log)
            try:
                async with AsyncExitStack() as ending:
                    yield World(proxy, network, folder, site, tool, log, ending)
            finally:
                logging.getLogger().removeHandler(log)


@asynccontextmanager
async def proxy_by_file(folder: Path) -> AsyncIterator[Running]:
    """With the defaults, as started with a settings file, which own pages can change."""
    file = folder / "winnow.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f'[server]\nport = 0\nshutdown_grace = 1.0\n[storage]\nfolder = "{folder}"\n'
        # Else a name that was changed is not looked up again; the test's names are the system's.
        '[upstream]\ndns_cache = 0\nsystem_names = ["*"]\n'
    )
    source = SettingsSource(file)
    loaded, shared = source.load(), SharedState(source=source)
    async with listening(loaded.settings, None, loaded.origins, shared) as proxy:
        await proxy.begin(proxy.pool.limits.start_seconds)
        yield proxy


async def _warm(port: int) -> None:
    """Wait for the first page to be made: on a busy machine the first ones pass unchanged."""
    asked = request("http://site.example/warm", "site.example", (HTML,))
    async with asyncio.timeout(120):
        while (await throw(port, asked)).field("winnow-reason") in ("busy", "deadline"):
            pass
