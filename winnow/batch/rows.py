"""Extracts a chunk of records as rows, one JSON object a line."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from winnow.batch.page_locations import PageLocation, read
from winnow.batch.plan import Chunk
from winnow.command_errors import CommandError
from winnow.compose.pooled import PooledTransform
from winnow.config.settings import Settings
from winnow.document.values import BAR_MARK, BodyKind, Format, Recipe, Rendered
from winnow.engine.method_choice import extractor_of
from winnow.evaluation.errors import PackageError
from winnow.proxy.http.proxy_errors import TransformError

FORMATS: Final = tuple(
    form for kind in (BodyKind.TEXT, BodyKind.PAGE) for form in Format if form.kind is kind
)
"""The formats whose body is text, which becomes one field of a row."""


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
    url = None
    try:
        page = await asyncio.to_thread(read, location, job.settings)
        url = page.url
        rendered = await transform(page, job.recipe)
    except PackageError as error:
        return _fields(number, location, error.url, None, job) | {"error": str(error)}
    except (CommandError, TransformError) as error:
        return _fields(number, location, url, None, job) | {"error": str(error)}
    if is_undecodable(rendered.body.decode("utf-8")):
        return _fields(number, location, url, None, job) | {"error": UNDECODABLE}
    return _fields(number, location, url, rendered, job)


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
