"""The pieces, marked elements and microdata of one record, without those of others within it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document, Mask, derived
from winnow.document.texts.short_texts import text_inside
from winnow.engine.records.record_marks import Mark, RecordMarks, without_inner

_ELEMENT: Final = itemgetter(0)


@dataclass(frozen=True, eq=False)
class RecordPieces:
    """A record's place; ``inner``: the elements of other records within it.

    ``behind``: the index of the first element that is not the record's. Masks and indices of pieces
    begin at its first piece, ``first``: a step for a record takes the time of its own size.
    """

    document: Document
    marks: RecordMarks
    element: int
    inner: tuple[int, ...]
    behind: int

    @derived
    def first(self) -> int:
        """The index of its first piece in the document."""
        return int(self.document.elements.first_piece[self.element])

    @derived
    def _all(self) -> slice:
        """Its pieces in the document."""
        last = self.document.elements.last_piece[self.element : self.behind]
        return slice(self.first, int(last.max()))

    @derived
    def own(self) -> Mask:
        """The shown pieces of the record, without those of others within it."""
        found = ~self.document.hidden[self._all]
        for inner in self.inner:
            found[slice(*self._range(inner))] = False
        return found

    @derived
    def _words(self) -> Ints:
        return self.document.piece_words[self._all]

    @derived
    def _quoted(self) -> Mask:
        return self.marks.quoted[self._all]

    @derived
    def _blocks(self) -> Ints:
        """The block of each piece."""
        return self.document.elements.block[self.document.pieces.owner[self._all]]

    def _is_quoted(self, element: int) -> bool:
        """Whether an element begins in a quotation."""
        return bool(self._quoted[self._range(element)[0] :][:1].any())

    def _inside(self, elements: Iterable[int]) -> Mask:
        """Which pieces stand in any of some elements of the record."""
        inside = np.zeros(len(self.own), dtype=np.bool_)
        for element in elements:
            first, behind = self._range(element)
            inside[first:behind] = True
        return inside

    def _piece(self, piece: int) -> str:
        if (index := self.first + piece) < 0:
            return ""
        starts, ends = self.document.pieces.start.data, self.document.pieces.end.data
        return self.document.text[starts[index] : ends[index]].strip()

    def _range(self, element: int) -> tuple[int, int]:
        first, last, begin = self._ends
        return first[element] - begin, last[element] - begin

    @derived
    def _ends(self) -> tuple[memoryview, memoryview, int]:
        """Where the pieces of each element begin and end, and where the record's begin."""
        elements = self.document.elements
        return elements.first_piece.data, elements.last_piece.data, self.first

    @derived
    def _inner(self) -> list[tuple[int, int]]:
        return [(inner, int(self.document.elements.last[inner])) for inner in self.inner]

    def _marked(self, mark: Mark) -> Sequence[int]:
        found = self._known_marks.get(mark)
        if found is None:
            among = self.marks.of(mark, self.element, self.behind)
            found = self._known_marks[mark] = without_inner(among, self._inner)
        return found

    @derived
    def _known_marks(self) -> dict[Mark, Sequence[int]]:
        """The elements of the marks that were asked for: several steps ask for the same."""
        return {}

    def _named_elements(self, name: str) -> Sequence[int]:
        return without_inner(self.marks.named(name, self.element, self.behind), self._inner)

    def _outermost(self, elements: Iterable[int]) -> list[int]:
        found: list[int] = []
        for element in elements:
            is_inner = found and element < self.document.elements.last[found[-1]]
            if element != self.element and not is_inner:
                found.append(element)
        return found

    @derived
    def _of_property(self) -> dict[str, list[int]]:
        """The elements of each property of microdata."""
        found: dict[str, list[int]] = {}
        properties = self.marks.properties
        low = bisect_right(properties, self.element, key=_ELEMENT)
        stated = dict(properties[low : bisect_left(properties, self.behind, key=_ELEMENT)])
        for element in without_inner([*stated], self._inner):
            for name in stated[element].split():
                found.setdefault(name, []).append(element)
        return found

    def _properties(self, names: Iterable[str]) -> Iterator[str]:
        """The values of the first of some properties; of a person the name."""
        document, last = self.document, self.document.elements.last
        named = self._of_property.get("name", [])
        for element in (at for name in names for at in self._of_property.get(name, ())):
            inner = named[bisect_right(named, element) : bisect_left(named, int(last[element]))]
            for said in (*inner, element):
                attributes = document.attributes_of(said, {"content", "datetime"})
                yield (
                    attributes.get("content")
                    or attributes.get("datetime")
                    or text_inside(document, said)
                )
