"""Flat arrays: the result of a scan (text, elements, pieces), and sums over ranges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]


NOTHING: Final[Mask] = np.zeros((), dtype=np.bool_)
"""No piece, of whatever number: it joins and meets masks of any shape."""


def some(mask: Mask) -> bool:
    """Whether a mask has one: on a short one in an eighth of what NumPy itself takes."""
    return 1 in mask.tobytes()


def prefix_sums(values: Numbers) -> Numbers:
    """The sums of the first 0, 1, ..., n of n values; shape (n + 1,)."""
    if values.dtype.kind not in "bi":
        return np.concatenate([[0], np.cumsum(values)])
    before = np.zeros(values.size + 1, dtype=np.int64)
    values.cumsum(out=before[1:])
    return before


def range_sums(values: Numbers, first: Numbers, last: Numbers) -> Numbers:
    """The sums of ``values[first:last]`` for arrays of half-open ranges; of their shape."""
    before = prefix_sums(values)
    return np.subtract(before[last], before[first])


HIDES: Final = 1
MAY_HIDE: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Elements:
    """A page's elements in document order, n of them; every array has the shape (n,).

    ``tag``: code (tags.NAMES). ``parent``: index of the parent element, -1 for the root. ``block``:
    index of the nearest block-level element, itself included, -1 if none. ``open_start``,
    ``open_end``: offsets in the markup of ``<`` and behind ``>`` of the start tag;
    ``close_start``, ``close_end``: likewise of the end tag (a void element: both open_end).
    ``first_piece``, ``last_piece``: the half-open range of pieces inside the element. ``last``: the
    index behind its last descendant. ``hiding``: bit 1 where its attributes hide it, bit 2 where
    its style may. ``class_start``,
    ``class_end``, ``id_start``, ``id_end``: where the values of these attributes stand in the
    markup, as they are escaped; both 0 where there is none, or an empty one.
    """

    tag: Ints
    parent: Ints
    block: Ints
    open_start: Ints
    open_end: Ints
    first_piece: Ints
    close_start: Ints
    close_end: Ints
    last_piece: Ints
    last: Ints
    hiding: Ints
    class_start: Ints
    class_end: Ints
    id_start: Ints
    id_end: Ints

    def __len__(self) -> int:
        return len(self.tag)

    @property
    def hides(self) -> Mask:
        """Which elements their own attributes hide; shape (n,)."""
        return (self.hiding & HIDES) > 0


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The page's text nodes and media in document order, m of them; every array: shape (m,).

    ``start``, ``end``: offsets in the text. ``source_start``, ``source_end``: offsets in the markup
    of the text node, white space included (of the whole element for media). ``owner``: the element
    it stands in (for media, the media element). ``gap``: the edge before it (tags.SEPARATORS).
    """

    start: Ints
    end: Ints
    source_start: Ints
    source_end: Ints
    owner: Ints
    gap: Ints

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, slots=True, eq=False)
class Scan:
    """A page's text, elements and pieces, and its signature (winnow.document.parsing.signature)."""

    text: str
    elements: Elements
    pieces: Pieces
    signature: int
