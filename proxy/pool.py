"""A bounded pool of worker processes that answer frames of bytes; knows not what they mean.

A frame is four bytes of length, big-endian, and the payload; a worker that has started sends an
empty one. A worker that misses its deadline,
dies or answers out of turn is ended and replaced: one bad page costs one worker, not the pool.
"""

from __future__ import annotations

import asyncio
import os
import struct
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from proxy.errors import PoolBusyError, WorkerDiedError, WorkerLateError

LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """``largest_reply`` in bytes; ``deadline`` in seconds, from when a worker takes a job."""

    workers: int = 2
    waiting: int = 64
    deadline: float = 5.0
    largest_reply: int = 128 * 1024 * 1024
    jobs_per_worker: int = 5000
    start_seconds: float = 60.0


class Worker:
    """One process. ``ask`` is called by one task at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.jobs = 0

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def started(self) -> None:
        """Wait for the empty frame by which a worker says that it is ready."""
        if self._process.stdout is None:
            raise WorkerDiedError("The worker has no pipes.")
        try:
            await self._process.stdout.readexactly(LENGTH.size)
        except asyncio.IncompleteReadError as error:
            raise WorkerDiedError("The worker ended while it started.") from error

    async def ask(self, frame: bytes, largest: int) -> bytes:
        """Raises WorkerDiedError if the process ends or answers too much."""
        self.jobs += 1
        sender, receiver = self._process.stdin, self._process.stdout
        if sender is None or receiver is None:
            raise WorkerDiedError("The worker has no pipes.")
        try:
            sender.write(LENGTH.pack(len(frame)) + frame)
            await sender.drain()
            (size,) = LENGTH.unpack(await receiver.readexactly(LENGTH.size))
            if size > largest:
                raise WorkerDiedError("The worker's answer is larger than the limit.")
            return await receiver.readexactly(size)
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            raise WorkerDiedError("The worker ended before it answered.") from error

    async def end(self) -> None:
        """Kill it and wait until it is gone."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()
            with suppress(ConnectionError):
                await self._process.stdin.wait_closed()


@dataclass
class Pool:
    """``ask`` gives a frame to a free worker; jobs wait in order while none is free."""

    command: Sequence[str]
    limits: PoolLimits = field(default_factory=PoolLimits)
    environment: Mapping[str, str] | None = None
    _idle: list[Worker] = field(default_factory=list, init=False)
    _count: int = field(default=0, init=False)
    _queue: deque[asyncio.Future[None]] = field(default_factory=deque, init=False)
    _workers: set[Worker] = field(default_factory=set, init=False)

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._workers if worker.alive]

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def start(self) -> None:
        """Start all workers now rather than at the first job. Raises WorkerDiedError."""
        starting = (self._acquire() for _ in range(self.limits.workers))
        started = await asyncio.gather(*starting, return_exceptions=True)
        for worker in started:
            if isinstance(worker, Worker):
                self._release(worker)
        for failure in started:
            if isinstance(failure, BaseException):
                raise failure

    async def ask(self, frame: bytes) -> bytes:
        """Raises PoolBusyError, WorkerLateError or WorkerDiedError."""
        worker = await self._acquire()
        try:
            async with asyncio.timeout(self.limits.deadline):
                answer = await worker.ask(frame, self.limits.largest_reply)
        except TimeoutError as error:
            await self._discard(worker)
            raise WorkerLateError("The page took too long.") from error
        except BaseException:
            await self._discard(worker)
            raise
        if worker.jobs >= self.limits.jobs_per_worker:
            await self._discard(worker)
        else:
            self._release(worker)
        return answer

    async def aclose(self) -> None:
        """End all workers; jobs under way fail with WorkerDiedError."""
        await asyncio.gather(*(worker.end() for worker in self._workers))
        self._workers.clear()
        self._idle.clear()

    async def _acquire(self) -> Worker:
        if self._count >= self.limits.workers:
            await self._wait_turn()
        else:
            self._count += 1
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            self._workers.discard(worker)
        try:
            return await self._spawn()
        except BaseException:
            self._leave()
            raise

    async def _wait_turn(self) -> None:
        if len(self._queue) >= self.limits.waiting:
            raise PoolBusyError("Too many pages wait already.")
        turn = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            elif turn in self._queue:
                self._queue.remove(turn)
            raise

    async def _spawn(self) -> Worker:
        environment = None if self.environment is None else {**os.environ, **self.environment}
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=environment,
            )
        except OSError as error:
            raise WorkerDiedError(f"A worker could not be started: {error.strerror}.") from error
        worker = Worker(process)
        self._workers.add(worker)
        try:
            async with asyncio.timeout(self.limits.start_seconds):
                await worker.started()
        except BaseException as error:
            self._workers.discard(worker)
            await worker.end()
            if isinstance(error, TimeoutError):
                raise WorkerDiedError("A worker did not start in time.") from error
            raise
        return worker

    def _release(self, worker: Worker) -> None:
        self._idle.append(worker)
        self._leave()

    async def _discard(self, worker: Worker) -> None:
        self._workers.discard(worker)
        try:
            await asyncio.shield(worker.end())
        finally:
            self._leave()

    def _leave(self) -> None:
        """Hand the place to the first that waits, or make it free."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._count -= 1
