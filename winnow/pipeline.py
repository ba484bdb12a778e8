"""Bytes to rendering: parse, extract, judge, render; the one place where these meet. No process.

Renderers that are not built yet are not named here: their format is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from document.document import Document
from document.values import BAR_MARK, Extraction, Format, Label, Page, Recipe, Rendered, Span
from extractors import catalogue
from extractors.errors import ExtractorError
from extractors.protocol import Extractor
from winnow.parcels import Failure

VERSION = "1"
"""Part of every fingerprint: raise it when the same page would be shown differently."""


class PipelineError(Exception):
    """A page that cannot be transformed; ``failure`` says why."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.failure = Failure(reason, message)


@dataclass(frozen=True, slots=True)
class Standard:
    """What an extraction must reach; below it a person should get the original."""

    min_words: int = 20
    min_confidence: float = 0.0


Render = Callable[[Document, Extraction, Recipe], tuple[bytes, str]]
"""Body and media type of an extraction shown."""


def _lines(document: Document, span: Span) -> str:
    return document.plain(span.start, span.end)


def _text(document: Document, extraction: Extraction, recipe: Recipe) -> tuple[bytes, str]:
    blocks = "\n\n".join(_lines(document, span).strip() for span in extraction.spans)
    return (blocks + "\n").encode("utf-8", "replace"), "text/plain; charset=utf-8"


def _html(document: Document, extraction: Extraction, recipe: Recipe) -> tuple[bytes, str]:
    title = escape(extraction.title or document.title or "")
    parts = [
        f"<p>{escape(block)}</p>"
        for span in extraction.spans
        if span.label is not Label.TITLE
        for block in _lines(document, span).split("\n")
        if block.strip()
    ]
    body, language = "\n".join(parts), escape(document.language or "und")
    page = (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        f'<title>{title}</title><meta name="viewport" content="width=device-width"></head>'
        f"<body>{BAR_MARK.decode()}<main><h1>{title}</h1>\n{body}</main></body></html>"
    )
    return page.encode("utf-8", "replace"), "text/html; charset=utf-8"


RENDERERS: dict[Format, Render] = {Format.TEXT: _text, Format.HTML: _html}


def specification(recipe: Recipe) -> str:
    """The extractor that a recipe names; ``auto`` is the best there is."""
    name = recipe.extractor
    if name == "auto" and "auto" not in catalogue.names():
        return "bte"
    if name == "crunch" and recipe.level:
        return f"crunch:{recipe.level}"
    return name


@lru_cache(maxsize=64)
def _extractor(name: str) -> Extractor:
    return catalogue.make(name)


def extractor_of(recipe: Recipe) -> Extractor:
    """Raises PipelineError for a name or parameters that do not exist."""
    try:
        return _extractor(specification(recipe))
    except ExtractorError as error:
        raise PipelineError("unknown-extractor", str(error)) from error


def fingerprint(recipe: Recipe) -> str:
    """Changes whenever the same page would be shown differently."""
    method = extractor_of(recipe).fingerprint
    shown = (recipe.format, recipe.profile, str(recipe.level), recipe.link_prefix)
    return "|".join((VERSION, method, *shown))


def transform(page: Page, recipe: Recipe, standard: Standard | None = None) -> Rendered:
    """A page shown as a recipe says. Raises PipelineError."""
    extractor = extractor_of(recipe)
    render = RENDERERS.get(recipe.format)
    if render is None:
        raise PipelineError("unsupported-format", f"The format {recipe.format} is not offered.")
    document = Document.parse(page)
    extraction = extractor.extract(document)
    body, media_type = render(document, extraction, recipe)
    kept, total = words_kept(document, extraction), int(document.piece_words.sum())
    return Rendered(
        body,
        media_type,
        extraction.extractor,
        extraction.title or document.title,
        document.language,
        kept,
        total,
        extraction.confidence,
        poor(extraction, kept, standard or Standard()),
        extraction.reasons,
    )


def words_kept(document: Document, extraction: Extraction) -> int:
    """Words of the pieces that begin in a span."""
    starts = document.pieces.start
    return sum(
        int(document.piece_words[(starts >= span.start) & (starts < span.end)].sum())
        for span in extraction.spans
    )


def poor(extraction: Extraction, kept: int, standard: Standard) -> str:
    """Why a person should rather get the original, as a reason token; empty if not."""
    if not extraction.spans or not kept:
        return "no-article"
    if kept < standard.min_words:
        return "few-words"
    return "low-confidence" if extraction.confidence < standard.min_confidence else ""
