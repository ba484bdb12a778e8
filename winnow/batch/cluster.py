"""Chunks done by Dask's workers, here or on a cluster; knows Dask, not what rows say.

A page is extracted in a process of the worker's own, with the proxy's bounds of time and memory:
a page that hangs or kills is a row with its error, and the worker goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import Any, Final, cast

import dask
from distributed import Client, LocalCluster, WorkerPlugin, as_completed, get_worker

from winnow.batch.plan import Chunk
from winnow.batch.rows import Job, rows
from winnow.command_errors import CommandError
from winnow.compose.factories import pool_of
from winnow.compose.pooled import PooledTransform

PLUGIN: Final = "winnow"
_LOCAL: Final = {
    "distributed.worker.profile.enabled": False,
    "distributed.scheduler.http.routes": [],
}
"""Nobody looks at the workers' profiles or at Dask's pages: both cost, the latter are open."""
_AHEAD: Final = 3
"""Chunks for each place of work that are under way or wait in the scheduler: none runs dry."""


class BatchExtraction(WorkerPlugin):
    """Gives a worker its pool of processes, and ends that with it."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.name = PLUGIN

    def setup(self, worker: Any) -> None:
        settings = self.job.settings
        places = replace(settings.extraction, processes=worker.state.nthreads)
        self.pool = pool_of(replace(settings, extraction=places), patient=True)

    async def teardown(self, worker: Any) -> None:
        await self.pool.aclose()


async def extract_chunk(chunk: Chunk) -> bytes:
    """Runs in a worker that has the plugin."""
    plugin = cast(BatchExtraction, get_worker().plugins[PLUGIN])
    return await rows(chunk, plugin.job, PooledTransform(plugin.pool))


@contextmanager
def local(workers: int) -> Iterator[Client]:
    """A scheduler and workers of our own, ended with us; nobody else on this machine may use it."""
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
    """A cluster's scheduler by its address. Raises CommandError where none answers."""
    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise CommandError(f"no Dask scheduler answers at {address}: {error}") from error
    with client:
        yield client


def done(client: Client, chunks: Iterator[Chunk], job: Job) -> Iterator[tuple[Chunk, bytes | str]]:
    """Each chunk once with its rows, or with the reason why its workers all died; in no order.

    A chunk whose worker died is given to another one by the scheduler. Workers may come while we
    work: they get their share from the next chunk that is done.
    """
    client.register_plugin(BatchExtraction(job))
    under_way: dict[Any, Chunk] = {}
    waiting = as_completed()

    def give() -> None:
        places = max(1, sum(client.nthreads().values()))
        for chunk in islice(chunks, max(0, _AHEAD * places - len(under_way))):
            future = client.submit(extract_chunk, chunk, pure=False)
            under_way[future] = chunk
            waiting.add(future)

    give()
    for future in waiting:
        chunk = under_way.pop(future)
        give()
        error = future.exception()
        yield chunk, str(error) if error else future.result()
    client.unregister_worker_plugin(PLUGIN)
