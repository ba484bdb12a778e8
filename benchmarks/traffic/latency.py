"""What a reader waits for: extraction at a given rate of pages, and a stream's first byte."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from itertools import count

from benchmarks.traffic.async_client import Timed, ask, at_rate
from benchmarks.traffic.processes import Server
from benchmarks.traffic.proxies import OURS, REFERENCE
from benchmarks.traffic.workloads import NAVIGATION, WITHIN

PER_SECOND = 20
WARMING = 40
"""Pages that are requested before it is measured: each process loads its model with its first."""
_numbers = count()


@dataclass(frozen=True, slots=True)
class Waits:
    """Milliseconds, median and 99th of a hundred."""

    what: str
    median: float
    worst: float


def measured(proxies: Mapping[str, Server], origin: str, pages: int) -> list[Waits]:
    """Pages extracted and passed at 20 a second in turn, then first bytes of streams."""
    return asyncio.run(_measured(proxies, origin, pages))


async def _measured(proxies: Mapping[str, Server], origin: str, pages: int) -> list[Waits]:
    ours = proxies[OURS].port
    half = max(pages // 2, 1)
    passed: list[Timed] = []
    cold: list[Timed] = []
    # A page is cold where it is in no cache; the processes are those of a proxy that has run.
    await at_rate([_asking(ours, origin, NAVIGATION)] * WARMING, PER_SECOND)
    for _ in range(2):
        passed += await at_rate([_asking(ours, origin, WITHIN)] * half, PER_SECOND)
        cold += await at_rate([_asking(ours, origin, NAVIGATION)] * half, PER_SECOND)
    through, own = await _first_bytes(proxies, origin, pages)
    waits = [
        _waits("100 kB passed, 20 a second", [timed.last for timed in passed]),
        _waits("100 kB extracted cold, 20 a second", [timed.last for timed in cold]),
        _waits("first byte of a stream, pass-through", through),
        _waits("first byte of a stream, winnow", own),
    ]
    extraction = _added("added by extraction", *waits[:2])
    beyond = _added("first byte, added to the pass-through's", *waits[2:])
    return [*waits[:2], extraction, *waits[2:], beyond]


def _asking(proxy: int, origin: str, fields: Mapping[str, str]) -> Callable[[], Awaitable[Timed]]:
    async def one() -> Timed:
        target = f"{origin}/page.html?t={next(_numbers)}"
        return await _alone(proxy, origin, target, fields)

    return one


async def _alone(proxy: int, origin: str, target: str, fields: Mapping[str, str]) -> Timed:
    streams = await asyncio.open_connection("127.0.0.1", proxy)
    try:
        return await ask(streams, target, {"Host": origin.partition("//")[2], **fields})
    finally:
        streams[1].close()
        await streams[1].wait_closed()


async def _first_bytes(
    proxies: Mapping[str, Server], origin: str, times: int
) -> tuple[list[float], list[float]]:
    found: dict[str, list[float]] = {REFERENCE: [], OURS: []}
    for _ in range(times):
        for name, firsts in found.items():
            timed = await _alone(proxies[name].port, origin, f"{origin}/stream.bin", WITHIN)
            firsts.append(timed.first)
    return found[REFERENCE], found[OURS]


def _waits(what: str, seconds: list[float]) -> Waits:
    ordered = sorted(seconds)
    worst = ordered[min(round(0.99 * len(ordered)), len(ordered) - 1)]
    return Waits(what, 1000 * statistics.median(ordered), 1000 * worst)


def _added(what: str, less: Waits, more: Waits) -> Waits:
    return Waits(what, more.median - less.median, more.worst - less.worst)
