"""A page under filters: what they have removed so far, as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.document import Document, Mask
from winnow.document.edits import Edit, Operation

_REPLACE: Final = Operation.REPLACE
_REMOVE: Final = Operation.REMOVE
"""Names of our own: to look a member of an enumeration up takes longer than to make an edit."""


@dataclass(frozen=True, eq=False)
class Filtered:
    """What filters have removed from a page: ``previous`` and ``current`` of filter_protocol.

    ``removed_elements``: shape (elements,). ``removed_pieces``: those whose text is removed, shape
    (pieces,). ``edits``: what to do to the markup, in the order in which it was decided. ``links``:
    removed text links, each with the element at which it was met, shape (links, 2), where these
    are retained. The arrays are never written to.
    """

    removed_elements: Mask
    removed_pieces: Mask
    edits: tuple[Edit, ...] = ()
    links: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))

    @classmethod
    def nothing(cls, document: Document) -> Filtered:
        """A page of which nothing is removed."""
        return cls(np.zeros(len(document.elements), bool), np.zeros(len(document.pieces), bool))

    def without(
        self,
        document: Document,
        elements: Sequence[int] | npt.NDArray[np.integer],
        instead: Mapping[int, str] = MappingProxyType({}),
        inside: Mask | None = None,
    ) -> Filtered:
        """The page without whole elements, some with markup in their stead.

        ``inside``: pieces that are gone besides. What stands in an element that is gone already is
        skipped, as in a depth-first walk.
        """
        if not len(elements) and inside is None:
            return self
        tree = document.elements
        found = self.outermost(document, np.asarray(elements, dtype=np.int64))
        if not len(found) and inside is None:
            return self
        removed_elements = with_ranges(self.removed_elements, found, tree.last[found])
        removed_pieces = with_ranges(
            self.removed_pieces, tree.first_piece[found], tree.last_piece[found]
        )
        if inside is not None:
            removed_pieces |= inside
        removed = [
            Edit(element, _REPLACE if markup else _REMOVE, markup)
            for element in found.tolist()
            for markup in (instead.get(element, ""),)
        ]
        return Filtered(removed_elements, removed_pieces, (*self.edits, *removed), self.links)

    def outermost(
        self, document: Document, elements: npt.NDArray[np.integer]
    ) -> npt.NDArray[np.integer]:
        """Those that are not gone, in document order, without those inside others of them."""
        found = self.left(elements)
        if not (found[1:] > found[:-1]).all():
            found = np.unique(found)
        if len(found) < 2:
            return found
        is_outer = np.ones(len(found), dtype=bool)
        is_outer[1:] = found[1:] >= np.maximum.accumulate(document.elements.last[found])[:-1]
        outermost: npt.NDArray[np.integer] = found[is_outer]
        return outermost

    def with_links(
        self, links: npt.NDArray[np.integer], places: npt.NDArray[np.integer]
    ) -> Filtered:
        """The same page, with removed text links and the elements at which a walk meets them."""
        links = np.stack((links, places), axis=1).astype(np.int64)
        return Filtered(
            self.removed_elements,
            self.removed_pieces,
            self.edits,
            np.concatenate((self.links, links)),
        )

    def edited(self, edits: Sequence[Edit]) -> Filtered:
        """The page with changes of markup that remove no text."""
        if not edits:
            return self
        return Filtered(
            self.removed_elements, self.removed_pieces, (*self.edits, *edits), self.links
        )

    def left(self, elements: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
        """Those of the elements that are not gone."""
        found: npt.NDArray[np.integer] = elements[~self.removed_elements[elements]]
        return found


_FEW: Final = 50


def with_ranges(mask: Mask, first: npt.NDArray[np.integer], last: npt.NDArray[np.integer]) -> Mask:
    """A copy of a mask with half-open ranges set. Few are set one by one, many at once."""
    if len(first) > _FEW:
        size = len(mask) + 1
        steps = np.bincount(first, minlength=size) - np.bincount(last, minlength=size)
        return mask | (np.cumsum(steps[:-1]) > 0)
    found = mask.copy()
    for start, end in zip(first.tolist(), last.tolist(), strict=True):
        found[start:end] = True
    return found


@dataclass(frozen=True, slots=True)
class PageSize:
    """How much of a page there is: words that a browser shows, and characters of markup."""

    words: int = 0
    markup: int = 0


@dataclass(frozen=True, eq=False)
class Sizes:
    """Measures states of one document. O(elements) each."""

    document: Document
    _shown: Mask = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_shown", ~self.document.hidden)

    def of(self, state: Filtered) -> PageSize:
        """The words and the markup that are left."""
        words = self.document.piece_words[~state.removed_pieces & self._shown].sum()
        return PageSize(int(words), len(self.document.markup) - self._taken(state))

    def _taken(self, state: Filtered) -> int:
        tree = self.document.elements
        outermost = state.removed_elements & ~state.removed_elements[np.maximum(tree.parent, 0)]
        if len(outermost):
            outermost[0] = state.removed_elements[0]
        inside = self.document.inside(np.flatnonzero(outermost))
        texts = state.removed_pieces & ~inside
        pieces = self.document.pieces
        cut = (tree.close_end - tree.open_start)[outermost].sum()
        return int(cut + (pieces.source_end - pieces.source_start)[texts].sum())
