"""Pages as the chapters of a book; joins the pipeline and the writer of books. Fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from document.document import Document
from document.render.epub import Chapter, Image, chapter_of, write_book
from document.render.view import View
from document.values import Page, Recipe
from winnow.pipeline import extracted


def book_of(
    told: Sequence[Mapping[str, Any]], title: str, images: Sequence[Mapping[str, Any]], body: bytes
) -> bytes:
    """A book from JSON extractions (document.render.record), and images that stand in ``body``.

    ``images`` name address, media type and size of each, in order.
    """
    held, position = {}, 0
    for image in images:
        held[image["url"]] = Image(image["media_type"], body[position : position + image["size"]])
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
    return chapter_of(View.of(document, extraction))
