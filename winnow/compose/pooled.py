"""The proxy's Transform and Laboratory, done by a pool of worker processes; knows parcels."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from winnow.document.values import Page, Recipe, Rendered
from winnow.jobs.codec import (
    JobFailure,
    WorkerTask,
    pack_job,
    pack_task,
    told_recipe,
    unpack_answer,
    unpack_result,
)
from winnow.jobs.errors import JobError
from winnow.jobs.pool import Pool
from winnow.jobs.quality import PipelineError, QualityLimits, flag_of
from winnow.jobs.results import Compared, Explained, Markable, Marked, SmallPart, unpacked
from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.access.shared_task import retrieve
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.own.handlers.annotate import Spans
from winnow.proxy.own.handlers.book import Images


async def asked(pool: Pool, parcel: bytes) -> bytes:
    """A worker's answer. Raises TransformError where there is none."""
    requester = REQUESTER.get()
    try:
        return await pool.ask(parcel, requester.client, requester.since)
    except JobError as error:
        raise TransformError(error.reason, str(error)) from error


@dataclass(frozen=True)
class PooledTransform:
    """Raises TransformError for whatever goes wrong, with the reason."""

    pool: Pool
    standard: QualityLimits = field(default_factory=QualityLimits)

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        answer = unpack_answer(await asked(self.pool, pack_job(page, recipe)))
        if isinstance(answer, JobFailure):
            raise TransformError(answer.reason, answer.message)
        return answer

    def fingerprint(self, recipe: Recipe) -> str:
        """As the pipeline's; a recipe that cannot be has the fingerprint of its failure."""
        from winnow.engine.pipeline import fingerprint  # noqa: PLC0415 - loaded with the first page

        try:
            return fingerprint(recipe, self.standard)
        except PipelineError as error:
            return str(error)


class Loading:
    """Loads in a thread what names a page's rendering: methods, parsers, arrays.

    The process that answers starts without them, which halves the time that it takes and a third
    of its memory; who never reads a page never pays for them.
    """

    def __init__(self, load: Callable[[], object]) -> None:
        """``load``: what the first page would do; it may take a while."""
        self.done = False
        self._load = load
        self._task: asyncio.Task[object] | None = None

    async def __call__(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(asyncio.to_thread(self._loaded))
            self._task.add_done_callback(retrieve)
        await asyncio.shield(self._task)
        self.done = True

    def _loaded(self) -> None:
        """Load; what was loaded stays, so the garbage collector passes over it where it may.

        It may where it passes over all else that a program made at its start (``settle_down``): a
        full collection would otherwise look at parsers and arrays each time, some 20 ms long.
        """
        self._load()
        if gc.get_freeze_count():
            gc.freeze()


@dataclass(frozen=True)
class PooledLaboratory:
    """The proxy's Laboratory, Marker, Shrinker and Binder. Raises TransformError."""

    pool: Pool

    async def compare(self, page: Page, methods: tuple[str, ...]) -> Compared:
        found, _ = await self.run(WorkerTask("compare", page, {"methods": methods}))
        return unpacked(Compared, found)

    async def explain(self, page: Page, recipe: Recipe) -> Explained:
        found, _ = await self.run(WorkerTask("explain", page, {"recipe": told_recipe(recipe)}))
        return unpacked(Explained, found)

    async def markable(self, page: Page, recipe: Recipe, spans: Spans | None) -> Markable:
        told = {"recipe": told_recipe(recipe), "spans": spans}
        found, _ = await self.run(WorkerTask("markable", page, told))
        return unpacked(Markable, found)

    async def marked(self, page: Page, labels: Mapping[int, str]) -> Marked:
        found, _ = await self.run(WorkerTask("marked", page, {"labels": dict(labels)}))
        return unpacked(Marked, found)

    async def small(
        self, page: Page, recipe: Recipe, measure: dict[str, int], image_prefix: str
    ) -> SmallPart:
        told = {"recipe": told_recipe(recipe), "measure": measure, "image_prefix": image_prefix}
        found, _ = await self.run(WorkerTask("small", page, told))
        return unpacked(SmallPart, found)

    async def shrink(
        self, body: bytes, width: int, largest: int, *, webp: bool
    ) -> tuple[bytes, str]:
        told = {"width": width, "largest": largest, "webp": webp}
        found, small = await self.run(WorkerTask("shrink", Page(body), told))
        return small, found["media_type"]

    async def bind(
        self, chapters: Sequence[Mapping[str, Any]], title: str, images: Images
    ) -> bytes:
        listed = [
            {"url": url, "media_type": media_type, "size": len(body)}
            for url, (body, media_type) in images.items()
        ]
        told = {"chapters": list(chapters), "title": title, "images": listed}
        bodies = b"".join(body for body, _ in images.values())
        _, book = await self.run(WorkerTask("bind", Page(bodies), told))
        return book

    async def run(self, task: WorkerTask) -> tuple[dict[str, Any], bytes]:
        """Any task of winnow.engine.tasks."""
        answer = unpack_result(await asked(self.pool, pack_task(task)))
        if isinstance(answer, JobFailure):
            raise TransformError(answer.reason, answer.message)
        return answer


@dataclass(frozen=True)
class PooledFeeder:
    """The proxy's Feeder. Raises TransformError."""

    laboratory: PooledLaboratory

    async def read(self, page: Page) -> tuple[str, Sequence[str], str]:
        found, _ = await self.laboratory.run(WorkerTask("read-feed", page, {}))
        return found["kind"], found["links"], found["elsewhere"]

    async def fill(self, page: Page, contents: Mapping[str, str]) -> tuple[bytes, str]:
        task = WorkerTask("fill-feed", page, {"contents": dict(contents)})
        found, body = await self.laboratory.run(task)
        return body, found["media_type"]


def worker_command(standard: QualityLimits, max_memory: int) -> list[str]:
    """What starts a worker with this very Python."""
    return [
        sys.executable,
        "-m",
        "winnow.engine.worker",
        *[f"{flag_of(name)}={value}" for name, value in asdict(standard).items()],
        f"--max-memory={max_memory}",
    ]
