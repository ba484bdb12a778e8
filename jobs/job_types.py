"""The jobs that cross the process boundary, and why a job has no result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import Struct

from winnow.document.values import Page, Recipe
from winnow.jobs.results import TriedMethod

BookImages = Mapping[str, tuple[bytes, str]]
"""The images of a book by address: body and media type."""

Narration = tuple[bytes, tuple[float, ...]]
"""A chapter as MP3, and the seconds after which its sentences end."""


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why a job has no result: a reason token and a sentence."""

    reason: str
    message: str


class PageJob(Struct, tag=True, frozen=True):
    """Base of the jobs that concern one page; the tag of each is its class's name."""

    page: Page


class TransformJob(PageJob, frozen=True):
    """Gives a Rendered."""

    recipe: Recipe


class OutlineJob(PageJob, frozen=True):
    """Gives a PageOutline."""

    recipe: Recipe


class TryJob(PageJob, frozen=True):
    """Gives TriedMethod: the method in place of the recipe's."""

    method: str
    recipe: Recipe


class SideBySideJob(PageJob, frozen=True):
    """Gives Compared, of methods that were tried on the page."""

    tried: tuple[TriedMethod, ...]
    recipe: Recipe


class ExplainJob(PageJob, frozen=True):
    """Gives Explained."""

    recipe: Recipe


class SheetsJob(PageJob, frozen=True):
    """Gives the addresses of the page's style sheets (tuple[str, ...])."""


class ImportsJob(Struct, tag=True, frozen=True):
    """Gives the addresses of the style sheets that those by address import (tuple[str, ...])."""

    sheets: Mapping[str, str]


FIRST: Final = "winnow-first"
"""The id of the mark at which a marked page is to be shown first."""


class MarkTexts(Struct, frozen=True):
    """What stands in a page with marks. ``gone``: why a part is left out, by RemovalReason.

    ``links``, ``images``, ``parts``: what stands before the address of a page, of a picture, and
    before the query about one part. ``stored``: the selector of a rule that was just stored.
    """

    gone: Mapping[str, str]
    kept: str
    keep: str
    drop: str
    links: str
    images: str
    parts: str
    stored: str = ""


class MarkedPageJob(PageJob, frozen=True):
    """Gives the page with its parts marked, as markup; ``sheets``: style sheets by address."""

    recipe: Recipe
    texts: MarkTexts
    sheets: Mapping[str, str]


class PartJob(PageJob, frozen=True):
    """Gives the ExplainedPart that is the ``place``-th element that ``selector`` finds."""

    recipe: Recipe
    selector: str
    place: int


class BlocksJob(PageJob, frozen=True):
    """Gives Markable: the page's blocks, labelled by ``spans`` (start, end, label) if given."""

    recipe: Recipe
    spans: Sequence[tuple[int, int, str]] | None


class LabelledJob(PageJob, frozen=True):
    """Gives Marked: gold text of the blocks with these labels, by their numbers."""

    labels: Mapping[int, str]


class SmallPartJob(PageJob, frozen=True):
    """Gives a SmallPart; ``measure`` are the fields of ``winnow.engine.html32.Measure``."""

    recipe: Recipe
    measure: Mapping[str, int]
    image_prefix: str


class ReadFeedJob(PageJob, frozen=True):
    """Gives the feed's kind, the links of its items and the address of the page's own feed."""


class FeedItemJob(PageJob, frozen=True):
    """Gives a page of the feed's item at ``link`` as HTML, "" without one."""

    link: str


class FillFeedJob(PageJob, frozen=True):
    """Gives the feed with the content of items by link, and its media type."""

    contents: Mapping[str, str]


class ShrinkJob(Struct, tag=True, frozen=True):
    """Gives the image within ``width`` pixels and ``largest`` bytes, and its media type."""

    body: bytes
    width: int
    largest: int
    webp: bool


class BindJob(Struct, tag=True, frozen=True):
    """Gives an EPUB of chapters, each the JSON of an extraction; ``narration``: of the first."""

    chapters: Sequence[Mapping[str, Any]]
    title: str
    images: BookImages
    narration: Narration | None = None


class SentencesJob(Struct, tag=True, frozen=True):
    """Gives the SpokenSentences of a chapter, the JSON of an extraction.

    ``images``: addresses and media types of those in its book.
    """

    chapter: Mapping[str, Any]
    images: Mapping[str, str]


class GivenArticleJob(Struct, tag=True, frozen=True):
    """Gives the GivenArticle of an article's markup, whoever wrote it."""

    markup: str


class MarkdownJob(Struct, tag=True, frozen=True):
    """Gives the Markdown of an article's sanitised markup, below its title."""

    markup: str
    title: str


class ParametersJob(Struct, tag=True, frozen=True):
    """Gives the MethodParameter of all that these methods declare."""

    methods: tuple[str, ...]


class IdentifyJob(Struct, tag=True, frozen=True):
    """Gives the ExtractorIdentity of a recipe's method."""

    recipe: Recipe


Job = (
    TransformJob
    | OutlineJob
    | TryJob
    | SideBySideJob
    | ExplainJob
    | SheetsJob
    | ImportsJob
    | MarkedPageJob
    | PartJob
    | BlocksJob
    | LabelledJob
    | SmallPartJob
    | ReadFeedJob
    | FeedItemJob
    | FillFeedJob
    | ShrinkJob
    | BindJob
    | SentencesJob
    | GivenArticleJob
    | MarkdownJob
    | ParametersJob
    | IdentifyJob
)


class JobError(Exception):
    """A job without a result; ``reason`` is a token (winnow.proxy.http.reasons)."""

    reason = "job-failed"


class PoolBusyError(JobError):
    """As many jobs wait for a worker as may wait, or none was free in time."""

    reason = "busy"


class PoolStartingError(JobError):
    """No worker has begun yet, and the job does not wait for the first."""

    reason = "starting"


class WorkerLateError(JobError):
    """A worker missed its deadline and was killed."""

    reason = "deadline"


class WorkerDiedError(JobError):
    """A worker could not be started, or ended before it answered."""

    reason = "worker-died"


class PipelineError(JobError):
    """A page that cannot be transformed; ``failure`` is what the other process gets."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.failure = JobFailure(reason, message)
