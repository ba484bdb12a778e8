"""Walks a document's selected segments and the elements around them in order, no recursion."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import Enum
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.render.selection import Mask, Segments

_NOTHING: Final = (-1, sys.maxsize, sys.maxsize)
"""What stands behind the last element."""


class Step(Enum):
    """What the walk meets: an element's beginning or end (with its index), a segment (with its)."""

    OPEN = 0
    CLOSE = 1
    SEGMENT = 2


def walk(document: Document, segments: Segments, shown: Mask) -> Iterator[tuple[Step, int]]:
    """The shown elements' edges and the segments, in document order; every OPEN has its CLOSE.

    O(elements + segments). An element that a span cuts is closed all the same (Pasternack & Roth
    2009, section 4: the tags left open are added).
    """
    elements = document.elements
    indexes = np.flatnonzero(shown)
    opens, closes = elements.open_start[indexes].tolist(), elements.close_end[indexes].tolist()
    is_open, is_close, is_segment = Step.OPEN, Step.CLOSE, Step.SEGMENT  # a look-up at each costs
    remaining = zip(indexes.tolist(), opens, closes, strict=True)
    element, opened, closed = next(remaining, _NOTHING)
    stack: list[tuple[int, int]] = []
    ends = [*document.pieces.source_start[segments.piece].tolist(), len(document.markup) + 1]
    for segment, at in enumerate(ends):
        while opened <= at:
            while stack and stack[-1][1] <= opened:
                yield is_close, stack.pop()[0]
            yield is_open, element
            stack.append((element, closed))
            element, opened, closed = next(remaining, _NOTHING)
        while stack and stack[-1][1] <= at:
            yield is_close, stack.pop()[0]
        if segment < len(ends) - 1:
            yield is_segment, segment
