"""How many links and how many words a cell holds. Knows the arithmetic of Crunch's link lists."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from document import tags
from document.document import Document
from document.tokens import tag_offsets

Integers = npt.NDArray[np.int64]

LETTERS_PER_WORD = 5
"""A word's length in Crunch's papers; a comment in its code says 4."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkCounts:
    """Prefix sums over a document's elements, so that any cell is counted in constant time.

    ``links``: links before each element, shape (elements + 1,). ``linked``: characters of their
    texts, likewise. ``characters``: characters of text inside each element, white space included
    and tags not, shape (elements,).
    """

    links: Integers
    linked: Integers
    characters: Integers

    @classmethod
    def of(cls, document: Document) -> LinkCounts:
        """Count a document once. O(elements log elements)."""
        characters = _characters(document)
        is_link = document.elements.tag == tags.CODES["a"]
        is_link[is_link] = [
            ' href="' in document.markup[start:end]
            for start, end in zip(
                document.elements.open_start[is_link].tolist(),
                document.elements.open_end[is_link].tolist(),
                strict=True,
            )
        ]
        return cls(_prefix(is_link), _prefix(np.where(is_link, characters, 0)), characters)

    def ratio(self, element: int, last: int) -> float:
        """Links per word outside links; infinite where there is no word outside."""
        links = int(self.links[last] - self.links[element + 1])
        linked = int(self.linked[last] - self.linked[element + 1])
        words = (int(self.characters[element]) - linked) // LETTERS_PER_WORD
        return links / words if words > 0 else float("inf")


def _characters(document: Document) -> Integers:
    """Characters between the tags inside each element; an opaque element counts as one tag."""
    elements = document.elements
    offsets, owners, closing = tag_offsets(elements)
    opaque = np.isin(elements.tag, list(tags.OPAQUE))[owners]
    starts = np.where(closing, elements.close_start[owners], elements.open_start[owners])
    ends = np.where(closing, elements.close_end[owners], elements.open_end[owners])
    ends = np.where(opaque & ~closing, elements.close_end[owners], ends)
    sizes = np.where(opaque & closing, 0, ends - starts)
    before = _prefix(sizes)
    first = before[np.searchsorted(offsets, elements.open_end)]
    last = before[np.searchsorted(offsets, elements.close_start)]
    return (elements.close_start - elements.open_end) - (last - first)


def _prefix(values: npt.NDArray[np.generic]) -> Integers:
    return np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
