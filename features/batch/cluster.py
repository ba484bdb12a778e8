"""Runs chunks on the workers of a Dask cluster.

Each worker has processes of its own that extract (winnow.features.batch.processes); rows come back
through the scheduler, since only the machine that runs the command has its folder.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from queue import SimpleQueue
from typing import Any, Final, cast

from distributed import Client, WorkerPlugin, as_completed, get_worker

from winnow.command_errors import CommandError
from winnow.features.batch.plan import BatchPlan, Chunk, ChunkRows
from winnow.features.batch.processes import ExtractionProcess
from winnow.features.batch.rows import BatchJob, ChunkTask

PLUGIN: Final = "winnow"
_AHEAD: Final = 3
"""Chunks for each thread that are running or queued, so that no worker waits for the next."""


class BatchExtraction(WorkerPlugin):
    """Has a process for each thread of a Dask worker, and ends them with that."""

    def __init__(self, job: BatchJob) -> None:
        self.job = job
        self.name = PLUGIN

    def setup(self, worker: Any) -> None:
        # Dask marks a worker below a nanny as a daemon, to which multiprocessing allows no child.
        multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]
        self.processes = [ExtractionProcess(self.job) for _ in range(worker.state.nthreads)]
        self.free: SimpleQueue[ExtractionProcess] = SimpleQueue()
        for each in self.processes:
            self.free.put(each)

    def teardown(self, worker: Any) -> None:
        for each in self.processes:
            each.close()


def extract_piece(task: ChunkTask) -> ChunkRows:
    """Extract a piece of a chunk, in a worker that has the plugin."""
    plugin = cast(BatchExtraction, get_worker().plugins[PLUGIN])
    process = plugin.free.get()
    try:
        return process.extract(task)
    finally:
        plugin.free.put(process)


@contextmanager
def remote(address: str) -> Iterator[Client]:
    """Connect to a cluster's scheduler. Raises CommandError if none answers."""
    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise CommandError(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        yield client


def done(
    client: Client, tasks: Iterator[ChunkTask], job: BatchJob, plan: BatchPlan
) -> Iterator[tuple[Chunk, int | str]]:
    """Write each chunk once; with its rows' number or the reason why it was lost; in no order.

    The scheduler gives a piece whose worker died to another one. Workers that join later get their
    share once the next piece is done.
    """
    client.register_plugin(BatchExtraction(job))
    running: dict[Any, tuple[ChunkTask, int]] = {}
    waiting = as_completed()

    def submit(task: ChunkTask, before: int = 0) -> None:
        future = client.submit(extract_piece, task, pure=False)
        running[future] = task, before
        waiting.add(future)

    def submit_more() -> None:
        threads = max(1, sum(client.nthreads().values()))
        for task in islice(tasks, max(0, _AHEAD * threads - len(running))):
            submit(task)

    submit_more()
    for future in waiting:
        task, before = running.pop(future)
        if error := future.exception():
            submit_more()
            yield task.chunk, str(error)
            continue
        found: ChunkRows = future.result()
        plan.write(task.chunk.number, found, bool(task.known))
        if found.left:
            submit(task.after(found), before + found.number)
        submit_more()
        if not found.left:
            yield task.chunk, before + found.number
    client.unregister_worker_plugin(PLUGIN)
