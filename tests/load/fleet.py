"""``python -m tests.load.fleet PACKAGE``: what requests cost in one run, and the machines for many.

The run: TLS on both sides (interception), pages of a test package in their own sizes, files and
tunnels; CPU of all processes of one Winnow, and the memory of connections that are open. The
assumptions are those of docs/fleet.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import ssl
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trustme

from benchmarks.load.programs import children, memory, winnow
from tests.load.icap_costs import cpu
from tests.proxy.origins import Answer, Origin, ask, html, read_answer, reply, serving
from tests.winnow.test_handover import own, tunnel
from winnow.config.server_settings import Server
from winnow.evaluation.gold.packages import find
from winnow.evaluation.reporting.tables import aligned

OBJECT: Final = 25_000
"""Bytes of a file."""
PAGES: Final = 300
REPEATED: Final = 300
CONNECTIONS: Final = 100
BROWSER: Final = "User-Agent: Mozilla/5.0\r\nAccept-Encoding: gzip\r\nSec-Fetch-Site: {}\r\n"
PAGE: Final = BROWSER.format("none") + "Accept: text/html\r\nSec-Fetch-Dest: document\r\n"
FILE: Final = BROWSER.format("same-origin") + "Accept: image/*\r\nSec-Fetch-Dest: image\r\n"
HEADING: Final = ("placement", "readers", "machines by each wall")
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Costs:
    """``cpu``: microseconds of all processes, by kind; ``held``: bytes a connection, by kind.

    ``page``: bytes of a page in the mean.
    """

    cpu: Mapping[str, float]
    held: Mapping[str, float]
    page: float


@dataclass(frozen=True)
class Placement:
    """Shares of pages that are kept and extracted, and of files that are kept (simulated)."""

    name: str
    readers: int
    kept: float
    extracted: float
    objects: float


PLACEMENTS: Final = (
    Placement("any instance", 10_000, 0.01, 0.92, 0.13),
    Placement("any instance", 1_000_000, 0.01, 0.91, 0.14),
    Placement("by site", 1_000_000, 0.09, 0.68, 0.74),
)


@dataclass(frozen=True)
class Assumptions:
    """Of readers, their pages and a machine (docs/fleet.md)."""

    active: float = 0.05
    seconds: float = 30.0
    objects: int = 40
    seen: float = 0.3
    tunnels: int = 6
    connections: int = 12
    cores: float = 4 * 0.6
    network: float = 1e9 / 8 * 0.6
    memory: float = 6e9
    files: int = 65_536 // 3
    limit: int = Server().connections


def walls(costs: Costs, where: Placement, assumed: Assumptions) -> Mapping[str, float]:
    """Machines that each resource asks for, the most first."""
    readers = where.readers * assumed.active
    views, held = readers / assumed.seconds, readers * assumed.connections
    took, per = costs.cpu, costs.held
    pages = where.kept * took["page kept"] + (1 - where.kept - where.extracted) * took["page again"]
    pages += where.extracted * took["page new"]
    files = where.objects * took["file kept"] + (1 - where.objects) * took["file fetched"]
    seen = pages + assumed.objects * files + assumed.tunnels * took["connection intercepted"]
    joined = assumed.tunnels * took["tunnel"]
    size = costs.page + assumed.objects * OBJECT
    memory_each = assumed.seen * per["intercepted"] + (1 - assumed.seen) * per["tunnel"]
    found = {
        "CPU": views * (assumed.seen * seen + (1 - assumed.seen) * joined) / 1e6 / assumed.cores,
        "network": views * size / assumed.network,
        "open files": held / assumed.files,
        "memory": held * memory_each / assumed.memory,
        f"server.connections = {assumed.limit}": held / assumed.limit,
    }
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def tree(pid: int) -> Iterator[int]:
    """A process and all below it."""
    yield pid
    for child in children(pid):
        yield from tree(child)


@dataclass
class Site:
    """An origin of the pages of a package, and the Winnow before it."""

    origin: Origin
    port: int
    pid: int
    trusts: ssl.SSLContext
    cpu: dict[str, float] = field(default_factory=dict)
    held: dict[str, float] = field(default_factory=dict)

    async def opened(self, host: str) -> Streams:
        """``localhost`` is intercepted, ``127.0.0.1`` is not."""
        reader, writer = await tunnel(self.port, f"{host}:{self.origin.port}")
        await writer.start_tls(self.trusts, server_hostname="localhost")
        return reader, writer

    async def asked(self, streams: Streams, path: str) -> Answer:
        asks = FILE if path.startswith(("/fetched", "/kept")) else PAGE
        head = f"GET {path} HTTP/1.1\r\nHost: localhost:{self.origin.port}\r\n{asks}\r\n"
        streams[1].write(head.encode())
        return await read_answer(streams[0])

    async def each(self, kind: str, paths: Sequence[str]) -> None:
        """Ask for all by one connection that is intercepted; CPU in the mean."""
        streams = await self.opened("localhost")
        before = self.spent()
        for path in paths:
            answer = await self.asked(streams, path)
            assert answer.status == 200, (path, answer)
        self.cpu[kind] = (self.spent() - before) / len(paths)
        streams[1].close()

    async def connections(self, kind: str, held: str, host: str, files: int) -> None:
        """Open many, ask for so many files by each, and let them stay open."""
        before, size = self.spent(), memory([self.pid])
        streams = [await self.opened(host) for _ in range(CONNECTIONS)]
        for one in streams:
            for number in range(files):
                await self.asked(one, f"/fetched/{number}")
        usual = files * self.cpu["file fetched"] if host == "localhost" else 0
        self.cpu[kind] = (self.spent() - before) / CONNECTIONS - usual
        self.held[held] = max(memory([self.pid]) - size, 0) / CONNECTIONS
        for _, writer in streams:
            writer.close()

    def spent(self) -> float:
        return sum(map(cpu, tree(self.pid))) / 1000


async def measured(folder: Path, pages: Sequence[bytes]) -> Costs:
    """All kinds in one run."""
    authority, tls = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(tls)
    authority.cert_pem.write_to_path(folder / "theirs.pem")
    environment = {
        "WINNOW_INTERCEPTION__HOSTS": "localhost",
        "WINNOW_UPSTREAM__CA_BUNDLE": str(folder / "theirs.pem"),
    }
    async with AsyncExitStack() as stack:
        begun = stack.enter_async_context
        process, port = await begun(winnow(folder, environment=environment))
        ours = (await ask(port, own(port, "GET", "/-/ca.crt"))).body.decode()
        trusts = ssl.create_default_context(cadata=ours)
        trusts.load_verify_locations(cadata=authority.cert_pem.bytes().decode())
        site = Site(await begun(serving(Origin(), tls)), port, process.pid, trusts)
        replies, file = site.origin.replies, b"\1" * OBJECT
        for number, page in enumerate(pages):
            replies[f"/new/{number}"] = html(page, "Cache-Control: no-store")
            replies[f"/page/{number}"] = html(page, "Cache-Control: max-age=3600")
        for number in range(REPEATED):
            replies[f"/fetched/{number}"] = reply(file, "Cache-Control: no-store")
            replies[f"/kept/{number}"] = reply(file, "Cache-Control: max-age=3600")
        new = [f"/new/{number}" for number in range(len(pages))]
        few = [f"/page/{number}" for number in range(len(pages))][:20]
        await site.each("page new", new)
        await site.each("page again", new[-20:] * 15)
        await site.each("first", few)
        await site.each("page kept", few * 15)
        await site.each("file fetched", [f"/fetched/{number}" for number in range(REPEATED)])
        await site.each("first", [f"/kept/{number}" for number in range(20)])
        await site.each("file kept", [f"/kept/{number % 20}" for number in range(REPEATED)])
        await site.connections("connection intercepted", "intercepted", "localhost", 1)
        await site.connections("tunnel", "tunnel", "127.0.0.1", 7)
    del site.cpu["first"]
    return Costs(site.cpu, site.held, sum(map(len, pages)) / len(pages))


def told(costs: Costs) -> str:
    rows = [[kind, f"{took:,.0f} µs of CPU"] for kind, took in costs.cpu.items()]
    rows += [[f"open, {kind}", f"{size / 1000:,.1f} kB"] for kind, size in costs.held.items()]
    rows.append(["a page in the mean", f"{costs.page / 1000:,.1f} kB"])
    machines = [
        [each.name, f"{each.readers:,}", ", ".join(f"{name} {n:.2f}" for name, n in found.items())]
        for each in PLACEMENTS
        for found in (walls(costs, each, Assumptions()),)
    ]
    head = f"load {os.getloadavg()[0]:.0f}, {os.cpu_count()} processors\n\n"
    tables = aligned(("what", "costs"), rows, 1), aligned(HEADING, machines, 3)
    return head + "\n\n".join(tables) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.fleet")
    parser.add_argument("package", help="a test package, whose pages are asked for")
    parser.add_argument("--pages", type=int, default=PAGES)
    given = parser.parse_args(arguments)
    files = sorted(find(given.package).glob("*.html"))
    pages = [file.read_bytes() for file in files[:: max(len(files) // given.pages, 1)]]
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(told(asyncio.run(measured(Path(folder), pages[: given.pages]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
