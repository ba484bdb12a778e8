"""Where text can stand in a tree: in each element's text and in its tail.

An element's *text* is what stands between its
opening tag and its first child, its *tail* what stands between its closing tag and the next tag
(the thesis, section 4.1.3, after Python's ElementTree). Comments separate nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags

_HEAD = tags.CODES["head"]


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """The places of a document's pieces.

    ``elements``: the elements that are looked at, in document order, shape (n,): all but <head> and
    what is in it. ``place``: for each piece the slot it stands in, shape (pieces,): 2 i for the
    text of ``elements[i]``, 2 i + 1 for its tail, -1 for media.
    """

    elements: Ints
    place: Ints

    def __len__(self) -> int:
        return 2 * len(self.elements)


def slots_of(document: Document) -> Slots:
    """The slots of a document. O(elements + pieces x depth of what stands behind a child)."""
    elements = document.elements
    shown = _outside_head(document)
    number = np.cumsum(shown, dtype=np.int32) - 1
    before = np.searchsorted(elements.open_start, document.pieces.source_start).astype(np.int32) - 1
    owner = document.pieces.owner
    before = np.where(document.media, owner, before)
    behind = _children(elements.parent, before, owner)
    place = np.where(document.media, -1, 2 * number[behind] + (behind != owner))
    return Slots(np.flatnonzero(shown).astype(np.int32), place.astype(np.int32))


def _children(parent: Ints, inner: Ints, owner: Ints) -> Ints:
    """The owner itself, or its child that holds the last element opened before each piece."""
    found = inner.copy()
    rising = np.flatnonzero(found != owner)
    while len(rising):
        rising = rising[parent[found[rising]] != owner[rising]]
        found[rising] = parent[found[rising]]
    return found


def _outside_head(document: Document) -> Mask:
    shown = np.ones(len(document.elements), dtype=bool)
    for head in np.flatnonzero(document.elements.tag == _HEAD):
        shown[head : document.elements.last[head]] = False
    return shown
