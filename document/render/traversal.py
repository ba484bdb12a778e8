"""A document's kept elements and segments in order, without recursion. Knows offsets; no format."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document import tags
from winnow.document.document import Document
from winnow.document.render.selection import Segments

Mask = npt.NDArray[np.bool_]

_IS_CELL: Final = tags.table_of("td th")
_IS_ROW: Final = tags.table_of("tr")
_IS_NO_MEDIUM: Final = ~np.isin(np.arange(len(tags.NAMES)), list(tags.MEDIA))
_NOTHING: Final = (-1, sys.maxsize, sys.maxsize)
"""What stands behind the last element."""


class Step(Enum):
    """What the walk meets: an element's beginning or end (with its index), a segment (with its)."""

    OPEN = 0
    CLOSE = 1
    SEGMENT = 2


def holding(document: Document, kept: Segments) -> Mask:
    """Which elements to show: those that hold a kept segment, and the empty ones amid kept text.

    A cell is shown whenever its row is, so that columns stay in line. Media are no elements here:
    they are segments. Shape (elements,).
    """
    elements = document.elements
    is_kept = np.zeros(len(document.pieces) + 2, dtype=np.bool_)
    is_kept[kept.piece + 1] = True
    before = np.cumsum(is_kept, dtype=np.int32)
    first, behind = elements.first_piece, elements.last_piece
    found = before[behind] > before[first]
    found |= (first == behind) & is_kept[first] & is_kept[first + 1]
    cells = np.flatnonzero(_IS_CELL[elements.tag])
    if len(cells):
        rows = elements.parent[cells]
        found[cells] |= _IS_ROW[elements.tag[rows]] & found[rows]
    found &= _IS_NO_MEDIUM[elements.tag]
    return found


def walk(document: Document, kept: Segments, shown: Mask) -> Iterator[tuple[Step, int]]:
    """The shown elements' edges and the segments, in document order; every OPEN has its CLOSE.

    O(elements + segments). An element that a span cuts is closed all the same (Pasternack & Roth
    2009, section 4: the tags left open are added).
    """
    elements = document.elements
    wanted = np.flatnonzero(shown)
    opens, closes = elements.open_start[wanted].tolist(), elements.close_end[wanted].tolist()
    is_open, is_close, is_segment = Step.OPEN, Step.CLOSE, Step.SEGMENT  # a look-up at each costs
    waiting = zip(wanted.tolist(), opens, closes, strict=True)
    element, opened, closed = next(waiting, _NOTHING)
    stack: list[tuple[int, int]] = []
    ends = [*document.pieces.source_start[kept.piece].tolist(), len(document.markup) + 1]
    for segment, at in enumerate(ends):
        while opened <= at:
            while stack and stack[-1][1] <= opened:
                yield is_close, stack.pop()[0]
            yield is_open, element
            stack.append((element, closed))
            element, opened, closed = next(waiting, _NOTHING)
        while stack and stack[-1][1] <= at:
            yield is_close, stack.pop()[0]
        if segment < len(ends) - 1:
            yield is_segment, segment
