"""The pieces, marked elements and microdata of one record, without those of others within it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from winnow.document.document import Document, Mask
from winnow.document.short_texts import text_inside
from winnow.engine.record_marks import Mark, RecordMarks, without_inner


@dataclass(frozen=True, eq=False)
class RecordPieces:
    """A record's place; ``inner``: the elements of other records within it.

    ``behind``: the index of the first element that is not the record's.
    """

    document: Document
    marks: RecordMarks
    element: int
    inner: tuple[int, ...]
    behind: int

    @cached_property
    def own(self) -> Mask:
        """The shown pieces of the record, without those of others within it."""
        found = np.zeros(len(self.document.pieces), dtype=np.bool_)
        first, last = self.document.elements.first_piece, self.document.elements.last_piece
        found[first[self.element] : last[self.element : self.behind].max()] = True
        for inner in self.inner:
            found[slice(*self._range(inner))] = False
        found &= ~self.document.hidden
        return found

    def _piece(self, piece: int) -> str:
        if piece < 0:
            return ""
        starts, ends = self.document.pieces.start.data, self.document.pieces.end.data
        return self.document.text[starts[piece] : ends[piece]].strip()

    def _range(self, element: int) -> tuple[int, int]:
        elements = self.document.elements
        return int(elements.first_piece[element]), int(elements.last_piece[element])

    @cached_property
    def _inner(self) -> list[tuple[int, int]]:
        return [(inner, int(self.document.elements.last[inner])) for inner in self.inner]

    def _marked(self, mark: Mark) -> list[int]:
        found = self.marks.of(mark, self.element, self.behind)
        return list(without_inner(found, self._inner))

    def _named_elements(self, name: str) -> list[int]:
        found = self.marks.named(name, self.element, self.behind)
        return list(without_inner(found, self._inner))

    def _outermost(self, elements: Iterable[int]) -> list[int]:
        found: list[int] = []
        for element in elements:
            is_inner = found and element < self.document.elements.last[found[-1]]
            if element != self.element and not is_inner:
                found.append(element)
        return found

    @cached_property
    def _of_property(self) -> dict[str, list[int]]:
        """The elements of each property of microdata."""
        found: dict[str, list[int]] = {}
        stated = {
            at: value for at, value in self.marks.properties if self.element < at < self.behind
        }
        for element in without_inner(list(stated), self._inner):
            for name in stated[element].split():
                found.setdefault(name, []).append(element)
        return found

    def _properties(self, names: Iterable[str]) -> Iterator[str]:
        """The values of the first of some properties; of a person the name."""
        document, last = self.document, self.document.elements.last
        for element in (at for name in names for at in self._of_property.get(name, ())):
            inner = [at for at in self._of_property.get("name", ()) if element < at < last[element]]
            for said in (*inner, element):
                attributes = document.attributes_of(said, {"content", "datetime"})
                yield (
                    attributes.get("content")
                    or attributes.get("datetime")
                    or text_inside(document, said)
                )
