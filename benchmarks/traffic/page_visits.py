"""Visits of a browser by a trace: CPU for the whole page, and what its reader waits for.

The trace is one page and its 100 sub-resources, each with its request fields, written by us after
what a news site's front page asks for: counts, kinds and sizes, no content.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.traffic.async_client import Streams, ask
from benchmarks.traffic.processes import Server
from benchmarks.traffic.proxies import OURS
from benchmarks.traffic.request_cost import Spread
from benchmarks.traffic.workloads import NAVIGATION, WITHIN

CONNECTIONS = 6
"""What browsers open to one host; kept from visit to visit."""
_numbers = count()
COOKIE: Final = "session=3f6c1b9a5d2e48c7; consent=necessary; theme=dark; seen=12"
PAGE: Final = "/page.html"


@dataclass(frozen=True, slots=True)
class Kind:
    """Sub-resources of one kind: how many, their sizes in bytes in turn, how they are asked for."""

    name: str
    many: int
    sizes: tuple[int, ...]
    destination: str
    accept: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of the trace; ``size`` is that of its answer's body."""

    path: str
    size: int
    fields: Mapping[str, str]


KINDS: Final = (
    Kind("css", 6, (8_000, 24_000, 60_000), "style", "text/css,*/*;q=0.1"),
    Kind("js", 20, (2_000, 9_000, 30_000, 90_000, 150_000), "script", "*/*"),
    Kind("woff2", 4, (22_000, 31_000), "font", "*/*"),
    Kind("json", 10, (300, 900, 4_000), "empty", "*/*"),
    Kind("webp", 55, (1_500, 6_000, 18_000, 45_000, 80_000), "image", "image/avif,image/webp,*/*"),
    Kind("gif", 5, (43,), "image", "image/avif,image/webp,*/*"),
)


def sub_resources(page: str) -> Iterator[Asked]:
    """Those of a page with this address, in the order in which they are asked for."""
    for kind in KINDS:
        fields = {
            **WITHIN,
            "Accept": kind.accept,
            "Sec-Fetch-Dest": kind.destination,
            "Sec-Fetch-Mode": "no-cors" if kind.destination != "empty" else "cors",
            "Referer": page,
            "Cookie": COOKIE,
        }
        for number in range(kind.many):
            size = kind.sizes[number % len(kind.sizes)]
            yield Asked(f"/assets/{number}.{kind.name}", size, fields)


def navigation(*, extracted: bool) -> Mapping[str, str]:
    """The fields of the page's own request."""
    wish = {} if extracted else {"Winnow-Mode": "original"}
    return {**NAVIGATION, "Cookie": COOKIE, **wish}


def write_files(folder: Path) -> None:
    """The sub-resources below a server's root."""
    for asked in sub_resources(""):
        path = folder / asked.path.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((asked.path.encode() * (asked.size // len(asked.path) + 1))[: asked.size])


@dataclass(frozen=True, slots=True)
class Visits:
    """One proxy's: CPU milliseconds of a visit by rounds, and quantiles of waits in milliseconds.

    ``page``: until the page's last byte; ``whole``: until the last sub-resource's.
    """

    what: str
    proxy: str
    cpu: Spread
    page: tuple[float, float]
    whole: tuple[float, float]


@dataclass
class _Timed:
    cpu: list[float] = field(default_factory=list)
    page: list[float] = field(default_factory=list)
    whole: list[float] = field(default_factory=list)


def measured(proxies: Mapping[str, Server], origin: str, rounds: int, visits: int) -> list[Visits]:
    """The proxies in turn, ``visits`` in each of the rounds. Raises SubjectError."""
    rows = [("page passed", name, False) for name in proxies]
    rows += [("page extracted", name, True) for name in proxies if name.startswith(OURS)]
    timed = {row: _Timed() for row in rows}
    for _, name, extracted in rows:  # connections are opened, the first page's code is loaded
        asyncio.run(_visits(proxies[name], origin, 2, extracted, _Timed()))
    for _ in range(rounds):
        for (_, name, extracted), found in timed.items():
            asyncio.run(_visits(proxies[name], origin, visits, extracted, found))
    return [
        Visits(what, name, Spread.of(one.cpu), _quantiles(one.page), _quantiles(one.whole))
        for (what, name, _), one in timed.items()
    ]


async def _visits(server: Server, origin: str, visits: int, extracted: bool, found: _Timed) -> None:
    async with _connections(server.port) as connections:
        before = server.cpu()
        for _ in range(visits):
            begun = time.perf_counter()
            page = f"{origin}{PAGE}?v={next(_numbers)}"
            host = {"Host": origin.partition("//")[2]}
            await ask(connections[0], page, {**host, **navigation(extracted=extracted)})
            found.page.append(1000 * (time.perf_counter() - begun))
            waiting = deque(sub_resources(page))
            await asyncio.gather(*(_fetch(each, origin, host, waiting) for each in connections))
            found.whole.append(1000 * (time.perf_counter() - begun))
        found.cpu.append(1000 * (server.cpu() - before) / visits)


async def _fetch(
    streams: Streams, origin: str, host: Mapping[str, str], waiting: deque[Asked]
) -> None:
    """One connection asks for the next of what waits until nothing does."""
    while waiting:
        asked = waiting.popleft()
        await ask(streams, f"{origin}{asked.path}", {**host, **asked.fields})


@asynccontextmanager
async def _connections(port: int) -> AsyncIterator[list[Streams]]:
    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(CONNECTIONS)]
    try:
        yield opened
    finally:
        for _, writer in opened:
            writer.close()


def _quantiles(values: list[float]) -> tuple[float, float]:
    """Median and 99th of a hundred."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2], ordered[min(int(0.99 * len(ordered)), len(ordered) - 1)]
