"""Where a page shows the ingredients and steps that its structured data name.

What the page shows itself is kept at its place; what it shows nowhere is for a list of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final
from unicodedata import normalize

import numpy as np

from winnow.document.arrays import Mask
from winnow.document.document import Document, derived
from winnow.document.metadata.page_facts import FactList, PageFacts
from winnow.document.parsing import tags
from winnow.document.render.added_pieces import with_pieces
from winnow.document.render.selection import Segments

_WORD: Final = re.compile(r"\w+")
_DECIMALS: Final = re.compile(r"(?<![\d.,])(\d+)[.,](5|25|75|33|66|67)0?(?![\d.,])")
_JOINED: Final = re.compile("(?<=[0-9])(?=[\u00bc-\u00be\u2150-\u215e])")
"""Between a number and the fraction behind it."""
_FRACTIONS: Final = {
    "5": "1 2", "25": "1 4", "75": "3 4", "33": "1 3", "66": "2 3", "67": "2 3",
}  # fmt: skip
_SMALL: Final = 16
"""Words of an item that is kept whole: an ingredient, its amount, a remark."""
_FEW: Final = 8
"""Words of an item that may be of one ingredient of one word."""
_BEGINNING: Final = 8
"""Words by which a step is found."""
_HEADINGS: Final = "h2 h3 h4 h5 h6"
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FactPlaces:
    """``rows``: half-open ranges of pieces that are one line; ``missing``: the facts elsewhere."""

    rows: tuple[Range, ...]
    missing: PageFacts


def plain_words(text: str) -> list[str]:
    """The words of a text in lower case, fractions written out: 1 2 for a half."""
    plain = normalize("NFKC", _JOINED.sub(" ", text)).lower()
    return _WORD.findall(_DECIMALS.sub(_as_fraction, plain))


def _as_fraction(decimal: re.Match[str]) -> str:
    whole = "" if decimal[1] == "0" else decimal[1]
    return f"{whole} {_FRACTIONS[decimal[2]]}"


def with_facts(
    document: Document, segments: Segments, facts: PageFacts
) -> tuple[Segments, FactPlaces]:
    """The segments, and what the page shows of the facts' lists; and the facts that are missing.

    O(pieces + items), of pages that have such a list.
    """
    if not facts.lists:
        return segments, FactPlaces((), facts)
    words = _PageWords(document)
    is_selected = np.zeros(len(document.pieces), dtype=np.bool_)
    is_selected[segments.piece] = True
    added, rows, missing = np.zeros_like(is_selected), list[Range](), list[FactList]()
    for facts_list in facts.lists:
        places, left = _located(words, facts_list)
        rows += () if facts_list.ordered else places
        _add(document, is_selected, places, added)
        missing += [replace(facts_list, items=left)] if left else []
    pieces = added.nonzero()[0].astype(np.int32)
    found = with_pieces(document, segments, pieces) if len(pieces) else segments
    return found, FactPlaces(tuple(rows), replace(facts, lists=tuple(missing)))


def in_rows(segments: Segments, rows: Sequence[Range]) -> Segments:
    """The segments; within a row no edge parts more than a blank does, each row is a line."""
    if not rows:
        return segments
    gap = segments.gap.copy()
    for first, behind in rows:
        before, at, end = segments.piece.searchsorted((first, first + 1, behind))
        gap[at:end] = np.where(gap[at:end] > tags.SPACE, tags.SPACE, gap[at:end])
        for edge in (before, end):
            gap[edge : edge + 1] = np.maximum(gap[edge : edge + 1], tags.LINE)
    return replace(segments, gap=gap)


class _PageWords:
    """The words that a page shows, in a row, and the piece of each."""

    def __init__(self, document: Document) -> None:
        self.document = document
        shown = (~document.hidden & ~document.media).nonzero()[0].tolist()
        starts, ends = document.pieces.start.data, document.pieces.end.data
        texts = [plain_words(document.text[starts[piece] : ends[piece]]) for piece in shown]
        self._pieces = [piece for piece, words in zip(shown, texts, strict=True) for _ in words]
        found = [word for words in texts for word in words]
        self.text = f" {' '.join(found)} "
        self._offsets = np.cumsum([1, *(len(word) + 1 for word in found)])

    def places(self, wanted: str) -> list[Range]:
        """The half-open ranges of pieces in which words stand in a row, at most 20."""
        ranges, at = list[Range](), self.text.find(f" {wanted} ")
        while at >= 0 and len(ranges) < 20:
            first = int(self._offsets.searchsorted(at + 1))
            last = int(self._offsets.searchsorted(at + 1 + len(wanted), side="right")) - 1
            ranges.append((self._pieces[first], self._pieces[min(last, len(self._pieces) - 1)] + 1))
            at = self.text.find(f" {wanted} ", at + 1)
        return ranges

    def is_short(self, place: Range, key: str) -> bool:
        """Whether a place says little more than a key: sentences name ingredients too."""
        words = int(self.document.piece_words[slice(*place)].sum())
        return words <= max(_FEW, 3 * (key.count(" ") + 1))

    @derived
    def small_items(self) -> list[tuple[frozenset[str], Range]]:
        """The words of each small element, the smallest first."""
        document, elements = self.document, self.document.elements
        before = np.concatenate([[0], np.cumsum(document.piece_words)])
        counts = before[elements.last_piece] - before[elements.first_piece]
        fits = ((counts > 0) & (counts <= 2 * _SMALL)).nonzero()[0]
        ranges = {
            (int(elements.first_piece[e]), int(elements.last_piece[e])): int(counts[e])
            for e in fits
        }
        text, pieces, hidden = document.text, document.pieces, document.hidden
        return [
            (
                frozenset(plain_words(text[pieces.start[first] : pieces.end[behind - 1]])),
                (first, behind),
            )
            for first, behind in sorted(ranges, key=ranges.__getitem__)
            if not hidden[first:behind].any()
        ]


def _located(words: _PageWords, facts: FactList) -> tuple[list[Range], tuple[str, ...]]:
    """The places of a list's items, of several the nearest to the others; the items without."""
    keys = {item: _key(item, facts) for item in facts.items}
    found = {item: words.places(key) for item, key in keys.items() if key}
    for item, key in keys.items() if not facts.ordered else ():
        short = [place for place in found.get(item, ()) if words.is_short(place, key)]
        found[item] = short or _looser(words, key)
    near = _nearest([found.get(item, []) for item in keys], [len(key) for key in keys.values()])
    taken = list(dict.fromkeys(place for place in near if place))
    grown = [_grown(words.document, place, taken) for place in taken]
    left = tuple(item for item, place in zip(keys, near, strict=True) if not place)
    return sorted(set(grown)), left


def _nearest(places: Sequence[Sequence[Range]], lengths: Sequence[int]) -> list[Range | None]:
    """One place of each item's: of several the nearest to that of an item beside it in the list.

    The longest text chooses first: "onion" stands in "1 onion soup cube" too.
    """
    sure = {index: found[0][0] for index, found in enumerate(places) if len(found) == 1}
    sure = sure or {index: found[0][0] for index, found in enumerate(places) if found}
    chosen: list[Range | None] = [None] * len(places)
    for index in sorted(range(len(places)), key=lambda index: -lengths[index]):
        free = [place for place in places[index] if place not in chosen] or places[index]
        beside = sure[min(sure, key=lambda other: abs(other - index))] if free else 0
        chosen[index] = min(free, key=lambda place: abs(place[0] - beside), default=None)
    return chosen


def _key(item: str, facts: FactList) -> str:
    found = plain_words(item)
    return " ".join(found[:_BEGINNING] if facts.ordered else found)


def _looser(words: _PageWords, key: str) -> list[Range]:
    """The smallest item that has all of an ingredient's words, in any order and with others."""
    wanted = frozenset(key.split())
    return [place for found, place in words.small_items if wanted <= found][:1] if wanted else []


def _grown(document: Document, place: Range, taken: Sequence[Range]) -> Range:
    """The item around a place that holds no other: with the amount where the data leave it out."""
    elements, (first, behind) = document.elements, place
    around = int(document.pieces.owner[first])
    best = place
    while around >= 0:
        begin, end = int(elements.first_piece[around]), int(elements.last_piece[around])
        holds_all = begin <= first and end >= behind
        inside = [one for one in taken if begin < one[1] and one[0] < end]
        if len(inside) > 1 or document.piece_words[begin:end].sum() > max(
            _SMALL, document.piece_words[first:behind].sum()
        ):
            break
        best = (begin, end) if holds_all else best
        around = int(elements.parent[around])
    return best


def _add(document: Document, is_selected: Mask, places: Sequence[Range], added: Mask) -> None:
    """Mark the shown pieces of the places that are not selected, and the heading before them."""
    shown = ~document.hidden & ~document.media & ~document.linked
    for first, behind in places:
        added[first:behind] |= shown[first:behind] & ~is_selected[first:behind]
    for first, behind in _headings_before(document, added.nonzero()[0][:1].tolist()):
        added[first:behind] |= shown[first:behind] & ~is_selected[first:behind]


def _headings_before(document: Document, firsts: Iterable[int]) -> Iterator[Range]:
    """The pieces of the heading right before a piece."""
    speaking = ((document.piece_words > 0) & ~document.hidden).nonzero()[0]
    is_heading = tags.table_of(_HEADINGS)
    for first in firsts:
        at = int(speaking.searchsorted(first)) - 1
        around = int(document.pieces.owner[speaking[at]]) if at >= 0 else -1
        while around >= 0 and not is_heading[document.elements.tag[around]]:
            around = int(document.elements.parent[around])
        if around >= 0:
            elements = document.elements
            yield int(elements.first_piece[around]), int(elements.last_piece[around])
