"""The proxy's Transform, done by a pool of worker processes; knows parcels, no page."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from document.values import Page, Recipe, Rendered
from proxy.errors import PoolBusyError, TransformError, WorkerDiedError, WorkerLateError
from proxy.pool import Pool
from winnow.parcels import Failure, pack_job, unpack_answer
from winnow.pipeline import PipelineError, Standard, fingerprint


@dataclass(frozen=True)
class PooledTransform:
    """Raises TransformError for whatever goes wrong, with the reason."""

    pool: Pool

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        try:
            answer = unpack_answer(await self.pool.ask(pack_job(page, recipe)))
        except (PoolBusyError, WorkerDiedError, WorkerLateError) as error:
            raise TransformError(error.reason, str(error)) from error
        if isinstance(answer, Failure):
            raise TransformError(answer.reason, answer.message)
        return answer

    def fingerprint(self, recipe: Recipe) -> str:
        """As the pipeline's; a recipe that cannot be has the fingerprint of its failure."""
        try:
            return fingerprint(recipe)
        except PipelineError as error:
            return str(error)


def worker_command(standard: Standard, max_memory: int) -> list[str]:
    """What starts a worker with this very Python."""
    return [
        sys.executable,
        "-m",
        "winnow.worker",
        f"--min-words={standard.min_words}",
        f"--min-confidence={standard.min_confidence}",
        f"--max-memory={max_memory}",
    ]
