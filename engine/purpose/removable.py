"""What goes where a page is tidied: furniture that holds nothing of what the page is for, menus
without a name, and on a page that offers one thing the rows of others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from winnow.document.arrays import Ints, Mask, Numbers, prefix_sums
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.values import Extraction, Purpose
from winnow.engine.base.main_region import MainRegion, kept_pieces
from winnow.engine.purpose.offers import PRICE
from winnow.engine.purpose.page_furniture import Furniture, furniture

_FIELDS: Final = tags.table_of("input select textarea")
_FEW_WORDS: Final = 20
"""Words of the kept text that any furniture may hold."""
_MUCH, _HALF = 0.1, 0.5
"""Shares of the kept text: what holds more is no sidebar, what holds most is no furniture."""
_SMALL: Final = 0.1
"""The share of a page's words from which on what has the name of a menu must be of links."""
_HEADING: Final = 12
"""Words of a heading above a row of cards."""
_CARD: Final = 60
"""Words of a card; more are a text."""
_STATED: Final = re.compile(r'(?:"price"\s*:\s*"?|itemprop="price"[^>]* content=")(\d[\d.,]*\d|\d)')
_LEAST: Final = 3
"""Cards that make a row."""


def removable(document: Document, extraction: Extraction) -> Ints:
    """The elements that go, in document order; some stand in others."""
    found = _Removal.of(document, extraction)
    return np.array(sorted({*found.furniture(), *found.menus(), *found.offers()}), dtype=np.int32)


@dataclass(frozen=True, eq=False)
class _Removal:
    """What each element holds: words, words in links, kept words, prices, media, fields; every
    array has the shape (elements,). ``total``: the kept words of the page.
    ``own``: the first piece behind its headline, if there is one, and its first price."""

    document: Document
    is_product: bool
    around: MainRegion
    words: Numbers
    linked: Numbers
    kept: Numbers
    prices: Numbers
    media: Numbers
    fields: Numbers
    total: int
    own: int

    @classmethod
    def of(cls, document: Document, extraction: Extraction) -> _Removal:
        elements = document.elements

        def held(pieces: Numbers) -> Numbers:
            sums = prefix_sums(pieces)
            return sums[elements.last_piece] - sums[elements.first_piece]

        words = document.piece_words * ~document.hidden
        own = kept_pieces(document, extraction)
        if extraction.purpose is not Purpose.INDEX:
            own &= ~document.linked
        fields = prefix_sums(_FIELDS[elements.tag])
        return cls(
            document,
            extraction.purpose is Purpose.PRODUCT,
            MainRegion.of(document, extraction),
            held(words),
            held(words * document.linked),
            held(words * own),
            held(_priced(document)),
            held(document.media),
            fields[elements.last] - fields[:-1],
            int((words * own).sum()),
            _behind_price(document),
        )

    def furniture(self) -> Iterator[int]:
        """What is furniture by its landmark, role or name."""
        for element, kind in furniture(self.document):
            if self.kept[element] <= max(_FEW_WORDS, _HALF * self.total) and self._goes(
                element, kind
            ):
                yield element

    def _goes(self, element: int, kind: Furniture) -> bool:
        if kind in (Furniture.LANDMARK, Furniture.NOTICE):
            return True
        words = self.words[element]
        if kind is Furniture.NAMED:
            return bool(words < _SMALL * self.words[0] or 3 * self.linked[element] > words)
        if kind is Furniture.OTHERS:
            return self.is_product and self._is_behind[element] and not self._holds_much[element]
        is_used = self.prices[element] or self.fields[element] > 1
        return not is_used and not self._holds_much[element]

    @cached_property
    def _holds_much(self) -> Mask:
        return self.kept > max(_FEW_WORDS, _MUCH * self.total)

    @cached_property
    def _is_behind(self) -> Mask:
        behind: Mask = self.document.elements.first_piece >= self.own
        return behind

    def menus(self) -> Iterator[int]:
        """Links without pictures and prices before and behind the main region."""
        elements, around = self.document.elements, self.around
        if around.first == around.last:
            return
        outside = (elements.last_piece <= around.first) | (elements.first_piece >= around.last)
        are_links = (self.words > 4) & (10 * self.linked >= 6 * self.words) & (self.prices == 0)
        found = outside & are_links & (10 * self.media <= self.words)
        yield from found.nonzero()[0].tolist()

    def offers(self) -> Iterator[int]:
        """Rows of cards behind a product's headline and price: each a picture with a link and a few
        words. None where the first price stands in one: the page is a list."""
        parent, size = self.document.elements.parent, len(self.words)
        if not self.is_product or not size:
            return
        is_inner = parent >= 0
        is_card = is_inner & (self.media > 0) & (self.linked > 0) & (self.words < _CARD)
        cards = np.bincount(parent[is_card & (self.words > 2)], minlength=size)
        speaking = np.bincount(parent[is_inner & (self.words > 0)], minlength=size)
        rows = (cards >= _LEAST) & (5 * cards >= 4 * speaking) & (2 * self.prices >= cards)
        behind = self._is_behind
        if (rows & ~behind & (self.document.elements.last_piece >= self.own)).any():
            return
        for row in (rows & behind & ~self._holds_much).nonzero()[0].tolist():
            yield self._with_heading(row, behind)

    def _with_heading(self, row: int, behind: Mask) -> int:
        """The outermost element that holds a row and no more than a heading besides."""
        around = int(self.document.elements.parent[row])
        while (
            around >= 0
            and behind[around]
            and self.media[around] == self.media[row]
            and self.words[around] <= self.words[row] + _HEADING
        ):
            row, around = around, int(self.document.elements.parent[around])
        return row


def _priced(document: Document) -> Mask:
    """Which pieces an amount of money begins in; shape (pieces,)."""
    found = np.zeros(len(document.pieces), dtype=np.bool_)
    starts = [price.start() for price in PRICE.finditer(document.text)]
    found[document.pieces.start.searchsorted(starts, side="right") - 1] = True
    return found


def _behind_price(document: Document) -> int:
    """The first piece behind the headline, if there is one, and the price: the one that structured
    data state, where it is shown, else the first."""
    heads: list[int] = document.elements.last_piece[document.elements_named("h1")[:1]].tolist()
    priced: list[int] = _priced(document).nonzero()[0][:1].tolist()
    stated = _STATED.search(document.markup)
    at = document.text.find(stated[1]) if stated else -1
    if at >= 0:
        priced.append(int(document.pieces.start.searchsorted(at, side="right")) - 1)
    return max(*(piece + 1 for piece in priced or [len(document.pieces)]), 0, *heads)
