"""Extracts a chunk of records as rows, one JSON object a line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from winnow.batch.page_locations import PageLocation, read
from winnow.batch.plan import Chunk
from winnow.command_errors import CommandError
from winnow.compose.pooled import PooledTransform
from winnow.config.settings import Settings
from winnow.document.values import BAR_MARK, BodyKind, Format, Page, Recipe, Rendered
from winnow.engine.pipeline import extractor_of
from winnow.proxy.http.proxy_errors import TransformError

FORMATS: Final = tuple(
    form for kind in (BodyKind.TEXT, BodyKind.PAGE) for form in Format if form.kind is kind
)
"""The formats whose body is text, which becomes one field of a row."""


@dataclass(frozen=True, slots=True)
class BatchJob:
    """Recipe and settings of a run, the same for all chunks."""

    recipe: Recipe
    settings: Settings

    @property
    def fingerprint(self) -> str:
        """The extractor's fingerprint: it changes whenever the same page gives another row."""
        return extractor_of(self.recipe).fingerprint


async def rows(chunk: Chunk, job: BatchJob, transform: PooledTransform) -> bytes:
    """Return a row for each record, in order; a record that fails has its error in its row."""
    lines = [
        await _row(number, location, job, transform)
        for number, location in enumerate(chunk.locations, chunk.first)
    ]
    return b"".join(
        json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for line in lines
    )


async def _row(
    number: int, location: PageLocation, job: BatchJob, transform: PooledTransform
) -> Mapping[str, Any]:
    page = None
    try:
        page = await asyncio.to_thread(read, location, job.settings)
        rendered = await transform(page, job.recipe)
    except (CommandError, TransformError) as error:
        return _fields(number, location, page, None, job) | {"error": str(error)}
    return _fields(number, location, page, rendered, job)


def _fields(
    number: int, location: PageLocation, page: Page | None, rendered: Rendered | None, job: BatchJob
) -> dict[str, Any]:
    body = rendered and rendered.body.replace(BAR_MARK, b"", 1).decode("utf-8")
    return {
        "record": number,
        "source": location.source,
        "url": page and page.url,
        "title": rendered and rendered.title,
        "language": rendered and rendered.language,
        job.recipe.format.value: body,
        "words": rendered and rendered.words_kept,
        "confidence": rendered and rendered.confidence,
        "extractor": rendered and rendered.extractor,
        "fingerprint": job.fingerprint,
        "error": None,
    }
