"""Extracts a chunk of records as rows, one JSON object a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Final, Protocol

from winnow.config.settings import Settings
from winnow.document.values import BAR_MARK, BodyKind, Format, Recipe, Rendered, SiteKnowledge
from winnow.engine.named_extractor import extractor_of
from winnow.engine.page_answer import answer
from winnow.engine.worker import guarded
from winnow.features.batch.page_locations import FoundPage, pages
from winnow.features.batch.plan import Chunk, ChunkRows
from winnow.features.batch.site_lessons import PageLesson, as_lines, site_at
from winnow.jobs.answers import Fallback
from winnow.jobs.job_types import JobFailure
from winnow.jobs.page_jobs import TransformJob
from winnow.jobs.quality import QualityLimits

FORMATS: Final = tuple(
    form for kind in (BodyKind.TEXT, BodyKind.PAGE) for form in Format if form.kind is kind
)
"""The formats whose body is text, which becomes one field of a row."""


SitesKnown = Mapping[str, SiteKnowledge]
"""What is known of sites."""
PIECE: Final = 50
"""Pages after which what was found is kept: a lost process or machine repeats no more."""
BY_SITE: Final = "+site"
"""Behind the fingerprint of a method that used what other pages of the site teach."""
UNDECODABLE: Final = "The page's bytes are no text in any encoding that it names."
MOST_UNDECODABLE: Final = 0.1
_NO_TEXT: Final = re.compile(
    "[\\0-\\x08\\x0e-\\x1f\\ue000-\\uf8ff\\ufdd0-\\ufdef\\ufeff\\uff00\\ufff0-\\uffff]"
)
"""U+FFFD, control, private and unassigned characters and noncharacters of the first plane."""


INDEXED: Final = ("date", "record_id", "digest", "status", "payload_type")
"""Columns by which a row is joined with a crawl's index; empty but for records of archives."""


class Status(Protocol):
    """Says which page a process is extracting, by its place in the chunk."""

    def begin(self, index: int) -> None: ...

    def end(self) -> None: ...


@dataclass(frozen=True)
class BatchJob:
    """Recipe and settings of a run, the same for all chunks."""

    recipe: Recipe
    settings: Settings
    fallback: Fallback = Fallback.NONE

    @cached_property
    def fingerprint(self) -> str:
        """The extractor's fingerprint: it changes whenever the same page gives another row."""
        informed = BY_SITE if self.recipe.knowledge.memory else ""
        return extractor_of(self.recipe).fingerprint + informed

    def informed(self, knowledge: SiteKnowledge) -> BatchJob:
        """The same job with what is known of a page's site."""
        return replace(self, recipe=replace(self.recipe, knowledge=knowledge))


@dataclass(frozen=True, slots=True)
class ChunkTask:
    """A chunk for the first pass; for the second with the ``first`` rows and what is ``known``."""

    chunk: Chunk
    first: bytes = b""
    known: SitesKnown = field(default_factory=dict)

    def after(self, found: ChunkRows) -> ChunkTask:
        """What is left of it."""
        first = b"".join(self.first.splitlines(keepends=True)[found.number :])
        return ChunkTask(Chunk(self.chunk.number, found.left), first, self.known)


def rows(task: ChunkTask, job: BatchJob, faults: Mapping[int, str], status: Status) -> ChunkRows:
    """Return a row for each page, in order, of at most PIECE; one that fails has its error in it.

    In the second pass only the rows of pages of known sites are made again; a page that was fetched
    is not fetched again. ``faults``: what is known of pages, by their place in the chunk, that end
    or block this process. ``status`` says which page is being extracted.
    """
    lines, lessons = list[bytes](), list[PageLesson]()
    before, locations = task.first.splitlines(keepends=True), task.chunk.locations
    for place, location in enumerate(locations):
        if len(lines) >= PIECE:
            return ChunkRows(b"".join(lines), as_lines(lessons), locations[place:])
        if task.known and not location.path:
            lines.append(before[len(lines)])
            continue
        for found in pages(location, job.settings):
            if len(lines) >= PIECE and not found.fault:  # what is damaged cannot be begun with
                left = (replace(location, offset=found.offset), *locations[place + 1 :])
                return ChunkRows(b"".join(lines), as_lines(lessons), left)
            informed = job
            if task.known:
                first = before[len(lines)]
                known = task.known.get(site_at(found.url))
                if known is None or json.loads(first)["error"]:
                    lines.append(first)
                    continue
                informed = job.informed(known)
            row, lesson = _row(found, informed, faults.get(len(lines)), len(lines), status)
            lines.append(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            site = site_at(found.url)
            if lesson and site:
                lessons.append(PageLesson(site, lesson))
    return ChunkRows(b"".join(lines), as_lines(lessons))


def sites_of(rows_of_chunk: bytes) -> set[str]:
    """Return the sites of a chunk's rows."""
    return {site_at(json.loads(line)["url"]) for line in rows_of_chunk.splitlines()} - {""}


def _row(
    found: FoundPage, job: BatchJob, fault: str | None, index: int, status: Status
) -> tuple[Mapping[str, Any], bytes]:
    """Return the row, and what the page teaches."""
    fault = found.fault or fault
    if fault or found.page is None:
        return _fields(found, None, job) | {"error": fault}, b""
    work = TransformJob(found.page, job.recipe)
    quality = QualityLimits.of(job.settings.extraction)
    status.begin(index)
    result = guarded(work, partial(answer, found.page, job.recipe, job.fallback, quality))
    status.end()
    if isinstance(result, JobFailure):
        return _fields(found, None, job) | {"error": result.message}, b""
    if is_undecodable(result.body.decode("utf-8")):
        return _fields(found, None, job) | {"error": UNDECODABLE}, b""
    return _fields(found, result, job), result.lesson


def is_undecodable(text: str) -> bool:
    """Whether a tenth of a text are characters that no text has: its bytes were none."""
    return len(_NO_TEXT.findall(text)) > len(text) * MOST_UNDECODABLE


def _fields(found: FoundPage, rendered: Rendered | None, job: BatchJob) -> dict[str, Any]:
    """All columns but ``record``, which the rows get when they are joined."""
    body = rendered and rendered.body.replace(BAR_MARK, b"", 1).decode("utf-8")
    return {
        "source": found.source,
        "url": found.url,
        **{name: getattr(found, name) for name in INDEXED},
        "title": rendered and rendered.title,
        "language": rendered and rendered.language,
        job.recipe.format.value: body,
        "words": rendered and rendered.words_kept,
        "confidence": rendered and rendered.confidence,
        "extractor": rendered and rendered.extractor,
        "fingerprint": job.fingerprint,
        "error": None,
    }
