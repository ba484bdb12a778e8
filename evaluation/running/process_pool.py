"""Pages measured by several processes; one that dies or hangs over a page costs that page a row."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from typing import Generic, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

_CONTEXT = multiprocessing.get_context("spawn")


class WorkerError(Exception):
    """A worker died or was ended at the deadline; the message says which."""


class MeasuringWorker(Generic[Task, Result]):
    """One process that runs ``work`` on what it is sent; restarted after a failure."""

    def __init__(self, work: Callable[[Task], Result], deadline: float) -> None:
        self._work, self._deadline = work, deadline
        self._process: SpawnProcess | None = None
        self._link: Connection | None = None

    def ask(self, task: Task) -> Result:
        """The result of one task. Raises ``WorkerError``, and what ``work`` itself raises."""
        link = self._link or self._started()
        try:
            link.send(task)
            if not link.poll(self._deadline):
                raise WorkerError(f"gave no answer within {self._deadline:g} s")
            result: Result | Exception = link.recv()
        except (EOFError, OSError):
            self.close()
            raise WorkerError("the process died over this page") from None
        except WorkerError:
            self.close()
            raise
        if isinstance(result, Exception):
            raise result
        return result

    def close(self) -> None:
        """End the process, if one runs."""
        if self._link is not None:
            self._link.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._link = None

    def _started(self) -> Connection:
        here, there = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=_serve, args=(there, self._work), daemon=True)
        process.start()
        there.close()
        self._process, self._link = process, here
        return here


def spread(
    tasks: Sequence[Task],
    work: Callable[[Task], Result],
    lost: Callable[[Task, str], Result],
    workers: int,
    deadline: float = 120.0,
) -> Iterator[Result]:
    """The results as they come, in no order; ``lost`` makes that of a task that ended its
    worker."""
    idle: SimpleQueue[MeasuringWorker[Task, Result]] = SimpleQueue()
    pool_workers = [
        MeasuringWorker(work, deadline) for _ in range(max(1, min(workers, len(tasks))))
    ]
    for worker in pool_workers:
        idle.put(worker)

    def run(task: Task) -> Result:
        worker = idle.get()
        try:
            return worker.ask(task)
        except WorkerError as error:
            return lost(task, str(error))
        finally:
            idle.put(worker)

    threads = ThreadPoolExecutor(len(pool_workers))
    try:
        for done in as_completed([threads.submit(run, task) for task in tasks]):
            yield done.result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for worker in pool_workers:
            worker.close()


def _serve(link: Connection, work: Callable[[Task], Result]) -> None:
    while True:
        try:
            task = link.recv()
        except EOFError:
            return
        link.send(_outcome(work, task))


def _outcome(work: Callable[[Task], Result], task: Task) -> Result | Exception:
    try:
        return work(task)
    except Exception as error:  # noqa: BLE001 - raised again in the calling process
        return error
