"""Processes that are killed, frozen and told to end while clients ask for pages: what it cost.

Each returns what was counted, to be printed; a proxy and an origin of its own each.
"""

from __future__ import annotations

import asyncio
import os
import resource
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.free_ports import free_port
from benchmarks.load.clients import Tally, Wanted, visits
from benchmarks.load.local_deployment import local_set
from benchmarks.load.programs import children, origin, winnow
from tests.features.redis.redises import redis

PAGE = "text/html,*/*;q=0.8"
CLIENTS, TIMES = 16, 20
SETTINGS = {
    "WINNOW_EXTRACTION__PROCESSES": "2",
    "WINNOW_EXTRACTION__EXTRACTOR": "bte",
    "WINNOW_LEARNING__ENABLED": "false",
}


@dataclass(frozen=True)
class Cost:
    """``allowed``: failures that there may be; ``note`` says what else was seen."""

    done: int
    failed: int
    allowed: int
    note: str = ""


@asynccontextmanager
async def load(port: int, pages: int, share: int = 4) -> AsyncIterator[Tally]:
    """Clients as long as the context lasts; each ``share``-th page may be cached."""
    tally, stop, numbers = Tally(), asyncio.Event(), count()

    def choose() -> Wanted:
        number = next(numbers)
        kind = "kept" if number % share == 0 else "story"
        return Wanted(kind, f"http://127.0.0.1:{pages}/{kind}/{number % 300}", PAGE)

    work = [asyncio.create_task(visits(port, choose, tally, stop, 20)) for _ in range(CLIENTS)]
    try:
        yield tally
    finally:
        stop.set()
        await asyncio.gather(*work)


async def further(tally: Tally, number: int = 3 * CLIENTS) -> None:
    """Wait for so many replies more."""
    wanted = tally.done + number
    async with asyncio.timeout(120):
        while tally.done < wanted:  # noqa: ASYNC110 - the tally is no event
            await asyncio.sleep(0.01)


async def pool_killed(folder: Path) -> Cost:
    """A process that extracts, twenty times: its page goes through as it came."""
    async with origin() as pages, winnow(folder, environment=SETTINGS) as (process, port):
        async with load(port, pages) as tally:
            await further(tally)
            for number in range(TIMES):
                pids = children(process.pid, "winnow.engine.worker")
                if pids:
                    os.kill(pids[number % len(pids)], signal.SIGKILL)
                await further(tally)
        return Cost(tally.done, tally.failures, 0)


async def server_process_killed(folder: Path) -> Cost:
    """One of two processes that answer, twenty times: what was under way on it is lost."""
    allowed = 0
    flags = ("--processes", "2")
    async with origin() as pages, winnow(folder, *flags, environment=SETTINGS) as (process, port):
        async with load(port, pages) as tally:
            await further(tally)
            for number in range(TIMES):
                pids = await _both(process.pid)
                allowed += tally.under_way
                os.kill(pids[number % 2], signal.SIGKILL)
                await further(tally)
        return Cost(tally.done, tally.failures, allowed, f"{tally.refused} refused")


async def _both(pid: int) -> list[int]:
    """Both server processes, each with a worker, so that both answer."""
    async with asyncio.timeout(120):
        while True:
            pids = children(pid, "compose.server_process")
            if len(pids) == 2 and all(children(each, "winnow.engine.worker") for each in pids):
                return pids
            await asyncio.sleep(0.05)


async def reloaded(folder: Path) -> Cost:
    """SIGHUP twenty times."""
    flags = ("--processes", "2")
    async with origin() as pages, winnow(folder, *flags, environment=SETTINGS) as (process, port):
        async with load(port, pages) as tally:
            for _ in range(TIMES):
                process.send_signal(signal.SIGHUP)
                await further(tally)
        return Cost(tally.done, tally.failures, 0, f"{tally.refused} refused")


async def told_to_end(folder: Path) -> Cost:
    """SIGTERM under load, of two server processes."""
    flags = ("--processes", "2")
    async with origin() as pages, winnow(folder, *flags, environment=SETTINGS) as (process, port):
        async with load(port, pages) as tally:
            await further(tally)
            process.send_signal(signal.SIGTERM)
            await process.wait()
        return Cost(tally.done, tally.failures, 0, f"exit {process.returncode}")


async def redis_faults(folder: Path) -> Cost:
    """Redis frozen, thawed, killed and started again."""
    port_of_redis = free_port()
    more = {**SETTINGS, "WINNOW_CACHE__REDIS": f"redis://127.0.0.1:{port_of_redis}/0"}
    async with origin() as pages, winnow(folder, environment=more) as (_, port):
        async with load(port, pages) as tally:
            for _ in range(3):
                async with redis(port_of_redis) as made:
                    await further(tally)
                    made.freeze()
                    await further(tally)
                    made.thaw()
                    await further(tally)
                await further(tally)
        return Cost(tally.done, tally.failures, 0)


async def disk_full(folder: Path) -> Cost:
    """No file may grow beyond 64 kB, as on a full disk, while replies are kept there."""
    more = {**SETTINGS, "WINNOW_CACHE__DISK": "100 MB", "WINNOW_CACHE__MEMORY": "1 MiB"}
    async with origin() as pages, winnow(folder, environment=more) as (process, port):
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (65536, 65536))
        async with load(port, pages, share=1) as tally:
            await further(tally, 20 * CLIENTS)
        return Cost(tally.done, tally.failures, 0)


async def instance_killed(folder: Path) -> Cost:
    """One of two instances behind HAProxy."""
    async with origin() as pages, local_set(folder, SETTINGS) as running:
        async with load(running.port, pages) as tally:
            await further(tally)
            allowed = tally.under_way
            os.kill(running.instances[0].process.pid, signal.SIGKILL)
            await further(tally, 20 * CLIENTS)
        return Cost(tally.done, tally.failures, allowed, f"{tally.refused} refused")


PROCESSES: dict[str, Callable[[Path], Awaitable[Cost]]] = {
    "a process that extracts is killed, 20 times": pool_killed,
    "one of two server processes is killed, 20 times": server_process_killed,
    "settings are read again (SIGHUP), 20 times": reloaded,
    "told to end (SIGTERM)": told_to_end,
    "Redis frozen, killed and started again, 3 times": redis_faults,
    "the disk is full": disk_full,
    "one of two instances is killed": instance_killed,
}
