"""Tables of data: those that are shown whole, and from which share of them that is kept."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document
from winnow.document.parsing.signature import needs

WHOLE: Final = 0.2
"""The share of a table with headers, or of a listing, from which on all of it is kept."""
_MOSTLY, _CELL = 0.5, 20
"""The share of a table without headers, and the words of its cells, as a mean."""
_CELLS: Final = 2
"""Cells a row, and rows, of a table of data."""


@needs("table", absent=MappingProxyType({}))
def tables_of_data(document: Document, words: Ints) -> Mapping[int, float]:
    """The tables that hold no other, and two rows of two cells at least (HTML, 4.9), with the share
    that must be kept; those without headers mostly lay out a page. ``words``: of each element."""
    tables = np.array(document.elements_named("table"), dtype=np.int32)
    behind = document.elements.last[tables]

    def count(name: str) -> Ints:
        named = np.array(document.elements_named(name), dtype=np.int32)
        found: Ints = named.searchsorted(behind) - named.searchsorted(tables, side="right")
        return found

    rows, headers = count("tr"), count("th")
    cells, is_headed = count("td") + headers, headers + count("thead") > 0
    is_data = (count("table") == 0) & (rows >= _CELLS) & (cells >= _CELLS * rows)
    is_data &= is_headed | (words[tables] <= _CELL * cells)
    found = zip(tables[is_data].tolist(), is_headed[is_data].tolist(), strict=True)
    return {table: WHOLE if headed else _MOSTLY for table, headed in found}
