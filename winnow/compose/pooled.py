"""The proxy's Transform and its other page work, done by a pool of worker processes."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

from cachetools import LRUCache

from winnow.document.values import MethodOptions, Page, Recipe, Rendered
from winnow.jobs.codec import pack_job, unpack_result
from winnow.jobs.job_types import (
    BindJob,
    BlocksJob,
    BookImages,
    ExplainJob,
    FeedItemJob,
    FillFeedJob,
    GivenArticleJob,
    IdentifyJob,
    ImportsJob,
    Job,
    JobError,
    JobFailure,
    LabelledJob,
    MarkdownJob,
    MarkedPageJob,
    MarkTexts,
    Narration,
    OutlineJob,
    ParametersJob,
    PartJob,
    PoolStartingError,
    ReadFeedJob,
    SentencesJob,
    SheetsJob,
    ShrinkJob,
    SideBySideJob,
    SmallPartJob,
    TransformJob,
    TryJob,
)
from winnow.jobs.pool import Pool
from winnow.jobs.quality import QualityLimits, flag_of
from winnow.jobs.rendering_key import ExtractorIdentity, fingerprint
from winnow.jobs.results import (
    Compared,
    Explained,
    ExplainedPart,
    GivenArticle,
    Markable,
    Marked,
    MethodParameter,
    PageOutline,
    SmallPart,
    SpokenSentence,
    TriedMethod,
)
from winnow.proxy.access.requester import REQUESTER, log_failure
from winnow.proxy.http.proxy_errors import TransformError

if TYPE_CHECKING:
    from winnow.proxy.own.handlers.annotate import Spans

IDENTITIES: Final = 256
"""Methods, each with its parameters, whose identity is cached."""
Result = TypeVar("Result")


async def run(
    pool: Pool, job: Job, kind: type[Result], *, waits: bool = True, anew: bool = False
) -> Result:
    """A worker's result of a job. Raises TransformError where there is none.

    ``waits``: for the first worker to begin. ``anew``: the job's time counts from now, not from its
    request.
    """
    requester = REQUESTER.get()
    since = None if anew else requester.since
    try:
        if pool.is_starting and not waits:
            raise PoolStartingError("No extraction process has started yet.")
        frame = await pool.ask(pack_job(job), requester.client, since)
    except JobError as error:
        raise TransformError(error.reason, str(error)) from error
    result = unpack_result(frame, kind)
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
            task = asyncio.create_task(run(self._pool, job, ExtractorIdentity, waits=False))
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
        return await run(self.pool, TransformJob(page, recipe), Rendered, waits=False)

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
class PooledPageWork:
    """The proxy's PageAnalyser, Marker, Shrinker, Binder, Feeder and ArticleReader.

    Raises TransformError.
    """

    pool: Pool

    async def outline(self, page: Page, recipe: Recipe) -> PageOutline:
        return await run(self.pool, OutlineJob(page, recipe), PageOutline)

    async def try_method(self, page: Page, method: str, recipe: Recipe) -> TriedMethod:
        return await run(self.pool, TryJob(page, method, recipe), TriedMethod, anew=True)

    async def side_by_side(
        self, page: Page, tried: tuple[TriedMethod, ...], recipe: Recipe
    ) -> Compared:
        return await run(self.pool, SideBySideJob(page, tried, recipe), Compared, anew=True)

    async def parameters(self, methods: tuple[str, ...]) -> tuple[MethodParameter, ...]:
        """What methods declare."""
        return await run(self.pool, ParametersJob(methods), tuple[MethodParameter, ...])

    async def explain(self, page: Page, recipe: Recipe) -> Explained:
        return await run(self.pool, ExplainJob(page, recipe), Explained)

    async def sheets(self, page: Page) -> tuple[str, ...]:
        """The addresses of a page's style sheets."""
        return await run(self.pool, SheetsJob(page), tuple[str, ...])

    async def imports(self, sheets: Mapping[str, str]) -> tuple[str, ...]:
        """The addresses of what style sheets import."""
        return await run(self.pool, ImportsJob(sheets), tuple[str, ...])

    async def with_marks(
        self, page: Page, recipe: Recipe, texts: MarkTexts, sheets: Mapping[str, str]
    ) -> str:
        return await run(self.pool, MarkedPageJob(page, recipe, texts, sheets), str)

    async def part(self, page: Page, recipe: Recipe, selector: str, place: int) -> ExplainedPart:
        return await run(self.pool, PartJob(page, recipe, selector, place), ExplainedPart)

    async def markable(self, page: Page, recipe: Recipe, spans: Spans | None) -> Markable:
        return await run(self.pool, BlocksJob(page, recipe, spans), Markable)

    async def marked(self, page: Page, labels: Mapping[int, str]) -> Marked:
        return await run(self.pool, LabelledJob(page, labels), Marked)

    async def small(
        self, page: Page, recipe: Recipe, measure: dict[str, int], image_prefix: str
    ) -> SmallPart:
        return await run(self.pool, SmallPartJob(page, recipe, measure, image_prefix), SmallPart)

    async def shrink(
        self, body: bytes, width: int, largest: int, *, webp: bool
    ) -> tuple[bytes, str]:
        return await run(self.pool, ShrinkJob(body, width, largest, webp), tuple[bytes, str])

    async def bind(
        self, chapters: Sequence[Mapping[str, Any]], title: str, images: BookImages
    ) -> bytes:
        return await run(self.pool, BindJob(chapters, title, images), bytes)

    async def sentences(
        self, chapter: Mapping[str, Any], images: BookImages
    ) -> tuple[SpokenSentence, ...]:
        """What is spoken of a chapter of a book with these images."""
        types = {url: media_type for url, (_, media_type) in images.items()}
        job = SentencesJob(chapter, types)
        return await run(self.pool, job, tuple[SpokenSentence, ...])

    async def narrated(
        self, chapter: Mapping[str, Any], images: BookImages, narration: Narration
    ) -> bytes:
        """A book with media overlays."""
        return await run(self.pool, BindJob([chapter], "", images, narration), bytes)

    async def given(self, markup: str) -> GivenArticle:
        return await run(self.pool, GivenArticleJob(markup), GivenArticle)

    async def markdown(self, markup: str, title: str) -> str:
        return await run(self.pool, MarkdownJob(markup, title), str)

    async def read(self, page: Page) -> tuple[str, Sequence[str], str]:
        return await run(self.pool, ReadFeedJob(page), tuple[str, tuple[str, ...], str])

    async def feed_item(self, page: Page, link: str) -> str:
        return await run(self.pool, FeedItemJob(page, link), str)

    async def fill(self, page: Page, contents: Mapping[str, str]) -> tuple[bytes, str]:
        return await run(self.pool, FillFeedJob(page, contents), tuple[bytes, str])


def worker_command(quality: QualityLimits, max_memory: int, extractor: str) -> list[str]:
    """The command line of a worker that loads a method before it begins.

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
    ]
