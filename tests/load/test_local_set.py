"""Two instances behind HAProxy with one Redis: either may end, and readers hardly notice."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest

from benchmarks.load.clients import Tally, Visitor, Wanted, visits
from benchmarks.load.local_deployment import SETTINGS, LocalSet, local_set
from benchmarks.load.programs import origin
from tests.programs import require_program

pytestmark = pytest.mark.release

PAGE = "text/html,*/*;q=0.8"
CLIENTS = 8


@asynccontextmanager
async def load(port: int, pages: int) -> AsyncIterator[Tally]:
    """Clients that ask for pages as long as the context lasts."""
    tally, stop, numbers = Tally(), asyncio.Event(), count()

    def choose() -> Wanted:
        number = next(numbers)
        kind = "kept" if number % 2 else "story"
        return Wanted(kind, f"http://127.0.0.1:{pages}/{kind}/{number % 40}", PAGE)

    work = [asyncio.create_task(visits(port, choose, tally, stop, 7)) for _ in range(CLIENTS)]
    yield tally
    stop.set()
    await asyncio.gather(*work)


async def further(tally: Tally, number: int = 3 * CLIENTS) -> None:
    """Wait for so many replies more."""
    wanted = tally.done + number
    async with asyncio.timeout(60):
        while tally.done < wanted:  # noqa: ASYNC110 - the tally is no event
            await asyncio.sleep(0.02)


async def cache_status(running: LocalSet, pages: int) -> list[str]:
    """What each instance's cache says of the same page, which was asked for by none before."""
    found = []
    for instance in running.instances:
        visitor = Visitor(instance.port, Tally())
        got = await visitor.ask(Wanted("kept", f"http://127.0.0.1:{pages}/kept/1000", PAGE))
        found.append(got.fields["cache-status"].partition("; ")[2] if got else "")
        visitor.close()
    return [text.partition("; ttl")[0] for text in found]


async def test_redis_and_an_instance_may_end_under_load(tmp_path: Path) -> None:
    for name in ("redis-server", "haproxy"):
        require_program(name)
    settings = {**SETTINGS, "WINNOW_EXTRACTION__EXTRACTOR": "bte"}
    async with (
        origin() as pages,
        local_set(tmp_path, settings) as running,
        load(running.port, pages) as tally,
    ):
        assert await cache_status(running, pages) == ["fwd=uri-miss; stored", "hit"]
        await further(tally)
        running.redis.send_signal(signal.SIGSTOP)
        await further(tally)
        running.redis.send_signal(signal.SIGCONT)
        await further(tally)
        running.redis.kill()
        await further(tally)
        assert tally.failures == 0  # a Redis that is frozen or gone is a miss
        under_way = tally.under_way
        os.kill(running.instances[0].process.pid, signal.SIGKILL)
        await further(tally, 10 * CLIENTS)
        assert tally.failures <= under_way
        assert tally.refused == 0
