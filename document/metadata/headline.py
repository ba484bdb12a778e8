"""The lines of text that stand around a page's headline, where bylines and dates are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.document.values import MEDIA, Extraction

_BEFORE: Final = (24, 400)
_BEHIND: Final = (70, 900)
"""How far is looked: in pieces, in characters."""
_MOST_LINES: Final = 13
"""Lines behind the headline."""


class Line(NamedTuple):
    """A line as a browser shows it, and its half-open range of pieces."""

    text: str
    first: int
    behind: int


class LinesAround(NamedTuple):
    """The lines before and behind a headline, the nearest first."""

    before: Sequence[Line] = ()
    behind: Sequence[Line] = ()


def lines_before(document: Document, piece: int) -> list[Line]:
    """The visible lines before a piece, the nearest first."""
    most, characters = _BEFORE
    found = [*_lines(document, max(piece - most, 0), piece, 2 * characters)] if piece else []
    return found[::-1]


def lines_behind(document: Document, piece: int) -> list[Line]:
    """The visible lines from a piece on, the nearest first."""
    most, characters = _BEHIND
    lines = _lines(document, piece, min(piece + most, document.pieces.start.size), characters)
    return list(islice(lines, _MOST_LINES))


@needs("blockquote")
def unquoted(document: Document, lines: list[Line], headline: int) -> list[Line]:
    """The lines in no quotation, unless the headline's piece is in one: who is quoted, and of when,
    is not who wrote."""
    quoted = document.inside_tags("blockquote")
    is_inside = headline < len(quoted) and quoted[headline]
    return lines if is_inside else [line for line in lines if not quoted[line.first]]


def end_of_text(extraction: Extraction) -> int:
    """Where the text ends before the first comment."""
    first = extraction.comments[0].start
    return max((span.end for span in extraction.spans if span.start < first), default=first)


def _lines(document: Document, first: int, behind: int, characters: int) -> Iterator[Line]:
    pieces, hidden = document.pieces, document.hidden
    gaps, starts = pieces.gap[first:behind].tolist(), pieces.start[first:behind].tolist()
    ends, words, begin = pieces.end[first:behind].tolist(), "", first
    for index, (start, end, gap) in enumerate(zip(starts, ends, gaps, strict=True), first):
        if gap >= tags.LINE:
            if found := words.split():
                yield Line(" ".join(found), begin, index)
            words, begin = "", index
        if not hidden[index]:
            text = document.text[start:end]
            words += tags.SEPARATORS[gap] + (text.replace(MEDIA, " ") if MEDIA in text else text)
            characters -= end - start
        if characters < 0:
            behind = index + 1
            break
    if found := words.split():
        yield Line(" ".join(found), begin, behind)


def line_of(document: Document, first: int, behind: int) -> str:
    """The first visible line of a range of pieces."""
    return next((line.text for line in _lines(document, first, behind, 1_000)), "")
