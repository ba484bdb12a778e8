"""A page that a reader saved, with tags, highlights and notes; and what a list shows of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from winnow.features.saved.stores.found_text import FoundText

MOST_TAGS: Final = 50
LONGEST_TAG: Final = 60
MOST_NOTES: Final = 500
LONGEST_NOTE: Final = 10_000
"""Characters of a quotation, and of a remark."""


@dataclass(frozen=True, slots=True)
class Note:
    """A highlight (``quote``: words of the article), a remark, or both; ``made``: ISO 8601."""

    quote: str = ""
    remark: str = ""
    made: str = ""


@dataclass(frozen=True, slots=True)
class SavedPage:
    """``content``: sanitised HTML, "" while only the address is known; ``text``: the same, plain.

    ``saved`` and ``published`` are ISO 8601 dates, "" where unknown.
    """

    url: str
    title: str = ""
    content: str = ""
    text: str = ""
    byline: str = ""
    site: str = ""
    language: str = ""
    direction: str = ""
    published: str = ""
    excerpt: str = ""
    saved: str = ""
    tags: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """A saved page without its text; ``number`` names it in addresses.

    ``found``: the text around the words of a search, () where they stand elsewhere.
    """

    number: int
    page: SavedPage
    is_fetched: bool
    found: FoundText = ()


@dataclass(frozen=True, slots=True)
class PageQuery:
    """Which saved pages: words, a tag, and which part of the result, the newest or best first."""

    words: str = ""
    tag: str = ""
    offset: int = 0
    limit: int = 50


def tags_of(names: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are stored: without commas and outer blanks, each once, in order."""
    clean = (re.sub(r"[\s,\x00-\x1f]+", " ", name).strip()[:LONGEST_TAG].strip() for name in names)
    return tuple(sorted(dict.fromkeys(name for name in clean if name)))[:MOST_TAGS]


def with_note(page: SavedPage, note: Note) -> SavedPage:
    """The page with one more note, unless it has that or as many as it may have."""
    if note in page.notes or len(page.notes) >= MOST_NOTES:
        return page
    return replace(page, notes=(*page.notes, note))


def without_note(page: SavedPage, note: Note) -> SavedPage:
    """The page without a note."""
    return replace(page, notes=tuple(other for other in page.notes if other != note))


def merged(old: SavedPage, new: SavedPage) -> SavedPage:
    """The new text with what the reader added to the old one."""
    notes = old.notes
    for note in new.notes:
        notes = with_note(replace(old, notes=notes), note).notes
    base = new if new.content or not old.content else old
    saved = min(filter(None, (old.saved, new.saved)), default="")
    return replace(base, saved=saved, tags=tags_of((*old.tags, *new.tags)), notes=notes)
