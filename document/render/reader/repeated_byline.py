"""The lines below a headline that say who wrote a page and when, as the byline line does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.metadata import byline_words as words
from winnow.document.metadata.author_names import by_in
from winnow.document.metadata.date_words import dates_in
from winnow.document.metadata.page_metadata import Metadata
from winnow.document.metadata.publication_date import says_update
from winnow.document.parsing import tags
from winnow.document.render.selection import Segments

_MOST: Final = 8
"""Lines at the beginning that are looked at."""
_LONGEST: Final = 120
"""Characters of such a line; with the first longer one the text has begun."""


def without_byline(document: Document, segments: Segments, about: Metadata) -> Segments:
    """The segments without the first lines that hold no more than the byline, the date or both.

    A date that is not the byline line's stays, with its line, and so does one that is said to be
    that of a change.
    """
    if not (about.byline or about.date):
        return segments
    heads = document.inside_tags("h1 h2 h3 h4 h5 h6 figcaption table blockquote")[segments.piece]
    gone, said = np.zeros(len(segments), dtype=np.bool_), set[str]()
    for first, behind in _lines(segments):
        text = _text(document, segments, first, behind)
        if len(text) > _LONGEST:
            break
        if text and not heads[first] and (facts := _facts_in(text, about)) and not facts & said:
            gone[first:behind] = ~document.media[segments.piece[first:behind]]
            said |= facts
    return segments.only(~gone, document) if gone.any() else segments


def _lines(segments: Segments) -> Iterator[tuple[int, int]]:
    """The half-open ranges of the segments of the first lines."""
    edges = (segments.gap[: 8 * _MOST] >= tags.LINE).nonzero()[0].tolist()
    edges = [*dict.fromkeys((0, *edges)), min(len(segments), 8 * _MOST)]
    yield from list(pairwise(edges))[:_MOST]


def _text(document: Document, segments: Segments, first: int, behind: int) -> str:
    starts, ends = segments.start[first:behind].tolist(), segments.end[first:behind].tolist()
    texts = (document.plain(start, end) for start, end in zip(starts, ends, strict=True))
    return " ".join(" ".join(texts).split())


def _facts_in(text: str, about: Metadata) -> set[str]:
    """What of byline and date is all that a line says; none of them where it says more."""
    facts, rest = set[str](), text
    if about.byline and about.byline in rest:
        rest, facts = rest.replace(about.byline, " ", 1), {about.byline}
    found = dates_in(rest, about.language)
    if says_update(text) or any(date.day != about.date for date in found):
        return set()
    for date in reversed(found):
        rest, facts = f"{rest[: date.start]} {rest[date.end :]}", {*facts, date.day}
    by = by_in(about.language).strip()
    rest = words.AT_START.sub("", rest.strip() + " ", count=1)
    rest = " ".join(word for word in rest.split() if word.casefold() != by)
    return facts if words.BEFORE_LABEL.fullmatch(rest) else set()
