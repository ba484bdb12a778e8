"""Books of articles that were fetched before, and what is spoken of them. Fetches nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from winnow.document.render.book.epub import Chapter, EpubImage, spoken_sentences, write_book
from winnow.document.render.book.media_overlay import Narration
from winnow.features.books.drawn_images import SVG, safe_drawing
from winnow.features.books.jobs import BookImages
from winnow.features.books.jobs import Narration as GivenNarration
from winnow.jobs.results import SpokenSentence


def book_of(
    chapters: Sequence[Mapping[str, Any]],
    title: str,
    images: BookImages,
    narration: GivenNarration | None = None,
) -> bytes:
    """A book of chapters, each the JSON of an extraction; ``narration``: of the first."""
    held = {
        url: EpubImage(media_type, body)
        for url, (given, media_type) in images.items()
        if (body := safe_drawing(given) if media_type == SVG else given)
    }
    bound = [_chapter_of_record(record) for record in chapters]
    return write_book(bound, title, held, Narration(*narration) if narration else None)


def sentences_of(
    chapter: Mapping[str, Any], images: Mapping[str, str]
) -> tuple[SpokenSentence, ...]:
    """What is spoken of a chapter, sentence by sentence; ``images``: media types by address."""
    found = spoken_sentences(_chapter_of_record(chapter), images)
    return tuple(SpokenSentence(each.parts, each.chapter) for each in found)


def _chapter_of_record(record: Mapping[str, Any]) -> Chapter:
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
