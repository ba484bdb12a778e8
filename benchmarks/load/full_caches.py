"""What the server process holds after many requests, with every cache of the defaults filled."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.load.clients import Tally, Visitor, Wanted
from benchmarks.load.programs import memory, origin, winnow
from benchmarks.load.request_mix import BROWSER
from benchmarks.load.runs import answering, extracting

CLIENTS: Final = 16
KEPT: Final = "kept"


@dataclass(frozen=True)
class Filled:
    """Bytes (RSS) of the processes that answer and of those that extract, after each tenth of the
    requests: where the answering ones no longer grow, their caches are full."""

    tally: Tally
    answering: tuple[int, ...]
    extracting: tuple[int, ...]


async def filled(folder: Path, requests: int) -> Filled:
    """So many cacheable pages of some 20 kB, each another one, through Winnow with its defaults."""
    tally, held, extracted = Tally(), list[int](), list[int]()
    async with origin() as pages, winnow(folder) as (process, port):
        numbers = count()
        for _ in range(10):
            part = iter(range(requests // 10))
            await asyncio.gather(
                *(_client(port, pages, part, numbers, tally) for _ in range(CLIENTS))
            )
            held.append(memory(answering(process.pid)))
            extracted.append(memory(extracting(process.pid)))
    return Filled(tally, tuple(held), tuple(extracted))


async def _client(
    port: int, pages: int, part: Iterator[int], numbers: Iterator[int], tally: Tally
) -> None:
    visitor = Visitor(port, tally)
    for _ in part:
        await visitor.ask(Wanted(KEPT, f"http://127.0.0.1:{pages}/kept/{next(numbers)}", BROWSER))
    visitor.close()
