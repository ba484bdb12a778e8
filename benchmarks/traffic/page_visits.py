"""Visits of a browser by its trace: CPU for the whole page, and what its reader waits for."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count

from benchmarks.traffic.async_client import Streams, ask
from benchmarks.traffic.page_trace import PAGE, Asked, navigation, sub_resources
from benchmarks.traffic.processes import Server
from benchmarks.traffic.proxies import OURS
from benchmarks.traffic.request_cost import Spread

CONNECTIONS = 6
"""What browsers open to one host; kept from visit to visit."""
_numbers = count()


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
