"""Extracts a chunk of records as rows, one JSON object a line, in one pass or two.

The first pass also gives what each page teaches about its site; the second extracts pages of known
sites once more.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from winnow.batch.page_locations import PageLocation, read
from winnow.batch.plan import Chunk
from winnow.batch.site_lessons import SiteLesson, site_at
from winnow.command_errors import CommandError
from winnow.compose.pooled import PooledTransform
from winnow.config.settings import Settings
from winnow.document.values import (
    BAR_MARK,
    BodyKind,
    Format,
    Recipe,
    Rendered,
    SiteKnowledge,
)
from winnow.engine.method_choice import extractor_of
from winnow.evaluation.errors import PackageError
from winnow.proxy.http.proxy_errors import TransformError

FORMATS: Final = tuple(
    form for kind in (BodyKind.TEXT, BodyKind.PAGE) for form in Format if form.kind is kind
)
"""The formats whose body is text, which becomes one field of a row."""


SitesKnown = Mapping[str, SiteKnowledge]
"""What is known of sites."""
BY_SITE: Final = "+site"
"""Behind the fingerprint of a method that used what other pages of the site teach."""
UNDECODABLE: Final = "The page's bytes are no text in any encoding that it names."
MOST_UNDECODABLE: Final = 0.1
_NO_TEXT: Final = re.compile(
    "[\\0-\\x08\\x0e-\\x1f\\ue000-\\uf8ff\\ufdd0-\\ufdef\\ufeff\\uff00\\ufff0-\\uffff]"
)
"""U+FFFD, control, private and unassigned characters and noncharacters of the first plane."""


@dataclass(frozen=True, slots=True)
class BatchJob:
    """Recipe and settings of a run, the same for all chunks."""

    recipe: Recipe
    settings: Settings

    @property
    def fingerprint(self) -> str:
        """The extractor's fingerprint: it changes whenever the same page gives another row."""
        informed = BY_SITE if self.recipe.knowledge.memory else ""
        return extractor_of(self.recipe).fingerprint + informed

    def informed(self, knowledge: SiteKnowledge) -> BatchJob:
        """The same job with what is known of a page's site."""
        return replace(self, recipe=replace(self.recipe, knowledge=knowledge))


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """``rows``: a line for each record, in order; ``lessons``: what pages teach of their sites."""

    rows: bytes
    lessons: tuple[SiteLesson, ...] = ()


async def rows(chunk: Chunk, job: BatchJob, transform: PooledTransform) -> ChunkRows:
    """Return a row for each record, in order; a record that fails has its error in its row."""
    lines, lessons = list[bytes](), list[SiteLesson]()
    for number, location in enumerate(chunk.locations, chunk.first):
        row, lesson = await _row(number, location, job, transform)
        lines.append(_line(row))
        site = site_at(row["url"])
        if lesson and site:
            lessons.append(SiteLesson(site, lesson))
    return ChunkRows(b"".join(lines), tuple(lessons))


async def rows_by_site(
    chunk: Chunk, job: BatchJob, transform: PooledTransform, first: bytes, known: SitesKnown
) -> ChunkRows:
    """Return the rows of the first pass, those of pages of known sites made anew.

    A page that was fetched is not fetched again.
    """
    lines = first.splitlines(keepends=True)
    for index, (line, location) in enumerate(zip(lines, chunk.locations, strict=True)):
        row = json.loads(line)
        knowledge = known.get(site_at(row["url"]))
        if knowledge and location.path and not row["error"]:
            informed = job.informed(knowledge)
            again, _ = await _row(chunk.first + index, location, informed, transform)
            lines[index] = _line(again)
    return ChunkRows(b"".join(lines))


def sites_of(rows_of_chunk: bytes) -> set[str]:
    """Return the sites of a chunk's rows."""
    return {site_at(json.loads(line)["url"]) for line in rows_of_chunk.splitlines()} - {""}


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


async def _row(
    number: int, location: PageLocation, job: BatchJob, transform: PooledTransform
) -> tuple[Mapping[str, Any], bytes]:
    """Return the row, and what the page teaches."""
    url = None
    try:
        page = await asyncio.to_thread(read, location, job.settings)
        url = page.url
        rendered = await transform(page, job.recipe)
    except PackageError as error:
        return _fields(number, location, error.url, None, job) | {"error": str(error)}, b""
    except (CommandError, TransformError) as error:
        return _fields(number, location, url, None, job) | {"error": str(error)}, b""
    if is_undecodable(rendered.body.decode("utf-8")):
        return _fields(number, location, url, None, job) | {"error": UNDECODABLE}, b""
    return _fields(number, location, url, rendered, job), rendered.lesson


def is_undecodable(text: str) -> bool:
    """Whether a tenth of a text are characters that no text has: its bytes were none."""
    return len(_NO_TEXT.findall(text)) > len(text) * MOST_UNDECODABLE


def _fields(
    number: int, location: PageLocation, url: str | None, rendered: Rendered | None, job: BatchJob
) -> dict[str, Any]:
    body = rendered and rendered.body.replace(BAR_MARK, b"", 1).decode("utf-8")
    return {
        "record": number,
        "source": location.source,
        "url": url,
        "title": rendered and rendered.title,
        "language": rendered and rendered.language,
        job.recipe.format.value: body,
        "words": rendered and rendered.words_kept,
        "confidence": rendered and rendered.confidence,
        "extractor": rendered and rendered.extractor,
        "fingerprint": job.fingerprint,
        "error": None,
    }
