"""Who wrote a record, when, its number and its body, as the markup within its element says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from winnow.document.arrays import prefix_sums
from winnow.document.document import Document, Mask
from winnow.document.short_texts import text_inside
from winnow.engine.record_dates import DATE, OF_SOMETHING_ELSE, date_in
from winnow.engine.record_marks import Mark, RecordMarks, without_inner
from winnow.engine.record_names import NUMBER, name_in

_TIMES: Final = ("datePublished", "dateCreated", "commentTime")
_TEXTS: Final = ("text", "articleBody", "reviewBody", "commentText")
_AUTHORS: Final = ("author", "creator")
_MOMENT: Final = re.compile(r"(?:19|20)\d\d-\d\d-\d\d")
_SHORT: Final = 3
"""Words of a text that may be a name."""
_HEADLINE: Final = 4
"""Words of a block beside who and when where it says no more."""
_MOST: Final = 15
"""Words of an element that says who or when; a longer one holds the text too."""
_LONGEST_FACT: Final = 60


@dataclass(frozen=True, eq=False)
class RecordFacts:
    """What a record says; ``inner``: the elements of other records within it.

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

    # Who.

    @cached_property
    def author(self) -> str:
        """The name of who wrote it, "" if it is not said."""
        return next(filter(None, map(name_in, self._authors())), "")

    def _authors(self) -> Iterator[str]:
        yield from self._properties(_AUTHORS)
        yield self.marks.names.get(self.element, "")
        for element in self._marked(Mark.AUTHOR):
            if not self._in_body(element):
                yield self._named(element)
        for element in self._marked(Mark.PROFILE):
            if not self._in_body(element):
                yield text_inside(self.document, element)
        yield self._beside_date()

    def _named(self, element: int) -> str:
        """The text of an element's first link that may be a name, else all of its text."""
        document = self.document
        links = (
            name_in(text_inside(document, inner))
            for inner in range(element + 1, int(document.elements.last[element]))
            if document.name_of(inner) == "a"
        )
        return next(filter(None, links), text_inside(document, element))

    def _beside_date(self) -> str:
        """What stands in the block of the first date, where it is short."""
        blocks = self.document.elements.block[self.document.pieces.owner]
        for piece in self._facts.tolist():
            if DATE.search(self._piece(piece)):
                beside = self._facts[blocks[self._facts] == blocks[piece]].tolist()
                text = " ".join(self._piece(other) for other in beside if other != piece)
                return text if len(text.split()) <= _SHORT else ""
        return ""

    # When.

    @cached_property
    def time(self) -> str:
        """When it was written, "" if it is not said."""
        return next(filter(None, self._times()), "")

    def _times(self) -> Iterator[str]:
        yield from self._properties(_TIMES)
        document = self.document
        for element in self._moments:
            before = self._piece(int(document.elements.first_piece[element]) - 1)
            if not self._in_body(element) and not OF_SOMETHING_ELSE.search(before[-30:]):
                yield self._moment(element)
        for piece in self._facts.tolist():
            text = self._piece(piece)
            if len(text) < _LONGEST_FACT and not OF_SOMETHING_ELSE.search(self._piece(piece - 1)):
                yield date_in(text) and self._precise(piece, text)

    @cached_property
    def _moments(self) -> list[int]:
        return sorted({*self._named_elements("time"), *self._marked(Mark.MOMENT)})

    def _moment(self, element: int) -> str:
        attributes = self.document.attributes_of(element, {"datetime", "title"})
        for name in ("datetime", "title"):
            if _MOMENT.match(attributes.get(name, "").strip()):
                return attributes[name].strip()
        text = text_inside(self.document, element)
        return attributes.get("datetime", "").strip() or date_in(text) or text

    def _precise(self, piece: int, text: str) -> str:
        """The date that a text shows; as the element's title has it, if it has one."""
        owner = int(self.document.pieces.owner[piece])
        title = self.document.attributes_of(owner, {"title"}).get("title", "")
        return " ".join(title.split()) if DATE.search(title) else date_in(text)

    # What.

    @cached_property
    def number(self) -> str:
        """Its number in the thread, "" if it has none."""
        if found := next(self._properties(("position",)), ""):
            return found if found.isdigit() else ""
        numbers = (NUMBER.fullmatch(self._piece(piece)) for piece in self._facts.tolist())
        return next((found[1] for found in numbers if found), "")

    @cached_property
    def is_accepted(self) -> bool:
        """Whether it is marked as the answer that solved the question."""
        return self.element in self.marks.of(Mark.ACCEPTED, self.element, self.element + 1)

    @cached_property
    def body(self) -> Mask:
        """The pieces of what was written: all of it, and nothing around it."""
        document, own = self.document, self.own & ~self._chaff
        words = document.piece_words
        least = words[own & ~document.linked & ~self._headline].sum() / 10
        said = [element for name in _TEXTS for element in self._of_property.get(name, ())]
        for among in (said, self._said()):
            body = own & document.inside(np.array(among, dtype=np.int64))
            if body.any() and words[body].sum() >= least:
                return body
        return own & ~self._headline

    @cached_property
    def around_facts(self) -> Mask:
        """All pieces but those that say who and when, and buttons: a review with its rating."""
        return self.own & ~self._headline & ~self._chaff

    def _said(self) -> list[int]:
        """The elements that are named as the text, else the one that holds nearly all of it."""
        own = self.own & ~self._headline & ~self._chaff
        words = prefix_sums(np.where(own, self.document.piece_words, 0))
        quoted, first = self.marks.quoted, self.document.elements.first_piece
        named = self._outermost(
            element
            for element in self._marked(Mark.BODY)
            if np.diff(words[list(self._range(element))])[0] and not quoted[first[element]]
        )
        if len(named) > 1:
            return named
        return [self._inmost(named[0] if named else self.element, words)]

    def _inmost(self, element: int, words: np.ndarray) -> int:
        """The element within one that says who and when which holds nearly all of its words."""
        elements, facts = self.document.elements, prefix_sums(self._headline)
        while True:
            first, behind = self._range(element)
            best, inner = (0, -1), element + 1
            while inner < elements.last[element]:
                low, high = self._range(inner)
                best = max(best, (int(words[high] - words[low]), -inner))
                inner = int(elements.last[inner])
            is_headed = facts[behind] > facts[first]
            if not is_headed or not best[0] or 4 * best[0] < 3 * (words[behind] - words[first]):
                return element
            element = -best[1]

    @cached_property
    def _chaff(self) -> Mask:
        bodies = np.array(self._marked(Mark.BODY))
        last = self.document.elements.last
        found = [
            element
            for element in self._marked(Mark.CHAFF)
            if element != self.element and not ((bodies > element) & (bodies < last[element])).any()
        ]
        found += self._named_elements("button")
        return self.document.inside(np.array(found, dtype=np.int64))

    @cached_property
    def _headline(self) -> Mask:
        """The pieces of the blocks that say who and when."""
        document, pieces = self.document, self.document.pieces
        blocks = document.elements.block
        of_piece, said = blocks[pieces.owner], {*self._marked(Mark.AUTHOR), *self._moments}
        for piece in np.flatnonzero(self.own).tolist():
            if pieces.end[piece] - pieces.start[piece] < _LONGEST_FACT:
                text = self._piece(piece)
                if date_in(text) == text or NUMBER.fullmatch(text):
                    said.add(int(pieces.owner[piece]))
        total = prefix_sums(document.piece_words)
        short = [
            element
            for element in sorted(said)
            if np.diff(total[list(self._range(element))])[0] <= _MOST
        ]
        found = document.inside(np.array(short, dtype=np.int64))
        words = np.where(found, 0, document.piece_words)
        for block in {int(blocks[element]) for element in said}:
            inside = self.own & (of_piece == block)
            if words[inside].sum() <= _HEADLINE:
                found |= inside
        return found

    @cached_property
    def _facts(self) -> np.ndarray:
        """The pieces around the body."""
        return np.flatnonzero(self.own & ~self.body)

    # The elements of the record.

    def _piece(self, piece: int) -> str:
        if piece < 0:
            return ""
        pieces = self.document.pieces
        return self.document.text[pieces.start[piece] : pieces.end[piece]].strip()

    def _in_body(self, element: int) -> bool:
        return bool(self.body[slice(*self._range(element))].any())

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
