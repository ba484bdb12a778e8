"""A document's kept elements and segments in order, without recursion. Knows offsets; no format."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

import numpy as np
import numpy.typing as npt

from document import tags
from document.document import Document
from document.render.kept import Segments

Mask = npt.NDArray[np.bool_]

_CELLS: Final = list(tags.codes_of("td th"))
_ROWS: Final = list(tags.codes_of("tr"))
_MEDIA: Final = list(tags.MEDIA)


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
    before = np.cumsum(is_kept)
    first, behind = elements.first_piece, elements.last_piece
    found = before[behind] > before[first]
    found |= (first == behind) & is_kept[first] & is_kept[first + 1]
    parents = np.maximum(elements.parent, 0)
    cells = np.isin(elements.tag, _CELLS) & np.isin(elements.tag[parents], _ROWS)
    found |= cells & found[parents]
    return found & ~np.isin(elements.tag, _MEDIA)


def walk(document: Document, kept: Segments, shown: Mask) -> Iterator[tuple[Step, int]]:
    """The shown elements' edges and the segments, in document order; every OPEN has its CLOSE.

    O(elements + segments). An element that a span cuts is closed all the same (Pasternack & Roth
    2009, section 4: the tags left open are added).
    """
    elements = document.elements
    wanted = np.flatnonzero(shown)
    opens, closes = elements.open_start[wanted].tolist(), elements.close_end[wanted].tolist()
    waiting = iter(zip(wanted.tolist(), opens, closes, strict=True))
    element = next(waiting, None)
    stack: list[tuple[int, int]] = []
    ends = [*document.pieces.source_start[kept.piece].tolist(), len(document.markup) + 1]
    for segment, at in enumerate(ends):
        while element is not None and element[1] <= at:
            while stack and stack[-1][1] <= element[1]:
                yield Step.CLOSE, stack.pop()[0]
            yield Step.OPEN, element[0]
            stack.append((element[0], element[2]))
            element = next(waiting, None)
        while stack and stack[-1][1] <= at:
            yield Step.CLOSE, stack.pop()[0]
        if segment < len(kept):
            yield Step.SEGMENT, segment
