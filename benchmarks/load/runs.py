"""Measurements: many clients for a while, many idle connections, and a long run. Prints nothing."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.load.clients import Tally, Visitor, visits
from benchmarks.load.programs import children, memory, origin, winnow
from benchmarks.load.request_mix import cacheable_pages, mixed

EXTRACTING: Final = "winnow.engine.worker"
SMALL: Final = {"WINNOW_CACHE__MEMORY": "4 MiB", "WINNOW_CACHE__RENDERINGS": "4 MiB"}
"""Caches that are full within seconds: what grows after that is no cache."""


@dataclass
class Samples:
    """Bytes of the processes that answer, and of those that extract, once a second."""

    answering: list[float] = field(default_factory=list)
    extracting: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Loaded:
    """``blocks``: the longest callbacks as [when, wall, CPU, name], of the measured time alone."""

    tally: Tally
    samples: Samples
    blocks: Sequence[Sequence[Any]]
    seconds: float


@dataclass(frozen=True)
class Idle:
    """``each``: bytes of one idle connection."""

    connections: int
    each: float


def answering(pid: int) -> list[int]:
    """The processes that answer: a supervisor's, or the one itself."""
    return [pid, *children(pid, "compose.server_process")]


def extracting(pid: int) -> list[int]:
    return [each for parent in answering(pid) for each in children(parent, EXTRACTING)]


async def loaded(folder: Path, seconds: float, clients: int, flags: Sequence[str] = ()) -> Loaded:
    """So many clients for so long, each with one connection."""
    noted = folder / "blocks.json"
    async with origin() as pages:
        async with winnow(folder, *flags, environment=SMALL, probed=noted) as (process, port):
            await warmed(port, pages)
            tally, stop, begun = Tally(), asyncio.Event(), time.monotonic()
            choose, samples = mixed(pages), Samples()
            work = [asyncio.create_task(visits(port, choose, tally, stop)) for _ in range(clients)]
            await sample(process.pid, samples, seconds)
            stop.set()
            await asyncio.gather(*work)
            ended = time.monotonic()
        found = json.loads(noted.read_text())
    return Loaded(
        tally, samples, [each for each in found if begun < each[0] < ended], ended - begun
    )


async def warmed(port: int, pages: int) -> None:
    """Have every cacheable page stored."""
    visitor = Visitor(port, Tally())
    for each in cacheable_pages(pages):
        await visitor.ask(each)
    visitor.close()


async def sample(pid: int, samples: Samples, seconds: float) -> None:
    """Look at the memory once a second."""
    for _ in range(int(seconds)):
        await asyncio.sleep(1)
        samples.answering.append(memory(answering(pid)))
        samples.extracting.append(memory(extracting(pid)))


async def idle(folder: Path, connections: int, flags: Sequence[str] = ()) -> Idle:
    """So many connections that have each carried a request, and wait for the next."""
    async with origin() as pages, winnow(folder, *flags) as (process, port):
        await warmed(port, pages)
        await asyncio.gather(*(held(port, pages) for _ in range(50)))  # what the first ones cost
        before = memory(answering(process.pid))
        visitors = [Visitor(port, Tally()) for _ in range(connections)]
        wanted = cacheable_pages(pages)
        for at in range(0, connections, 50):
            pairs = zip(visitors[at : at + 50], wanted, strict=False)
            await asyncio.gather(*(visitor.ask(each) for visitor, each in pairs))
        after = memory(answering(process.pid))
        open_now = sum(visitor.is_open for visitor in visitors)
        for visitor in visitors:
            visitor.close()
    return Idle(open_now, (after - before) / max(open_now, 1))


async def held(port: int, pages: int) -> None:
    """One connection with one request."""
    visitor = Visitor(port, Tally())
    await visitor.ask(cacheable_pages(pages)[0])
    visitor.close()
