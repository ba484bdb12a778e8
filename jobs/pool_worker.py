"""One worker process: frames of bytes to its standard input, frames back from its standard output.

A frame is four bytes of length, big-endian, and the payload; a worker that has started sends an
empty one.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress

from winnow.jobs.codec import LENGTH
from winnow.jobs.job_types import WorkerDiedError
from winnow.jobs.oom_score import be_ended_first


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

    async def gone(self) -> None:
        """Wait until the process has ended."""
        await self._process.wait()

    async def end(self) -> None:
        """Kill it and wait until it is gone."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        if self._process.stdin:
            self._process.stdin.close()
            with suppress(ConnectionError):
                await self._process.stdin.wait_closed()


async def launched(
    command: Sequence[str], environment: Mapping[str, str] | None, seconds: float
) -> Worker:
    """Start a process and wait for its empty frame. Raises WorkerDiedError."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=None if environment is None else {**os.environ, **environment},
        )
    except OSError as error:
        raise WorkerDiedError(f"A worker could not be started: {error.strerror}.") from error
    be_ended_first(process.pid)  # while it loads its modules, too
    return await begun(Worker(process), seconds)


async def begun(worker: Worker, seconds: float) -> Worker:
    """Wait for a worker's empty frame. Raises WorkerDiedError."""
    try:
        async with asyncio.timeout(seconds):
            await worker.started()
    except BaseException as error:
        await worker.end()
        if isinstance(error, TimeoutError):
            raise WorkerDiedError("A worker did not start in time.") from error
        raise
    return worker
