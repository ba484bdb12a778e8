"""The article's block cleaned (Pasternack & Roth 2009, section 4.2).

The rules are made for news, and the paper says that they fail elsewhere (a page whose text stands
in a <div> with links in it loses that text), so they are an option.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import range_sums
from winnow.document.document import Document
from winnow.document.parsing import tags

_REMOVED: Final = tags.table_of("iframe table")
_UNWANTED: Final = tags.table_of("a iframe table img embed object")
_DIV: Final = tags.CODES["div"]


def cleaned(document: Document, start: int, end: int) -> list[tuple[int, int]]:
    """What is left of ``text[start:end]``, as ranges: without tables and <div> with links or media.

    Only elements whose both tags stand between the block's first and last piece count: those around
    the block are not part of it. O(elements + pieces).
    """
    pieces = document.pieces
    first = int(np.searchsorted(pieces.end, start, side="right"))
    last = int(np.searchsorted(pieces.start, end))
    if last <= first:
        return []
    junk = document.inside(_junk(document, first, last))[first:last]
    remaining = np.flatnonzero(~junk) + first
    return [
        (max(start, int(pieces.start[run[0]])), min(end, int(pieces.end[run[-1]])))
        for run in np.split(remaining, np.flatnonzero(np.diff(remaining) > 1) + 1)
        if len(run)
    ]


def _junk(document: Document, first: int, last: int) -> npt.NDArray[np.intp]:
    """The elements between two pieces whose content goes."""
    elements, pieces = document.elements, document.pieces
    within = (elements.open_start >= pieces.source_start[first]) & (
        elements.close_end <= pieces.source_end[last - 1]
    )
    inside = range_sums(_unwanted(document), np.arange(len(elements)) + 1, elements.last)
    holds = (elements.tag == _DIV) & (inside > 0)
    return np.flatnonzero(within & (_REMOVED[elements.tag] | holds))


def _unwanted(document: Document) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = _UNWANTED[document.elements.tag]
    nameless = np.flatnonzero(document.elements.tag == 0).tolist()
    found[[index for index in nameless if document.name_of(index) == "applet"]] = True
    return found
