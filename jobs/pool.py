"""A bounded pool of worker processes that answer frames of bytes, shared fairly between clients.

A worker that misses its deadline, dies or answers out of turn is killed and replaced at
once: one bad page costs one worker, not the pool.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, cast

from winnow.jobs.backoff import Backoff
from winnow.jobs.job_types import (
    JobError,
    PoolBusyError,
    PoolStartingError,
    WorkerDiedError,
    WorkerLateError,
)
from winnow.jobs.pool_queue import FairQueue, QueueLimits
from winnow.jobs.pool_worker import launched

_LOG = logging.getLogger("winnow.jobs.pool")
KILLED_WITHIN: Final = 1.0
"""Seconds that a job waits for its killed worker to be gone; the kernel may take longer."""


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """``deadline``: seconds for a job in all; ``queue_seconds`` of it may pass without a worker.

    An infinite ``queue_seconds`` is for jobs that nobody waits for: their deadline counts from when
    a worker takes them. ``waiting`` jobs may wait for a worker, ``waiting_each`` of one client;
    ``largest_reply`` in bytes.
    """

    workers: int = 2
    waiting: int = 64
    waiting_each: int = 32
    queue_seconds: float = 2.0
    deadline: float = 5.0
    largest_reply: int = 128 * 1024 * 1024
    jobs_per_worker: int = 5000
    start_seconds: float = 60.0


class PoolWorker(Protocol):
    """What runs jobs, one at a time; ``jobs`` is how many it was given."""

    jobs: int

    @property
    def pid(self) -> int: ...

    @property
    def alive(self) -> bool: ...

    async def ask(self, frame: bytes, largest: int) -> bytes: ...

    async def gone(self) -> None: ...

    async def end(self) -> None: ...


class Pool:
    """``ask`` gives a frame to a free worker, or waits in the queue for one."""

    def __init__(
        self,
        command: Sequence[str],
        limits: PoolLimits | None = None,
        environment: Mapping[str, str] | None = None,
        launch: Callable[[], Awaitable[PoolWorker]] | None = None,
    ) -> None:
        """``launch`` starts a worker in another way than by ``command``."""
        self.limits = limits or PoolLimits()
        self._launch = launch or (lambda: launched(command, environment, self.limits.start_seconds))
        within = QueueLimits(self.limits.workers, self.limits.waiting, self.limits.waiting_each)
        self._queue: FairQueue[asyncio.Future[PoolWorker]] = FairQueue(within)
        self._workers: set[PoolWorker] = set()
        self._idle: list[PoolWorker] = []
        self._starts: set[asyncio.Task[None]] = set()
        self._begun = asyncio.Event()
        self._eager = self._closed = False
        self._backoff = Backoff()
        self._failure: JobError | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        self.ended = 0
        """Workers that were killed or died; those that had their share of jobs are not counted."""

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._workers if worker.alive]

    @property
    def waiting(self) -> int:
        return len(self._queue)

    @property
    def is_starting(self) -> bool:
        """Whether ``start`` was called and no worker has begun yet."""
        return self._eager and not self._begun.is_set()

    def start(self) -> None:
        """Start all workers now rather than at the first job. One that fails is tried again."""
        self._eager = True
        for _ in range(self._missing):
            self._start()

    async def begun(self, seconds: float) -> bool:
        """Whether a worker has begun at least once, within so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._begun.wait()
        except TimeoutError:
            return self._begun.is_set()
        return True

    async def ask(self, frame: bytes, client: str = "", since: float | None = None) -> bytes:
        """Have a worker answer. ``client``: whose job it is; ``since``: loop time of its request.

        Raises PoolBusyError, PoolStartingError, WorkerLateError or WorkerDiedError.
        """
        started = asyncio.get_running_loop().time() if since is None else since
        worker = await self._free_worker(client, started)
        usable = False
        try:
            async with asyncio.timeout_at(self._deadline(started)):
                answer = await worker.ask(frame, self.limits.largest_reply)
            usable = worker.jobs < self.limits.jobs_per_worker
        except TimeoutError as error:
            raise WorkerLateError("The page took too long.") from error
        finally:
            surplus = self._idle and len(self._workers) > self.limits.workers
            if usable and not surplus:
                self._queue.give_back(client)
                self._idle.append(worker)
                self._hand_out()
            else:
                await self._replace(worker, client)
        return answer

    async def aclose(self) -> None:
        """End all workers; jobs that wait or run fail with WorkerDiedError."""
        self._closed = True
        self._fail_waiting(WorkerDiedError("The pool is closed."))
        for start in self._starts:
            start.cancel()
        await asyncio.gather(*self._starts, return_exceptions=True)
        workers, self._workers = self._workers, set()
        self._idle.clear()
        await asyncio.gather(*(worker.end() for worker in workers))
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _deadline(self, started: float) -> float:
        patient = math.isinf(self.limits.queue_seconds)
        return (asyncio.get_running_loop().time() if patient else started) + self.limits.deadline

    async def _free_worker(self, client: str, started: float) -> PoolWorker:
        """Wait for a worker in turn, the first one's start included.

        Raises PoolBusyError or PoolStartingError after ``queue_seconds``.
        """
        if self._closed:
            raise WorkerDiedError("The pool is closed.")
        if self._failure and not self._workers:  # it fails again and again
            raise self._failure
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[PoolWorker] = loop.create_future()
        displaced = self._queue.put(client, turn, loop.time())
        if displaced is not None and not displaced.done():
            displaced.set_exception(PoolBusyError("Pages of other clients go first."))
        self._hand_out()
        try:
            async with asyncio.timeout_at(started + self.limits.queue_seconds):
                return await turn
        except TimeoutError as error:
            self._give_up(client, turn)
            if self.is_starting:
                raise PoolStartingError("No extraction process has started yet.") from error
            raise PoolBusyError("No worker was free in time.") from error
        except BaseException:
            self._give_up(client, turn)
            raise

    def _give_up(self, client: str, turn: asyncio.Future[PoolWorker]) -> None:
        """Wait no longer; a worker that was assigned in the same moment goes to the next."""
        if not turn.done() or turn.cancelled():
            self._queue.remove(client, turn)
        elif turn.exception() is None:
            self._queue.give_back(client)
            self._idle.append(turn.result())
            self._hand_out()

    def _hand_out(self) -> None:
        """Give idle workers to those whose turn it is, and start workers for those that wait."""
        for dead in [worker for worker in self._idle if not worker.alive]:
            self._idle.remove(dead)
            self._background(self._replace(dead))
        now = asyncio.get_running_loop().time()
        while self._idle and (entitled := self._queue.take(now)):
            client, turn = entitled
            if turn.done():  # its request was cancelled a moment ago
                self._queue.give_back(client)
            else:
                turn.set_result(self._idle.pop())
        for _ in range(min(self._missing, len(self._queue) - len(self._starts))):
            self._start()

    @property
    def _missing(self) -> int:
        """How many workers are neither there nor starting.

        One more than usual where one client has all of them at work and another has none.
        """
        wanted = self.limits.workers + self._queue.is_shut_out
        return wanted - len(self._workers) - len(self._starts)

    def _start(self, holder: str | None = None) -> None:
        """Start a worker; it counts from this moment, as the ``holder``'s until it has started."""
        task = asyncio.create_task(self._started(self._backoff.wait, holder))
        self._starts.add(task)
        task.add_done_callback(self._starts.discard)

    async def _started(self, wait: float, holder: str | None) -> None:
        """Start a worker after ``wait`` seconds and give it its first job."""
        await asyncio.sleep(wait)
        try:
            worker = await self._launch()
        except WorkerDiedError as error:
            self._discard_start()
            return self._failed(error)
        finally:
            if holder is not None:
                self._queue.give_back(holder)
        self._discard_start()
        self._failure = None
        self._begun.set()
        self._workers.add(worker)
        self._idle.append(worker)
        self._background(self._watch(worker))
        return self._hand_out()

    def _discard_start(self) -> None:
        self._starts.discard(cast(asyncio.Task[None], asyncio.current_task()))

    def _failed(self, error: JobError) -> None:
        """A worker failed to start: try again, and let no job wait for a second failure."""
        _LOG.error("An extraction process did not start: %s", error)
        self._backoff = self._backoff.after(0)
        if self._backoff.failures > 1 and not self._workers:
            self._failure = error
            self._fail_waiting(error)
        if self._missing > 0 and not self._closed:
            self._start()

    def _fail_waiting(self, error: JobError) -> None:
        for turn in self._queue.clear():
            if not turn.done():
                turn.set_exception(error)

    async def _watch(self, worker: PoolWorker) -> None:
        """Replace a worker that ends while it is idle; ``ask`` sees those that end at work."""
        await worker.gone()
        if worker in self._idle:
            self._idle.remove(worker)
            await self._replace(worker)

    async def _replace(self, worker: PoolWorker, client: str | None = None) -> None:
        """Kill a worker; another starts at once, later where they end without having worked.

        ``client``: whose job it had. Its next job gets no other worker until the new one has
        started, or one client's pages that kill workers would take the one that others use.
        """
        self._workers.discard(worker)
        self.ended += worker.jobs < self.limits.jobs_per_worker and not self._closed
        self._backoff = Backoff() if worker.jobs else self._backoff.after(0)
        starts = self._missing > 0 and not self._closed
        holds = starts and self.limits.workers > 1
        if client is not None and not holds:
            self._queue.give_back(client)
        if starts:
            self._start(client if holds else None)
        ended = self._background(worker.end())
        self._hand_out()
        await asyncio.wait([ended], timeout=KILLED_WITHIN)

    def _background(self, work: Awaitable[object]) -> asyncio.Task[object]:
        task: asyncio.Task[object] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
