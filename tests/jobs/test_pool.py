"""The pool of processes: answers, deadlines, deaths, and a bounded queue."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from winnow.jobs.job_types import PoolBusyError, WorkerDiedError, WorkerLateError
from winnow.jobs.pool import Pool, PoolLimits

WORKER = """
import os, struct, sys, time
source, sink = sys.stdin.buffer, sys.stdout.buffer
def put(frame):
    sink.write(struct.pack(">I", len(frame)) + frame); sink.flush()
put(b"")
while size := source.read(4):
    frame = source.read(struct.unpack(">I", size)[0])
    if frame == b"hang": time.sleep(60)
    if frame == b"die": os._exit(3)
    if frame == b"flood": sink.write(struct.pack(">I", 1 << 31)); sink.flush(); time.sleep(60)
    put(str(os.getpid()).encode() if frame == b"who" else frame[::-1])
"""
FAILS_ONCE = """
try:
    open({path!r}, "x")
    raise SystemExit(1)
except FileExistsError:
    pass
"""
COMMAND = [sys.executable, "-S", "-c", WORKER]
LIMITS = PoolLimits(workers=1, waiting=2, deadline=30, queue_seconds=30)


@asynccontextmanager
async def pooled(limits: PoolLimits = LIMITS) -> AsyncIterator[Pool]:
    pool = Pool(COMMAND, limits)
    try:
        yield pool
    finally:
        await pool.aclose()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("size", [0, 1, 3_000_000])
async def test_a_frame_is_answered(size: int) -> None:
    async with pooled() as pool:
        assert await pool.ask(b"a" * size + b"b") == b"b" + b"a" * size


async def test_one_worker_serves_many_jobs_and_all_end() -> None:
    async with pooled() as pool:
        pids = {int(await pool.ask(b"who")) for _ in range(5)}
        assert pids == set(pool.pids)
        assert len(pids) == 1
    assert not is_running(pids.pop())


async def test_jobs_run_side_by_side() -> None:
    async with pooled(replace(LIMITS, workers=2)) as pool:
        pool.start()
        assert await pool.begun(60)
        hanging = asyncio.create_task(pool.ask(b"hang"))
        assert await pool.ask(b"ab") == b"ba"
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging
        assert set(await asyncio.gather(pool.ask(b"ab"), pool.ask(b"cd"))) == {b"ba", b"dc"}


async def test_a_late_worker_is_ended_and_replaced() -> None:
    async with pooled(replace(LIMITS, deadline=0.2)) as pool:
        pool.start()
        assert await pool.begun(60)
        late = pool.pids[0]
        with pytest.raises(WorkerLateError):
            await pool.ask(b"hang")
        assert not is_running(late)
        pool.limits = LIMITS  # a busy machine may need longer for the next
        assert await pool.ask(b"ab") == b"ba"


@pytest.mark.parametrize("frame", [b"die", b"flood"])
async def test_a_worker_that_dies_or_floods_costs_one_job(frame: bytes) -> None:
    async with pooled() as pool:
        with pytest.raises(WorkerDiedError):
            await pool.ask(frame)
        assert await pool.ask(b"ab") == b"ba"


async def test_more_than_may_wait_are_turned_away() -> None:
    async with pooled() as pool:
        pool.start()
        assert await pool.begun(60)
        running = [asyncio.create_task(pool.ask(b"hang")) for _ in range(3)]
        await asyncio.sleep(0)
        assert pool.waiting == 2
        with pytest.raises(PoolBusyError):
            await pool.ask(b"ab")
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        assert await pool.ask(b"ab") == b"ba"


async def test_a_worker_is_replaced_after_its_share_of_jobs() -> None:
    async with pooled(replace(LIMITS, jobs_per_worker=2)) as pool:
        pids = [await pool.ask(b"who") for _ in range(4)]
        assert (pids[0], pids[2]) == (pids[1], pids[3])
        assert pids[0] != pids[2]


async def test_a_retired_or_killed_worker_is_replaced_before_the_next_job() -> None:
    """Issue 20, fault 1: a balancer that asks for readiness sends no page that would start one."""
    async with pooled(replace(LIMITS, jobs_per_worker=1)) as pool:
        assert not pool.is_starting  # nobody asked to start before the first job
        retired = int(await pool.ask(b"who"))
        killed = await other_than(pool, retired)
        os.kill(killed, signal.SIGKILL)
        await other_than(pool, killed)


async def other_than(pool: Pool, pid: int) -> int:
    """The process that takes another's place."""
    async with asyncio.timeout(60):
        while not pool.pids or pid in pool.pids:  # noqa: ASYNC110 - the pool tells nobody
            await asyncio.sleep(0.01)
    return pool.pids[0]


async def test_a_worker_that_ends_while_it_starts_is_started_again(tmp_path: Path) -> None:
    """Issue 20, fault 8."""
    program = FAILS_ONCE.format(path=str(tmp_path / "failed")) + WORKER
    pool = Pool([sys.executable, "-S", "-c", program], LIMITS)
    pool.start()
    assert pool.is_starting
    try:
        assert await pool.ask(b"ab") == b"ba"
        assert not pool.is_starting
    finally:
        await pool.aclose()


async def test_no_job_waits_for_workers_that_never_begin() -> None:
    pool = Pool([sys.executable, "-S", "-c", ""], LIMITS)
    pool.start()
    assert not await pool.begun(0.01)
    for _ in range(2):
        with pytest.raises(WorkerDiedError):
            await pool.ask(b"ab")
    await pool.aclose()


async def test_an_invalid_command_is_an_error() -> None:
    for command in (["/nonexistent/worker"], [sys.executable, "-S", "-c", ""]):
        pool = Pool(command, LIMITS)
        with pytest.raises(WorkerDiedError):
            await pool.ask(b"")
        await pool.aclose()
