"""A table of data of which most is kept is kept whole, its header row first (HTML, 4.9)."""

from __future__ import annotations

from typing import Final

import numpy as np

from winnow.document.arrays import Ints, Mask, range_sums
from winnow.document.document import Document

_MOST: Final = 0.75
"""The share of a table's words that are kept."""
_CELLS: Final = 2
"""Cells a row, and rows, of a table of data."""


def rest_of_tables(document: Document, kept: Mask) -> Mask:
    """The pieces left out of tables of data that are kept for the most part; O(elements)."""
    tables = _of_data(document)
    if not len(tables):
        return np.zeros_like(kept)
    elements = document.elements
    shown = np.where(document.hidden, 0, document.piece_words)
    first, last = elements.first_piece[tables], elements.last_piece[tables]
    words = range_sums(shown, first, last)
    own = range_sums(np.where(kept, shown, 0), first, last)
    most = tables[(own < words) & (own > _MOST * words)]
    found: Mask = document.inside(most) & ~kept & ~document.hidden & ~document.media
    return found


def _of_data(document: Document) -> Ints:
    """The tables with headers that hold no other, and two rows of two cells at least; those without
    headers mostly lay out a page."""
    tables = np.array(document.elements_named("table"), dtype=np.int32)
    if not len(tables):
        return tables
    behind = document.elements.last[tables]

    def count(name: str) -> Ints:
        named = np.array(document.elements_named(name), dtype=np.int32)
        found: Ints = named.searchsorted(behind) - named.searchsorted(tables, side="right")
        return found

    rows, cells = count("tr"), count("td") + count("th")
    is_headed = count("th") + count("thead") > 0
    found: Ints = tables[
        is_headed & (count("table") == 0) & (rows >= _CELLS) & (cells >= _CELLS * rows)
    ]
    return found
