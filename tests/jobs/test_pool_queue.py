"""Workers are shared fairly between clients: decided without a clock, tried with a virtual one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import pytest

from tests.virtual_time import run
from winnow.jobs.job_types import PoolBusyError, WorkerDiedError, WorkerLateError
from winnow.jobs.pool import Pool, PoolLimits, PoolWorker
from winnow.jobs.pool_queue import FairQueue, QueueLimits

LIMITS = QueueLimits(workers=2, total=6, each=4, reserve_seconds=60)


def queue(**jobs: int) -> FairQueue[str]:
    """So many jobs of each client, in that order."""
    waiting: FairQueue[str] = FairQueue(LIMITS)
    for client, count in jobs.items():
        for number in range(count):
            waiting.put(client, f"{client}{number}", 0)
    return waiting


def served(waiting: FairQueue[str], now: float = 0) -> list[str]:
    """The order in which one worker does all jobs."""
    order = []
    while taken := waiting.take(now):
        order.append(taken[1])
        waiting.give_back(taken[0])
    return order


def test_clients_take_turns() -> None:
    assert served(queue(a=3, b=1, c=2)) == ["a0", "b0", "c0", "a1", "c1", "a2"]


def test_who_holds_fewer_workers_goes_first() -> None:
    waiting: FairQueue[str] = FairQueue(replace(LIMITS, workers=4))
    for job in ("a0", "a1"):
        waiting.put("a", job, 0)
    assert waiting.take(0) == ("a", "a0")
    waiting.put("b", "b0", 0)
    assert waiting.take(0) == ("b", "b0")


def test_the_last_worker_stays_free_while_another_client_is_about() -> None:
    waiting = queue(a=4, b=1)
    assert [waiting.take(1), waiting.take(1)] == [("a", "a0"), ("b", "b0")]
    waiting.give_back("b")
    assert waiting.take(59) is None
    assert waiting.take(60) == ("a", "a1")


def test_a_client_alone_has_all_workers() -> None:
    waiting = queue(a=4)
    assert [waiting.take(0), waiting.take(0)] == [("a", "a0"), ("a", "a1")]


def test_a_client_has_so_many_waiting_jobs() -> None:
    waiting = queue(a=4)
    with pytest.raises(PoolBusyError):
        waiting.put("a", "more", 0)
    assert waiting.put("b", "b0", 0) is None


def test_beyond_the_total_the_client_with_the_most_loses_its_newest() -> None:
    waiting = queue(a=4, b=2)
    assert waiting.put("c", "c0", 0) == "a3"
    with pytest.raises(PoolBusyError):
        waiting.put("b", "b2", 0)  # as many as the longest queue: nobody gives way
    assert len(waiting) == 6


def test_who_leaves_waits_no_longer_and_leaves_nothing_behind() -> None:
    waiting = queue(a=1, b=1)
    waiting.remove("a", "a0")
    waiting.remove("a", "a0")
    assert served(waiting) == ["b0"]
    for number in range(1000):
        waiting.put(str(number), "job", 0)
        assert served(waiting) == ["job"]
    assert len(waiting._latest) == 2
    assert not waiting._held
    assert not waiting._waiting


@dataclass
class Sleeper:
    """A worker that takes as many seconds as the frame says."""

    ended: list[Sleeper]
    jobs: int = 0
    alive: bool = True
    pid: int = 0
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, frame: bytes, largest: int) -> bytes:
        self.jobs += 1
        await asyncio.sleep(float(frame))
        return frame

    async def gone(self) -> None:
        await self._over.wait()

    async def end(self) -> None:
        self.ended.append(self)
        self.alive = False
        self._over.set()

    __hash__ = object.__hash__


@dataclass
class World:
    """A pool of sleepers; each takes ``start`` seconds to start."""

    limits: PoolLimits = field(default_factory=lambda: PoolLimits(workers=2))
    start: float = 0.5
    ended: list[Sleeper] = field(default_factory=list)
    started: list[Sleeper] = field(default_factory=list)

    def pool(self) -> Pool:
        async def launch() -> PoolWorker:
            await asyncio.sleep(self.start)
            self.started.append(Sleeper(self.ended))
            return self.started[-1]

        return Pool((), self.limits, launch=launch)


def in_pool(work: Callable[[Pool], Awaitable[None]], world: World | None = None) -> None:
    """Try something with a started pool, by a virtual clock."""

    async def tried() -> None:
        pool = (world or World()).pool()
        pool.start()
        assert await pool.begun(60)
        try:
            await work(pool)
        finally:
            await pool.aclose()

    run(tried())


async def requested(pool: Pool, client: str, seconds: float) -> tuple[str, float]:
    """What came of a job, and how long its client waited."""
    begun = asyncio.get_running_loop().time()
    try:
        await pool.ask(str(seconds).encode(), client)
        outcome = "done"
    except (PoolBusyError, WorkerLateError, WorkerDiedError) as error:
        outcome = error.reason
    return outcome, round(asyncio.get_running_loop().time() - begun, 3)


def test_forty_slow_pages_of_one_client_do_not_hold_up_another() -> None:
    """Issue 15, fault 6: another client's ordinary page waited 240 s."""
    world = World()

    async def work(pool: Pool) -> None:
        slow = [asyncio.create_task(requested(pool, "a", 60)) for _ in range(40)]
        await asyncio.sleep(0.1)
        assert await requested(pool, "b", 0.05) == ("done", 0.55)  # one worker more
        for _ in range(200):
            slow.append(asyncio.create_task(requested(pool, "a", 60)))
            outcome, seconds = await requested(pool, "b", 0.05)
            assert outcome == "done"
            assert seconds == pytest.approx(0.05)  # also while a killed worker's successor starts
        assert len(world.started) - len(world.ended) in (1, 2)
        for task in slow:
            outcome, seconds = await task
            assert (outcome, seconds < 2.001) in {("busy", True), ("deadline", False)}
            assert seconds <= 5.001

    in_pool(work, world)


def test_the_wait_counts_in_the_deadline() -> None:
    async def work(pool: Pool) -> None:
        first = asyncio.create_task(requested(pool, "a", 1.9))
        await asyncio.sleep(0)
        assert await requested(pool, "a", 60) == ("deadline", 5)
        assert await first == ("done", 1.9)

    in_pool(work, World(PoolLimits(workers=1)))


def test_a_wait_that_began_elsewhere_is_not_restarted() -> None:
    async def work(pool: Pool) -> None:
        holding = asyncio.create_task(requested(pool, "a", 4))
        await asyncio.sleep(1.5)
        with pytest.raises(PoolBusyError):
            await pool.ask(b"0", "b", since=0.5)
        assert asyncio.get_running_loop().time() == pytest.approx(2.5)
        await holding

    in_pool(work, World(PoolLimits(workers=1)))


def test_where_nobody_waits_for_the_answer_the_deadline_is_that_of_the_work() -> None:
    async def work(pool: Pool) -> None:
        outcomes = await asyncio.gather(*(requested(pool, "", 4.9) for _ in range(4)))
        assert [outcome for outcome, _ in outcomes] == ["done"] * 4

    in_pool(work, World(PoolLimits(workers=1, queue_seconds=float("inf"))))


def test_a_late_worker_is_replaced_before_the_next_page_comes() -> None:
    world = World(PoolLimits(workers=1))

    async def work(pool: Pool) -> None:
        assert (await requested(pool, "a", 60))[0] == "deadline"
        await asyncio.sleep(1)
        assert len(world.started) == 2
        assert await requested(pool, "a", 0.1) == ("done", 0.1)

    in_pool(work, world)


def test_a_worker_that_is_killed_while_idle_is_replaced_at_once() -> None:
    world = World(PoolLimits(workers=1))

    async def work(pool: Pool) -> None:
        await requested(pool, "a", 0)
        await world.started[0].end()
        await asyncio.sleep(1)
        assert len(world.started) == 2
        assert await requested(pool, "a", 0.1) == ("done", 0.1)

    in_pool(work, world)


def test_workers_that_end_before_they_did_anything_are_started_after_growing_waits() -> None:
    world = World(PoolLimits(workers=1))

    async def work(pool: Pool) -> None:
        begun = asyncio.get_running_loop().time()
        for number in range(8):
            while len(world.started) == number:  # noqa: ASYNC110 - the clock is virtual
                await asyncio.sleep(0.1)
            await world.started[number].end()
        assert asyncio.get_running_loop().time() - begun > 0.1 + 0.2 + 0.4 + 0.8 + 1.6 + 3.2
        assert (await requested(pool, "a", 0.1))[0] == "busy"  # the next one begins after 6.4 s
        await asyncio.sleep(10)
        assert (await requested(pool, "a", 0.1))[0] == "done"

    in_pool(work, world)


def test_who_leaves_in_the_moment_of_its_turn_hands_it_on() -> None:
    async def work(pool: Pool) -> None:
        holding = asyncio.create_task(requested(pool, "a", 1))
        await asyncio.sleep(0)
        leaving = asyncio.create_task(requested(pool, "b", 1))
        waiting = asyncio.create_task(requested(pool, "c", 0.1))
        await holding
        leaving.cancel()
        assert (await waiting)[0] == "done"
        assert pool.waiting == 0

    in_pool(work, World(PoolLimits(workers=1)))


def test_closing_tells_those_that_wait() -> None:
    async def tried() -> None:
        pool = World(replace(PoolLimits(), workers=1)).pool()
        waiting = [asyncio.create_task(requested(pool, "a", 1)) for _ in range(3)]
        await asyncio.sleep(0.1)
        await pool.aclose()
        assert {outcome for outcome, _ in await asyncio.gather(*waiting)} == {"worker-died"}
        assert (await requested(pool, "a", 1))[0] == "worker-died"

    run(tried())
