"""Terms and what they mean stay together: ``<dt>`` and ``<dd>`` (HTML, 4.4.9 to 4.4.11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from winnow.document.arrays import Ints, Mask, prefix_sums
from winnow.document.document import Document

_LONGEST: Final = 60
"""Words of a meaning, or a term, that follows the other half of its pair."""


def rest_of_pairs(document: Document, kept: Mask) -> Mask:
    """The pieces of short terms and meanings whose other half is kept by half; O(pairs)."""
    if not document.elements_named("dt"):
        return np.zeros(len(kept), dtype=np.bool_)
    shown = np.where(document.hidden, 0, document.piece_words)
    every, saved = prefix_sums(shown), prefix_sums(np.where(kept, shown, 0))

    def words(elements: list[int], sums: Ints) -> int:
        first, last = document.elements.first_piece, document.elements.last_piece
        return int(sum(sums[last[one]] - sums[first[one]] for one in elements))

    aside, added = document.inside_tags("nav aside footer"), list[int]()
    for pair in _pairs(document):
        for half, other in (pair, pair[::-1]):
            is_short = 0 < words(half, every) <= _LONGEST and not words(half, saved)
            if is_short and 2 * words(other, saved) >= words(other, every) > 0:
                added += half
    found: Mask = document.inside(np.array(added)) & ~kept & ~aside & ~document.hidden
    return found


def _pairs(document: Document) -> Iterator[tuple[list[int], list[int]]]:
    """The terms of each group and their meanings; groups without either are none."""
    parent = document.elements.parent
    terms, meanings = list[int](), list[int]()
    for element in sorted((*document.elements_named("dt"), *document.elements_named("dd"))):
        is_term = document.name_of(element) == "dt"
        if terms and ((is_term and meanings) or parent[element] != parent[terms[0]]):
            if meanings:
                yield terms, meanings
            terms, meanings = [], []
        if is_term:
            terms.append(element)
        elif terms:
            meanings.append(element)
    if terms and meanings:
        yield terms, meanings
