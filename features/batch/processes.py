"""Extracts chunks in processes that a page may end or block: that costs the page its row alone.

A process does a piece of a chunk at a time: it reads its bytes once, extracts, and returns rows. In
shared memory it says which page it is at and since when; who watches kills it where that is longer
than ``extraction.deadline``. A piece whose process ended is begun again: as it is after the first
time at a page (somebody may have killed the process), else with this page as an error.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from typing import Any, Final

from winnow.engine.worker import bound_memory, load
from winnow.extractors import registry
from winnow.feature_list import extractors_of
from winnow.features.batch.plan import BatchPlan, Chunk, ChunkRows
from winnow.features.batch.rows import BatchJob, ChunkTask, rows

LOOK: Final = 0.2
"""Seconds between two looks at the clock of a page."""
PAGES: Final = 5000
"""Pages, after which a process is replaced."""
NOBODY: Final = -1.0
DIED: Final = "The process that extracted came to its end."
LATE: Final = "The extraction took longer than {:g} seconds."
_CONTEXT: Final = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__])
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # NumPy's BLAS has a thread per core; a process needs one


class ChunkLostError(Exception):
    """A chunk's processes ended again and again, and no page of it was the cause."""


class PageClock:
    """Which page a process is at, and since when by the monotonic clock; in shared memory."""

    def __init__(self, shared: Any) -> None:
        self._shared = shared

    def begin(self, index: int) -> None:
        """A page's extraction begins."""
        self._shared[1] = time.monotonic()
        self._shared[0] = index

    def end(self) -> None:
        """It has ended."""
        self._shared[0] = NOBODY

    @property
    def index(self) -> int:
        """The page's place in its chunk, or -1."""
        return int(self._shared[0])

    def seconds(self) -> float:
        """How long the page takes already."""
        return time.monotonic() - self._shared[1] if self.index >= 0 else 0.0


@dataclass
class ExtractionProcess:
    """One process at a time, started when it is needed."""

    job: BatchJob

    def __post_init__(self) -> None:
        self._shared = RawArray("d", [NOBODY, 0.0])
        self._clock = PageClock(self._shared)
        self._process: Any = None
        self._pipe: Connection[Any, Any] | None = None
        self._pages = 0

    def extract(self, task: ChunkTask) -> ChunkRows:
        """The rows of a piece, and what is left of its chunk. Raises ChunkLostError."""
        faults: dict[int, str] = {}
        before = None
        while True:
            answer = self._asked(task, faults)
            if not isinstance(answer, str):
                self._pages += answer.number
                if self._pages >= PAGES:
                    self.close()
                return answer
            at = self._clock.index
            again, before = (at, answer) == before, (at, answer)
            if at >= 0 and (again or answer != DIED):
                faults[at] = answer
            elif again:
                raise ChunkLostError(answer)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None
            self._pages = 0

    def _asked(self, task: ChunkTask, faults: dict[int, str]) -> ChunkRows | str:
        pipe = self._started()
        limit = self.job.settings.extraction.deadline
        try:
            pipe.send((task, faults))
            while not pipe.poll(LOOK):
                if self._clock.seconds() > limit:
                    self.close()
                    return LATE.format(limit)
            answer: ChunkRows = pipe.recv()
        except (EOFError, OSError):
            self.close()
            return DIED
        return answer

    def _started(self) -> Connection[Any, Any]:
        if self._process is None or self._pipe is None:
            self._clock.end()
            self._pipe, theirs = _CONTEXT.Pipe()
            arguments = (theirs, self._shared, self.job)
            self._process = _CONTEXT.Process(target=_work, args=arguments, daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe


def _work(pipe: Connection[Any, Any], shared: Any, job: BatchJob) -> None:
    """Answer tasks until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    extraction = job.settings.extraction
    bound_memory(extraction.max_memory)
    registry.use(extractors_of(job.settings.features))
    load(job.recipe.extractor)
    gc.freeze()
    clock = PageClock(shared)
    while True:
        try:
            task, faults = pipe.recv()
        except EOFError:
            return
        pipe.send(rows(task, job, faults, clock))


@contextmanager
def extraction_processes(job: BatchJob, number: int) -> Iterator[list[ExtractionProcess]]:
    """So many processes, ended with the context."""
    made = [ExtractionProcess(job) for _ in range(number)]
    try:
        yield made
    finally:
        for each in made:
            each.close()


def done(
    tasks: Iterable[ChunkTask], job: BatchJob, number: int, plan: BatchPlan
) -> Iterator[tuple[Chunk, int | str]]:
    """Extract chunks into files; each with its rows' number or why it was lost, in no order."""
    given = iter(tasks)
    with extraction_processes(job, number) as free, ThreadPoolExecutor(number) as threads:
        running: dict[Any, tuple[Chunk, ExtractionProcess]] = {}

        def submit(process: ExtractionProcess) -> None:
            if (task := next(given, None)) is not None:
                running[threads.submit(_whole, process, task, plan)] = task.chunk, process

        for process in free:
            submit(process)
        while running:
            future = next(as_completed(running))
            chunk, process = running.pop(future)
            submit(process)
            error = future.exception()
            if error is not None and not isinstance(error, ChunkLostError):
                raise error
            yield chunk, str(error) if error else future.result()


def _whole(process: ExtractionProcess, task: ChunkTask, plan: BatchPlan) -> int:
    """Extract a chunk piece by piece, each kept; how many rows they are."""
    number = 0
    while True:
        found = process.extract(task)
        plan.write(task.chunk.number, found, bool(task.known))
        number += found.number
        if not found.left:
            return number
        task = task.after(found)
