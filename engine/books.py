"""Pages as the chapters of a book; joins the pipeline and the writer of books. Fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from winnow.document.document import Document
from winnow.document.render.epub import Chapter, EpubImage, chapter_of, write_book
from winnow.document.render.render_context import RenderContext
from winnow.document.values import Page, Recipe
from winnow.engine.pipeline import extracted


def book_of(
    told: Sequence[Mapping[str, Any]], title: str, images: Sequence[Mapping[str, Any]], body: bytes
) -> bytes:
    """A book from JSON extractions and the images in ``body``.

    ``images`` name address, media type and size of each, in order.
    """
    held, position = {}, 0
    for image in images:
        held[image["url"]] = EpubImage(
            image["media_type"], body[position : position + image["size"]]
        )
        position += image["size"]
    return write_book([_told_chapter(record) for record in told], title, held)


def _told_chapter(record: Mapping[str, Any]) -> Chapter:
    return Chapter(
        title=record["title"] or record["siteName"] or "Untitled page",
        content=record["content"],
        url=record["url"] or "",
        byline=record["byline"] or "",
        published=record["publishedTime"] or "",
        language=record["lang"] or "",
        direction=record["dir"] or "",
        site=record["siteName"] or "",
    )


def chapter(page: Page, recipe: Recipe) -> Chapter:
    """What a book holds of a page. Raises PipelineError."""
    document = Document.parse(page)
    _, extraction = extracted(document, recipe)
    return chapter_of(RenderContext.of(document, extraction))
