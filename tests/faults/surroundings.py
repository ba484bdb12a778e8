"""Disks, clocks and limits that go wrong under load; each returns what it cost.

A disk is a tmpfs of its own (root alone may mount one), a clock is jumping_clock.c.
"""

from __future__ import annotations

import asyncio
import resource
import signal
import sqlite3
import struct
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from benchmarks.load.programs import origin, winnow
from tests.faults.processes import CLIENTS, SETTINGS, Cost, further, load
from tests.faults.settings_form import paused
from tests.programs import require_program
from tests.proxy.origins import ask, get

DAY = 86_400
IDLE = 1_100
MOST_ON_DISK = 10_000_000
"""Bytes for a cache of 1 MB: its index, free pages, and the log, which may take 8 MiB."""
CACHED = {"WINNOW_CACHE__DISK": "1 MB", "WINNOW_CACHE__MEMORY": "1 MiB"}
_FULL, _READ_ONLY = 507, 503


@contextmanager
def small_disk(folder: Path, size: str = "8m") -> Iterator[Path]:
    """A file system of its own at ``folder``. Raises CalledProcessError without root."""
    folder.mkdir()
    _run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder))
    try:
        yield folder
    finally:
        _run("umount", "--lazy", str(folder))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def fill(path: Path) -> None:
    """Write until there is no room."""
    with path.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


async def certificate(port: int) -> int:
    """The status of the authority's certificate, which is made when it is first asked for."""
    return (await ask(port, get(f"http://127.0.0.1:{port}/-/ca.crt"))).status


async def no_room(folder: Path) -> Cost:
    """Everything that is written finds the disk full; then there is room again."""
    with small_disk(folder / "data") as data:
        more = {**SETTINGS, **CACHED}
        async with origin() as pages, winnow(folder, environment=more) as (_, port):
            async with load(port, pages, share=1) as tally:
                await further(tally)
                await asyncio.to_thread(fill, data / "filler")
                during = await certificate(port), await paused(port)
                await further(tally, 10 * CLIENTS)
                (data / "filler").unlink()
                after = await certificate(port), await paused(port)
                await further(tally)
            # a small change may still fit into the log's last page: 507 or as ever
            fine = during[0] == _FULL and during[1] in (_FULL, 303) and after == (200, 303)
            note = f"CA and choice: {during}, then {after}"
            return Cost(tally.done, tally.failures + (not fine), 0, note)


async def read_only(folder: Path) -> Cost:
    """Winnow starts with a data folder that it cannot write."""
    with small_disk(folder / "data") as data:
        _run("mount", "-o", "remount,ro", str(data))
        more = {**SETTINGS, **CACHED}
        async with origin() as pages, winnow(folder, environment=more) as (_, port):
            async with load(port, pages, share=1) as tally:
                await further(tally)
                during = await certificate(port), await paused(port)
                await further(tally, 10 * CLIENTS)
            fine = during == (_READ_ONLY, _READ_ONLY)
            note = f"CA and choice: {during}"
            return Cost(tally.done, tally.failures + (not fine), 0, note)


async def clock_jumps(folder: Path) -> Cost:
    """A day ahead, right again, a day behind, right again; a form is sent after each."""
    source, shim = Path(__file__).with_name("jumping_clock.c"), folder / "clock.so"
    _run(
        str(require_program("gcc")), "-shared", "-fPIC", "-O1", "-o", str(shim), str(source), "-ldl"
    )
    offset = folder / "offset"
    offset.write_bytes(struct.pack("q", 0))
    more = {**SETTINGS, **CACHED, "LD_PRELOAD": str(shim), "JUMPING_CLOCK": str(offset)}
    async with origin() as pages, winnow(folder, environment=more) as (_, port):
        statuses: list[int] = []
        async with load(port, pages) as tally:
            await further(tally)
            for seconds in (DAY, 0, -DAY, 0):
                with offset.open("r+b") as file:
                    file.write(struct.pack("q", seconds))
                statuses += [await paused(port), await certificate(port)]
                await further(tally, 5 * CLIENTS)
        wrong = sum(status not in (200, 303) for status in statuses)
        return Cost(tally.done, tally.failures + wrong, 0, f"{wrong} forms refused")


async def few_files(folder: Path) -> Cost:
    """1,024 open files at most, and more idle connections than that; then they end."""
    async with origin() as pages, winnow(folder, environment=SETTINGS) as (process, port):
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (1024, 1024))
        process.send_signal(signal.SIGHUP)  # bounds are drawn anew
        await asyncio.sleep(3)
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(IDLE)]
        told = 503  # who is turned away may meet the end of the connection before the reply
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            async with asyncio.timeout(30):
                told = (await ask(port, get(f"http://127.0.0.1:{pages}/story/0"))).status
        for _, writer in idle:
            writer.close()
        async with load(port, pages) as tally:
            await further(tally, 5 * CLIENTS)
        failed = tally.failures + (told not in (200, 503))
        return Cost(tally.done, failed, 0, f"{IDLE + 1}th connection: {told}")


async def full_cache(folder: Path) -> Cost:
    """More replies than the cache on disk may hold: its bound is kept."""
    more = {**SETTINGS, **CACHED}
    async with origin() as pages, winnow(folder, environment=more) as (_, port):
        async with load(port, pages, share=1) as tally:
            await further(tally, 40 * CLIENTS)
        path = folder / "data" / "cache.sqlite3"
        with closing(sqlite3.connect(path)) as database:
            (held,) = database.execute("SELECT size FROM total").fetchone()
        size = sum(each.stat().st_size for each in path.parent.glob("cache.sqlite3*"))
        note = f"{held / 1e6:.2f} MB held, {size / 1e6:.1f} MB on disk"
        return Cost(tally.done, tally.failures + (size > MOST_ON_DISK), 0, note)


async def one_folder(folder: Path) -> Cost:
    """Two instances with one data folder, both changed under load."""
    async with (
        origin() as pages,
        winnow(folder, environment=SETTINGS) as (_, one),
        winnow(folder, environment=SETTINGS) as (_, two),
        load(one, pages) as tally,
        load(two, pages) as other,
    ):
        statuses = [await paused(port) for _ in range(20) for port in (one, two)]
        await further(tally)
        await further(other)
        wrong = sum(status != 303 for status in statuses)
    with closing(sqlite3.connect(folder / "data" / "choices.sqlite3")) as database:
        (sound,) = database.execute("PRAGMA integrity_check").fetchone()
    said = "another winnow uses" in (folder / "winnow.log").read_text().lower()
    failed = tally.failures + other.failures + wrong + (sound != "ok") + (not said)
    return Cost(tally.done + other.done, failed, 0, f"files {sound}, told: {said}")


SURROUNDINGS: dict[str, Callable[[Path], Awaitable[Cost]]] = {
    "the disk is full (tmpfs), then has room again": no_room,
    "the data folder is read-only from the start": read_only,
    "the clock jumps a day ahead and a day back": clock_jumps,
    "1,024 open files, 1,100 idle connections": few_files,
    "the cache is beyond its bound on disk": full_cache,
    "two instances use one data folder": one_folder,
}
