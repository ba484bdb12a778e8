"""What one client's slow pages do to another's: the quantiles of its waits, without and with."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.load.clients import Tally, Visitor, Wanted
from benchmarks.load.figures import quantile
from benchmarks.load.programs import origin, winnow
from benchmarks.load.request_mix import BROWSER, EXTRACTION

SLOW_PAGES: Final = 64
SLOW, BESIDE = "127.0.0.7", "127.0.0.8"
"""Loopback addresses of the two clients: Winnow tells clients apart by these."""
PAUSE: Final = 0.05
"""Seconds between the other client's pages, as of a person or a feed reader."""
AGAIN: Final = 1.0
"""Seconds after which a slow page is asked for again: bandwidth is not what is measured."""


@dataclass(frozen=True)
class Fairness:
    """Seconds that the other client waited for each page, ``alone`` and ``beside`` the slow ones.

    ``slow_pages``: how many of these were answered meanwhile; ``failures`` of either client.
    """

    alone: list[float]
    beside: list[float]
    slow_pages: int
    failures: int

    @property
    def lift(self) -> float:
        """Seconds by which the other client's p99 rose."""
        return quantile(self.beside, 0.99) - quantile(self.alone, 0.99)


async def fairness(folder: Path, seconds: float, slow_pages: int = SLOW_PAGES) -> Fairness:
    """Each half for so many seconds, on one Winnow."""
    async with origin() as pages, winnow(folder) as (_, port):
        number, tallies = count(), [Tally(), Tally(), Tally()]
        stories = _pages(pages, "story", number)
        await _reading(port, stories, seconds / 4, tallies[0])  # what the first pages cost
        tallies[0] = Tally()
        await _reading(port, stories, seconds, tallies[0])
        dear = _pages(pages, "dear", number)
        slow = [asyncio.create_task(_always(port, dear, tallies[2])) for _ in range(slow_pages)]
        await asyncio.sleep(1)
        await _reading(port, stories, seconds, tallies[1])
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
    alone, beside, others = tallies
    failures = sum(tally.failures + tally.refused for tally in tallies)
    return Fairness(alone.seconds[EXTRACTION], beside.seconds[EXTRACTION], others.done, failures)


def _pages(port: int, kind: str, number: Iterator[int]) -> Callable[[], Wanted]:
    return lambda: Wanted(EXTRACTION, f"http://127.0.0.1:{port}/{kind}/{next(number)}", BROWSER)


async def _reading(port: int, choose: Callable[[], Wanted], seconds: float, tally: Tally) -> None:
    visitor, until = Visitor(port, tally, source=BESIDE), time.monotonic() + seconds
    while time.monotonic() < until:
        await visitor.ask(choose())
        await asyncio.sleep(PAUSE)
    visitor.close()


async def _always(port: int, choose: Callable[[], Wanted], tally: Tally) -> None:
    visitor = Visitor(port, tally, source=SLOW)
    with suppress(ConnectionRefusedError):
        while True:
            await visitor.ask(choose())
            await asyncio.sleep(AGAIN)
