"""Listings stay where the text around them does: code is part of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from winnow.document.arrays import Ints, range_sums
from winnow.document.document import Document, Mask

_SIBLING: Final = 8
"""Words of an element that says that what its parent holds is text."""


def listings_between(document: Document, kept: Mask) -> Mask:
    """The pieces of each ``<pre>`` of which nothing is kept, between kept text, or between kept
    elements of the same parent; O(elements) where there is any."""
    added = np.zeros_like(kept)
    first, behind = document.elements.first_piece, document.elements.last_piece
    lost = [
        listing
        for listing in document.elements_named("pre")
        if not kept[first[listing] : behind[listing]].any()
    ]
    if not lost:
        return added
    shown = ~document.hidden
    texts = np.flatnonzero(shown & (document.piece_words > 0) & ~document.inside_tags("pre"))
    before, after = _kept_siblings(document, kept, lost)
    for listing in lost:
        inside = slice(int(first[listing]), int(behind[listing]))
        at = int(texts.searchsorted(inside.start))
        is_between = 0 < at < len(texts) and kept[texts[at - 1 : at + 1]].all()
        parent = document.elements.parent[listing]
        if is_between or before[parent] < listing < after[parent]:
            added[inside] = shown[inside]
    return added


def _kept_siblings(document: Document, kept: Mask, listings: Sequence[int]) -> tuple[Ints, Ints]:
    """The first and the last kept child of each element; those of which most is kept count, and
    only where a listing is a child too. Shapes (elements,)."""
    elements, size = document.elements, len(document.elements)
    shown = np.where(document.hidden, 0, document.piece_words)
    words = range_sums(shown, elements.first_piece, elements.last_piece)
    own = range_sums(np.where(kept, shown, 0), elements.first_piece, elements.last_piece)
    beside = np.isin(elements.parent, elements.parent[list(listings)])
    found = np.flatnonzero((2 * own > words) & (words >= _SIBLING) & beside)
    first, last = np.full(size, size, dtype=np.int32), np.full(size, -1, dtype=np.int32)
    np.minimum.at(first, elements.parent[found], found)
    np.maximum.at(last, elements.parent[found], found)
    return first, last
