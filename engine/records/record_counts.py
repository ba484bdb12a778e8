"""What is counted to find records: dates, authors, words, and the form of elements."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.arrays import Numbers, prefix_sums
from winnow.document.document import Document, Mask, derived
from winnow.engine.records.record_dates import DATE
from winnow.engine.records.record_marks import Mark, RecordMarks

_CLASS: Final = re.compile(r' class="\s*([^"\d\s]*)')
_LONGEST_DATE: Final = 60
"""Characters of a text that is hardly more than a date."""
_MOST: Final = 5000
"""Dates that are looked at."""


@dataclass(frozen=True, eq=False)
class RecordCounts:
    """Counts in a document; ``among``: the pieces that count. What ends with ``before`` has a sum
    of what stands before each element or piece, and one of all."""

    document: Document
    marks: RecordMarks
    among: Mask

    def form(self, element: int) -> str:
        """An element's name and the letters of its first class."""
        form = self._forms.get(element)
        if form is None:
            elements = self.document.elements
            start, end = elements.open_start.data[element], elements.open_end.data[element]
            found = _CLASS.search(self.document.markup, start, end)
            form = f"{self.document.name_of(element)}.{found[1] if found else ''}"
            self._forms[element] = form
        return form

    @derived
    def _forms(self) -> dict[int, str]:
        """Those that were asked for: dates that stand together have the same elements around."""
        return {}

    @derived
    def dates(self) -> list[int]:
        """The elements that hold a date and hardly more, in document order."""
        document, pieces = self.document, self.document.pieces
        found = set(self.marks.of(Mark.MOMENT, 0, len(document.elements)))
        found.update(document.elements_named("time"))
        short = self.among & (pieces.end - pieces.start <= _LONGEST_DATE)
        starts, ends, owners = pieces.start.data, pieces.end.data, pieces.owner.data
        for piece in short.nonzero()[0].tolist()[:_MOST]:
            if DATE.search(document.text, starts[piece], ends[piece]):
                found.add(owners[piece])
        first, last = document.elements.first_piece.data, document.elements.last.data
        among, outer, behind = self.among.data, list[int](), 0
        for element in sorted(found):
            if element >= behind and first[element] < len(among) and among[first[element]]:
                outer.append(element)
                behind = last[element]
        return outer

    @derived
    def dates_before(self) -> Numbers:
        row = np.zeros(len(self.document.elements), dtype=np.int32)
        row[self.dates] = 1
        return prefix_sums(row)

    @derived
    def authors_before(self) -> Numbers:
        size = len(self.document.elements)
        row = np.zeros(size, dtype=np.int32)
        for mark in (Mark.AUTHOR, Mark.PROFILE):
            row[self.marks.of(mark, 0, size)] = 1
        row[list(self.marks.names)] = 1
        return prefix_sums(row)

    @derived
    def among_before(self) -> Numbers:
        return prefix_sums(self.among)

    @derived
    def words_before(self) -> Numbers:
        document = self.document
        return prefix_sums(document.piece_words * (self.among & ~document.linked))
