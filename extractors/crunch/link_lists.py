"""How many links and how many words a cell holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import prefix_sums
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.document.tokens import tag_offsets

Integers = npt.NDArray[np.int64]
_ENTITY: Final = re.compile(r"&(?:amp|lt|gt|nbsp);")
"""All that the serialiser escapes in text."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkCounts:
    """Prefix sums over a document's elements, so that any cell is counted in constant time.

    ``links``: links of the chosen kind before each element, shape (elements + 1,). ``linked``:
    characters of all links' texts, likewise. ``characters``: characters of text inside each
    element, white space included and tags not, shape (elements,).
    """

    links: Integers
    linked: Integers
    characters: Integers

    @classmethod
    def of(cls, document: Document, is_link: Mask, counted: Mask) -> LinkCounts:
        """Count a document once; ``counted`` are the links that make a list. O(n log n)."""
        characters = _characters(document)
        return cls(prefix_sums(counted), prefix_sums(np.where(is_link, characters, 0)), characters)

    def ratio(self, element: int, last: int, letters: int) -> float:
        """Links per word outside links; infinite where there is no word outside."""
        links = int(self.links[last] - self.links[element + 1])
        linked = int(self.linked[last] - self.linked[element + 1])
        words = (int(self.characters[element]) - linked) // letters
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
    before = prefix_sums(sizes)
    first = before[np.searchsorted(offsets, elements.open_end)]
    last = before[np.searchsorted(offsets, elements.close_start)]
    inside = (elements.close_start - elements.open_end) - (last - first)
    found: Integers = inside - _escaped(document, offsets.astype(np.int64), ends.astype(np.int64))
    return found


def _escaped(document: Document, starts: Integers, ends: Integers) -> Integers:
    """How many characters longer each element's text is for what is escaped in it."""
    found = [(entity.start(), len(entity[0]) - 1) for entity in _ENTITY.finditer(document.markup)]
    at, excess = np.array(found, dtype=np.int64).reshape(-1, 2).T
    behind = np.maximum.accumulate(ends) if len(ends) else ends
    tag = np.searchsorted(starts, at, side="right") - 1
    in_text = (tag < 0) | (at >= behind[tag]) if len(behind) else np.ones(len(at), dtype=bool)
    before = prefix_sums(excess[in_text])
    elements = document.elements
    first = np.searchsorted(at[in_text], elements.open_end)
    last = np.searchsorted(at[in_text], elements.close_start)
    found_excess: Integers = before[last] - before[first]
    return found_excess
