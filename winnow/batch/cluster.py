"""Runs chunks on Dask's workers, on this machine or a cluster.

Each worker extracts in processes of its own, with the proxy's limits of time and memory: a page
that hangs or crashes its process becomes a row with its error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final, cast

import dask
from distributed import Client, LocalCluster, WorkerPlugin, as_completed, get_worker

from winnow.batch.plan import Chunk
from winnow.batch.rows import BatchJob, ChunkRows, SitesKnown, rows, rows_by_site
from winnow.command_errors import CommandError
from winnow.compose.factories import pool_of
from winnow.compose.pooled import PooledTransform

PLUGIN: Final = "winnow"
_LOCAL: Final = {
    "distributed.worker.profile.enabled": False,
    "distributed.scheduler.http.routes": [],
}
"""Without profiles and Dask's web pages: both cost time, and the pages are open to everybody."""
_AHEAD: Final = 3
"""Chunks for each thread that are running or queued, so that no worker waits for the next."""


@dataclass(frozen=True, slots=True)
class ChunkTask:
    """A chunk for the first pass; or for the second, with the rows of the ``first`` and what is
    ``known`` of sites."""

    chunk: Chunk
    first: bytes = b""
    known: SitesKnown = field(default_factory=dict)


class BatchExtraction(WorkerPlugin):
    """Starts a pool of processes with a Dask worker, and stops it with that."""

    def __init__(self, job: BatchJob) -> None:
        self.job = job
        self.name = PLUGIN

    def setup(self, worker: Any) -> None:
        settings = self.job.settings
        extraction = replace(settings.extraction, processes=worker.state.nthreads)
        self.pool = pool_of(replace(settings, extraction=extraction), patient=True)

    async def teardown(self, worker: Any) -> None:
        await self.pool.aclose()


async def extract_chunk(task: ChunkTask) -> ChunkRows:
    """Extract a chunk, in a worker that has the plugin."""
    plugin = cast(BatchExtraction, get_worker().plugins[PLUGIN])
    transform = PooledTransform(plugin.pool)
    if task.known:
        return await rows_by_site(task.chunk, plugin.job, transform, task.first, task.known)
    return await rows(task.chunk, plugin.job, transform)


@contextmanager
def local(workers: int) -> Iterator[Client]:
    """Start a scheduler and workers for this process alone (TLS), and stop them at the end."""
    with dask.config.set(_LOCAL):
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            worker_dashboard_address="127.0.0.1:0",
            security=True,
        )
    with cluster, Client(cluster) as client:
        yield client


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
    client: Client, tasks: Iterator[ChunkTask], job: BatchJob
) -> Iterator[tuple[Chunk, ChunkRows | str]]:
    """Return each chunk once, with its rows or the reason why all its workers died; in no order.

    The scheduler gives a chunk whose worker died to another one. Workers that join later get their
    share once the next chunk is done.
    """
    client.register_plugin(BatchExtraction(job))
    running: dict[Any, Chunk] = {}
    waiting = as_completed()

    def submit() -> None:
        threads = max(1, sum(client.nthreads().values()))
        for task in islice(tasks, max(0, _AHEAD * threads - len(running))):
            future = client.submit(extract_chunk, task, pure=False)
            running[future] = task.chunk
            waiting.add(future)

    submit()
    for future in waiting:
        chunk = running.pop(future)
        submit()
        error = future.exception()
        yield chunk, str(error) if error else future.result()
    client.unregister_worker_plugin(PLUGIN)
