"""The lines of text that stand around a page's headline, where bylines and dates are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.document.values import MEDIA, Extraction

_BEFORE: Final = (24, 400)
_BEHIND: Final = (70, 900)
"""How far is looked: in pieces, in characters."""
_MOST: Final = (4, 13)
"""Lines before and behind the headline that anything is looked for in."""


class Line(NamedTuple):
    """A line as a browser shows it, and its half-open range of pieces."""

    text: str
    first: int
    behind: int


_line: Final = partial(tuple.__new__, Line)
"""A line of a tuple, without a call of Python for each."""


class LinesAround(NamedTuple):
    """The lines before and behind a headline, the nearest first."""

    before: Sequence[Line] = ()
    behind: Sequence[Line] = ()


def lines_before(document: Document, piece: int) -> list[Line]:
    """The visible lines before a piece that are in no quotation, the nearest first."""
    if not piece:
        return []
    pieces, characters = _BEFORE
    found = _runs(document, max(piece - pieces, 0), piece, 2 * characters)
    return _lines(unquoted(document, found[::-1], piece), _MOST[0])


def lines_behind(document: Document, piece: int, headline: int) -> list[Line]:
    """The visible lines from a piece on that are in no quotation, the nearest first."""
    pieces, characters = _BEHIND
    behind = min(piece + pieces, document.pieces.start.size)
    lines = _lines(_runs(document, piece, behind, characters), _MOST[1])
    return unquoted(document, lines, headline)


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


def _runs(document: Document, first: int, behind: int, characters: int) -> list[Line]:
    """The text between edges of lines, and its half-open range of pieces."""
    pieces, hidden = document.pieces, document.hidden
    gaps, starts = pieces.gap[first:behind].tolist(), pieces.start[first:behind].tolist()
    ends, words, begin, found = pieces.end[first:behind].tolist(), "", first, list[Line]()
    for index, (start, end, gap) in enumerate(zip(starts, ends, gaps, strict=True), first):
        if gap >= tags.LINE:
            found += (_line((words, begin, index)),)
            words, begin = "", index
        if not hidden[index]:
            text = document.text[start:end]
            words += tags.SEPARATORS[gap] + (text.replace(MEDIA, " ") if MEDIA in text else text)
            characters -= end - start
        if characters < 0:
            behind = index + 1
            break
    return [*found, _line((words, begin, behind))]


def _lines(runs: Iterable[Line], most: int) -> list[Line]:
    """The first lines that say something."""
    found = list[Line]()
    for words, begin, behind in runs:
        if said := words.split():
            found += (_line((" ".join(said), begin, behind)),)
            most -= 1
            if not most:
                break
    return found


def line_of(document: Document, first: int, behind: int) -> str:
    """The first visible line of a range of pieces."""
    return next((line.text for line in _lines(_runs(document, first, behind, 1_000), 1)), "")
