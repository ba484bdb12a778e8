"""The net behind every method: visible parts that belong to kept ones stay, unless a rule of one
list names them as chaff.

Parts are what text is made of: paragraphs, headings, items, listings, quotations, tables, pairs of
a term and its meaning. One belongs to what is kept where it stands between two kept parts of the
same element, or is the rest of a table, of a listing or of a pair. Hidden text is no part.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from winnow.document.arrays import Ints, Mask, range_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document, derived
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.document.visibility.chaff import chaff_of
from winnow.engine.net.tables import WHOLE, tables_of_data

_PART: Final = tags.table_of("p h2 h3 h4 h5 h6 li dt dd pre blockquote ul ol dl table")
_LISTING: Final = tags.CODES["pre"]
_HEADING: Final = tags.table_of("h2 h3 h4 h5 h6")
_LISTS: Final = tags.table_of("ul ol table dl")
_MOST: Final = 0.75
"""The share of the words around a part that are kept; code asks for none."""
_BESIDE: Final = 4
"""Words of an element that says that what its parent holds is text."""
_PAIR: Final = 60
"""Words of a meaning, or a term, that follows the other half of its pair."""
_MOST_PARTS: Final = 64
_WRAPPERS: Final = 5
"""Elements around a part alone."""
_BESIDE_TEXT: Final = "aside nav footer header form dialog figure figcaption"
_TABLE: Final = tags.CODES["table"]
_QUOTES: Final = " \n\t\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb"
_LONG, _LONGEST = 40, 600
"""Characters of a text that does not stand within another by chance, and of one looked for."""
_TIMES: Final = 8
"""Places of a text that are looked at."""
_HEADLINE: Final = 4
"""Words of a link, or of each item of a list of links, from which on it is a headline."""
_NAMED: Final = re.compile(
    r"caption|credit|byline|meta|copyright|date|time|tags?\b|share|social|details|advert|promo"
    r"|related|newsletter|subscri|breadcrumb|toc\b",
    re.IGNORECASE,
)
_CAPTION: Final = re.compile(r"caption|credit", re.IGNORECASE)


class Chaff(StrEnum):
    """The rules by which a part is none of the text, in their order."""

    ELSEWHERE = "It stands in a menu, a form or beside the text."
    NAMED = "Its name says that it is a caption, a date, a promotion or the like."
    LINKS = "It is a list of links."
    TEASER = "It is a line that leads to another text."
    AGAIN = "The page says it more than once."
    ALONE = "It is a heading, and what it stands above is left out."
    LAYOUT = "It is a table that lays out the page."


class Part(NamedTuple):
    """An element of which nothing is kept, and why it is left out; None if it stays."""

    element: int
    chaff: Chaff | None


def caught(document: Document, kept: Mask) -> Mask:
    """The pieces of the parts that belong to kept ones and are no chaff; O(elements)."""
    stays = [part.element for part in parts(document, kept) if part.chaff is None]
    found: Mask = document.inside(np.array(stays, dtype=np.int32)) & ~document.hidden & ~kept
    return found & ~document.media


def chaff_by_piece(document: Document, kept: Mask) -> dict[int, str]:
    """The rule by which each piece between kept parts is left out."""
    edges = document.elements.first_piece.tolist(), document.elements.last_piece.tolist()
    return {
        piece: part.chaff.value
        for part in parts(document, kept)
        if part.chaff
        for piece in range(edges[0][part.element], edges[1][part.element])
    }


def parts(document: Document, kept: Mask) -> Iterator[Part]:
    """The parts that belong to kept ones."""
    words = _Words(document, kept)
    judged = _Judge(document, words)
    data = tables_of_data(document, words.every)
    for element in _between(words)[:_MOST_PARTS]:
        yield Part(element, judged.chaff(element, data))
    listings = dict.fromkeys(document.elements_named("pre"), WHOLE)
    for whole, share in {**data, **listings}.items():
        if words.every[whole] > words.own[whole] and (
            words.own[whole] > share * words.every[whole]
            or (share == WHOLE and judged.is_amid(whole))
        ):
            yield Part(whole, Chaff.ELSEWHERE if judged.place(whole) else None)
    for element in _other_halves(words):
        yield Part(element, Chaff.ELSEWHERE if judged.place(element) else None)


@dataclass(frozen=True, eq=False)
class _Words:
    """What each element says: words shown, kept ones, linked ones; shapes (elements,)."""

    document: Document
    kept: Mask

    @derived
    def every(self) -> Ints:
        return self._sums(self.shown)

    @derived
    def own(self) -> Ints:
        return self._sums(np.where(self.kept, self.shown, 0))

    @derived
    def linked(self) -> Ints:
        return self._sums(self.shown * self.document.linked)

    @derived
    def speaking(self) -> Ints:
        return np.flatnonzero(self.shown > 0).astype(np.int32)

    @derived
    def shown(self) -> Ints:
        is_none = self.document.hidden | chaff_of(self.document)
        return np.where(is_none, 0, self.document.piece_words)

    def _sums(self, words: Ints) -> Ints:
        elements = self.document.elements
        return range_sums(words, elements.first_piece, elements.last_piece)


def _between(words: _Words) -> list[int]:
    """The parts of which nothing is kept, between kept elements of what is around them."""
    elements, every, own = words.document.elements, words.every, words.own
    lost = np.flatnonzero(_PART[elements.tag] & (own == 0) & (every > 0))
    if not len(lost):
        return []
    parent, outer = elements.parent, lost.copy()
    for _ in range(_WRAPPERS):
        around = parent[outer]
        is_alone = (around >= 0) & (every[around] == every[outer])
        outer = np.where(is_alone, around, outer)
    around = parent[outer]
    first, last = _kept_children(words)
    found = (around >= 0) & (first[around] < outer) & (outer < last[around])
    is_much = own[around] > _MOST * every[around]
    chosen, end = list[int](), 0
    for element in lost[found & (is_much | (elements.tag[lost] == _LISTING))].tolist():
        if element >= end:  # none within another
            chosen.append(element)
            end = int(elements.last[element])
    return chosen


def _kept_children(words: _Words) -> tuple[Ints, Ints]:
    """The first and the last kept child of each element; of those of which most is kept."""
    elements, size = words.document.elements, len(words.document.elements)
    found = np.flatnonzero((2 * words.own > words.every) & (words.every >= _BESIDE))
    found = found[elements.parent[found] >= 0]
    first, last = np.full(size, size, dtype=np.int32), np.full(size, -1, dtype=np.int32)
    np.minimum.at(first, elements.parent[found], found)
    np.maximum.at(last, elements.parent[found], found)
    return first, last


def _other_halves(words: _Words) -> Iterator[int]:
    """The short terms and meanings whose other half is kept by half (HTML, 4.4.9 to 4.4.11)."""
    for pair in _pairs(words.document):
        for half, other in (pair, pair[::-1]):
            is_short = 0 < words.every[half].sum() <= _PAIR and not words.own[half].any()
            if is_short and 2 * words.own[other].sum() >= words.every[other].sum() > 0:
                yield from half


@needs("dt", "dd", absent=())
def _pairs(document: Document) -> Iterable[tuple[list[int], list[int]]]:
    """The terms of each group and their meanings; groups without either are none."""
    parent, names = document.elements.parent, ("dt", "dd")
    terms, meanings = list[int](), list[int]()
    is_term = set(document.elements_named("dt"))
    for element in sorted(each for name in names for each in document.elements_named(name)):
        begins = element in is_term and bool(meanings)
        if terms and (begins or parent[element] != parent[terms[0]]):
            if meanings:
                yield terms, meanings
            terms, meanings = [], []
        if element in is_term:
            terms.append(element)
        elif terms:
            meanings.append(element)
    if terms and meanings:
        yield terms, meanings


@dataclass(frozen=True, eq=False)
class _Judge:
    """The rules that name chaff."""

    document: Document
    words: _Words

    def chaff(self, element: int, data: Mapping[int, float]) -> Chaff | None:
        """The first rule that a part meets; of listings only where they stand counts."""
        tag = int(self.document.elements.tag[element])
        if self.place(element):
            return Chaff.ELSEWHERE
        if tag == _LISTING:
            return None
        if tag == _TABLE and data.get(element) != WHOLE:
            return Chaff.LAYOUT
        if self._is_named(element):
            return Chaff.NAMED
        return self._leads_away(element) or self._is_odd(element, is_heading=bool(_HEADING[tag]))

    def _is_odd(self, element: int, *, is_heading: bool) -> Chaff | None:
        """Whether nothing kept stands below a heading, or the page says a part again; a heading it
        may say once more, in a table of contents."""
        if is_heading and not self._goes_on(element):
            return Chaff.ALONE
        return Chaff.AGAIN if self._times_said(element) > 1 + is_heading else None

    def place(self, element: int) -> bool:
        """Whether a part stands beside the text."""
        return bool(self._aside[self.document.elements.first_piece[element]])

    @derived
    def _aside(self) -> Mask:
        return self.document.inside_tags(_BESIDE_TEXT)

    def _is_named(self, element: int) -> bool:
        own, around = (
            " ".join(self.document.attributes_of(each, {"class", "id"}).values())
            for each in (element, int(self.document.elements.parent[element]))
        )
        return bool(_NAMED.search(own) or _CAPTION.search(around))

    def is_amid(self, element: int) -> bool:
        """Whether the texts right before and right behind are kept."""
        speaking, before = self.words.speaking, self.document.elements.first_piece[element]
        at = int(speaking.searchsorted(before)) - 1
        return at >= 0 and bool(self.words.kept[speaking[at]]) and self._goes_on(element)

    def _goes_on(self, element: int) -> bool:
        """Whether the next text is kept."""
        speaking, after = self.words.speaking, self.document.elements.last_piece[element]
        return bool(self.words.kept[speaking[speaking.searchsorted(after) :][:1]].any())

    def _leads_away(self, element: int) -> Chaff | None:
        """Whether a list's items are links as long as headlines, or a line is a label and such a
        link to its end."""
        elements, document = self.document.elements, self.document
        linked, every = int(self.words.linked[element]), int(self.words.every[element])
        if 2 * linked <= every:
            return None
        if _LISTS[elements.tag[element]]:
            inner = elements.tag[element : elements.last[element]]
            links = int((inner == tags.CODES["a"]).sum())
            return Chaff.LINKS if linked > _HEADLINE * links else None
        edges = (elements.first_piece[element], elements.last_piece[element])
        first, behind = self.words.speaking.searchsorted(edges)
        begins, ends = document.linked[self.words.speaking[[first, behind - 1]]]
        return Chaff.TEASER if ends and not begins and linked >= _HEADLINE else None

    @derived
    def _said(self) -> Counter[str]:
        """How often the page says each text of a block, for all to see."""
        blocks, text = blocks_of(self.document), self.document.text
        shown = np.flatnonzero(~blocks.hidden & (blocks.words > 0)).tolist()
        return Counter(
            text[blocks.start[block] : blocks.end[block]].strip(_QUOTES) for block in shown
        )

    def _times_said(self, element: int) -> int:
        """How often the page says a part's text: as a block, or a long one within another."""
        pieces, elements = self.document.pieces, self.document.elements
        start = int(pieces.start[elements.first_piece[element]])
        end = int(pieces.end[elements.last_piece[element] - 1])
        text = self.document.text[start:end].strip(_QUOTES)
        if len(text) < _LONG or end - start > _LONGEST:
            return self._said[text]
        found = (each.start() for each in re.finditer(re.escape(text), self.document.text))
        places = pieces.end.searchsorted([*islice(found, _TIMES)], side="right")
        return int((~self.document.hidden[places]).sum())
