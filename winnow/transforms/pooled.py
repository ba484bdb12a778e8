"""The proxy's Transform and its other page work, done by a pool of worker processes."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final, TypeVar

from cachetools import LRUCache

from winnow.document.values import MethodOptions, Page, Recipe, Rendered
from winnow.extractors import registry
from winnow.jobs.codec import pack_job, unpack_result
from winnow.jobs.job_types import Job, JobError, JobFailure, result_type
from winnow.jobs.page_jobs import IdentifyJob, TransformJob
from winnow.jobs.pool import Pool
from winnow.jobs.quality import QualityLimits, flag_of
from winnow.jobs.rendering_key import ExtractorIdentity, fingerprint
from winnow.proxy.access.requester import REQUESTER, log_failure
from winnow.proxy.http.proxy_errors import TransformError

IDENTITIES: Final = 256
"""Methods, each with its parameters, whose identity is cached."""
Result = TypeVar("Result")


async def run(pool: Pool, job: Job[Result], *, anew: bool = False) -> Result:
    """A worker's result of a job. Raises TransformError where there is none.

    ``anew``: the job's time counts from now, not from its request.
    """
    requester = REQUESTER.get()
    since = None if anew else requester.since
    try:
        frame = await pool.ask(pack_job(job), requester.client, since)
    except JobError as error:
        raise TransformError(error.reason, str(error)) from error
    result = unpack_result(frame, result_type(type(job)))
    if isinstance(result, JobFailure):
        raise TransformError(result.reason, result.message)
    return result


class ExtractorIdentities:
    """The identities of methods, computed once each by a worker: this process loads no method."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._tasks: LRUCache[tuple[str, MethodOptions], asyncio.Task[ExtractorIdentity]]
        self._tasks = LRUCache(IDENTITIES)

    async def of(self, recipe: Recipe) -> ExtractorIdentity:
        """Requests that need the same one at once share a job. Raises TransformError."""
        method = recipe.extractor, recipe.options
        task = self._tasks.get(method)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            job = IdentifyJob(Recipe(recipe.extractor, options=recipe.options))
            task = asyncio.create_task(run(self._pool, job))
            task.add_done_callback(log_failure)
            self._tasks[method] = task
        return task.result() if task.done() else await asyncio.shield(task)


@dataclass(frozen=True)
class PooledTransform:
    """Raises TransformError for whatever goes wrong, with the reason."""

    pool: Pool
    quality: QualityLimits = field(default_factory=QualityLimits)
    identities: ExtractorIdentities = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "identities", ExtractorIdentities(self.pool))

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        return await run(self.pool, TransformJob(page, recipe))

    async def fingerprint(self, recipe: Recipe) -> str:
        """The rendering's fingerprint (winnow.jobs.rendering_key).

        One that no other rendering has where no worker can tell the method's identity.
        """
        try:
            identity = await self.identities.of(recipe)
        except TransformError:
            identity = ExtractorIdentity(secrets.token_hex())
        return fingerprint(recipe, identity, self.quality)

    async def aclose(self) -> None:
        """The pool is its owner's to close."""


@dataclass(frozen=True)
class PooledWorkers:
    """The own pages' Workers. Raises TransformError."""

    pool: Pool

    async def run(self, job: Job[Result], *, anew: bool = False) -> Result:
        return await run(self.pool, job, anew=anew)


def worker_command(
    quality: QualityLimits,
    max_memory: int,
    extractor: str,
    extractors: Mapping[str, str] = registry.BUILT_IN,
) -> list[str]:
    """The command line of a worker that has these extractors, and loads one before it begins.

    With the Python that runs now; -P: the current folder is nothing to import from (CWE-427).
    """
    return [
        sys.executable,
        "-P",
        "-m",
        "winnow.engine.worker",
        *[f"{flag_of(name)}={value}" for name, value in asdict(quality).items()],
        f"--max-memory={max_memory}",
        f"--extractor={extractor}",
        f"--extractors={'' if extractors == registry.BUILT_IN else json.dumps(dict(extractors))}",
    ]
