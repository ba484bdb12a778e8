"""A chunk of records as rows, one JSON object a line; knows pages and methods, no cluster."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from winnow.batch.places import PageLocation, read
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
"""Those whose body is one text, and so one field of a row."""


@dataclass(frozen=True, slots=True)
class Job:
    """What every chunk of a run needs to know."""

    recipe: Recipe
    settings: Settings

    @property
    def fingerprint(self) -> str:
        """The method's: it changes whenever the same page would give another row."""
        return extractor_of(self.recipe).fingerprint


async def rows(chunk: Chunk, job: Job, transform: PooledTransform) -> bytes:
    """A row for each record, in order; one that cannot be extracted is a row with its error."""
    lines = [
        await _row(number, place, job, transform)
        for number, place in enumerate(chunk.places, chunk.first)
    ]
    return b"".join(
        json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for line in lines
    )


async def _row(
    number: int, place: PageLocation, job: Job, transform: PooledTransform
) -> Mapping[str, Any]:
    page = None
    try:
        page = await asyncio.to_thread(read, place, job.settings)
        rendered = await transform(page, job.recipe)
    except (CommandError, TransformError) as error:
        return _told(number, place, page, None, job) | {"error": str(error)}
    return _told(number, place, page, rendered, job)


def _told(
    number: int, place: PageLocation, page: Page | None, rendered: Rendered | None, job: Job
) -> dict[str, Any]:
    body = rendered and rendered.body.replace(BAR_MARK, b"", 1).decode("utf-8")
    return {
        "record": number,
        "source": place.source,
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
