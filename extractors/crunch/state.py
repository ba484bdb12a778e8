"""A page under filters: what they have taken of it so far, as a value. Knows no filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from document.document import Document, Mask
from document.values import Edit, Operation


@dataclass(frozen=True, eq=False)
class Filtered:
    """What a page has lost: the seam's ``previous`` and ``current`` (extractors.crunch.seam).

    ``taken``: elements that are gone, shape (elements,). ``gone``: pieces whose text is gone, shape
    (pieces,). ``edits``: what to do to the markup, in the order in which it was decided. ``links``:
    removed text links, each with the element at which it was met. The arrays are never written to.
    """

    taken: Mask
    gone: Mask
    edits: tuple[Edit, ...] = ()
    links: tuple[tuple[int, int], ...] = ()

    @classmethod
    def nothing(cls, document: Document) -> Filtered:
        """A page of which nothing is taken."""
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
        passed over, as a depth-first walk would.
        """
        if not len(elements) and inside is None:
            return self
        tree = document.elements
        found = np.unique(np.asarray(elements, dtype=np.int64))
        found = found[~self.taken[found]]
        ends = np.maximum.accumulate(tree.last[found]) if len(found) else found
        found = found[np.append(True, found[1:] >= ends[:-1])[: len(found)]]
        taken = self.taken | _covered(found, tree.last[found], len(self.taken))
        gone = self.gone | _covered(tree.first_piece[found], tree.last_piece[found], len(self.gone))
        edits = [*self.edits]
        for element in found.tolist():
            markup = instead.get(element, "")
            operation = Operation.REPLACE if markup else Operation.REMOVE
            edits.append(Edit(element, operation, markup))
        if inside is not None:
            gone |= inside
        return replace(self, taken=taken, gone=gone, edits=tuple(edits))

    def edited(self, edits: Sequence[Edit]) -> Filtered:
        """The page with changes of markup that take no text."""
        return replace(self, edits=(*self.edits, *edits))

    def left(self, elements: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
        """Those of the elements that are not gone."""
        found: npt.NDArray[np.integer] = elements[~self.taken[elements]]
        return found


def _covered(
    first: npt.NDArray[np.integer], last: npt.NDArray[np.integer], size: int
) -> npt.NDArray[np.bool_]:
    """What half-open ranges cover, shape (size,)."""
    steps = np.bincount(first, minlength=size + 1) - np.bincount(last, minlength=size + 1)
    return np.cumsum(steps[:size]) > 0


@dataclass(frozen=True, slots=True)
class Size:
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

    def of(self, state: Filtered) -> Size:
        """The words and the markup that are left."""
        words = self.document.piece_words[~state.gone & self._shown].sum()
        return Size(int(words), len(self.document.markup) - self._taken(state))

    def _taken(self, state: Filtered) -> int:
        tree = self.document.elements
        outermost = state.taken & ~state.taken[np.maximum(tree.parent, 0)]
        if len(outermost):
            outermost[0] = state.taken[0]
        inside = self.document.inside(np.flatnonzero(outermost))
        texts = state.gone & ~inside
        pieces = self.document.pieces
        cut = (tree.close_end - tree.open_start)[outermost].sum()
        return int(cut + (pieces.source_end - pieces.source_start)[texts].sum())
