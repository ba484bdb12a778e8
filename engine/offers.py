"""What the main region of a page offers besides text, and what of it a result would lose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document import tags
from winnow.document.arrays import Mask
from winnow.document.document import Document
from winnow.document.values import Extraction, Purpose, Rendered
from winnow.engine.overlap import covered
from winnow.engine.page_signs import elements_of, stands_in

_CURRENCY: Final = (
    r"(?:[$€£¥₹₽₩₪]|\b(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|AUD|CAD|INR|zł|kr|Kč|Fr)\b)"
)
PRICE: Final = re.compile(
    rf"{_CURRENCY}\s?\d[\d.,]*\d|{_CURRENCY}\s?\d|\d[\d.,]*\s?{_CURRENCY}", re.IGNORECASE
)
"""An amount of money."""
_WAY_ON: Final = re.compile(
    r"subscri|abonn|suscri|continue reading|read on|read more|(?:log|sign) in to|register to|"
    r"weiterlesen|lire la suite|seguir leyendo",
    re.IGNORECASE,
)
"""What a page says where only its beginning is shown."""
_BEHIND: Final = 4
"""Pieces behind the text in which that is looked for."""
_FIELDS: Final = tags.table_of("input textarea select")
_UNSEEN: Final = frozenset("hidden submit button image reset search checkbox radio".split())
_PLAYERS: Final = tags.table_of("video audio")
_WRITTEN: Final = (b"<input", b"<textarea", b"<select")
_FEWEST_FIELDS: Final = 2
"""One field alone is a search or a newsletter."""


@dataclass(frozen=True, slots=True, eq=False)
class MainRegion:
    """From the headline, or the first kept text, to the last: a half-open range of pieces."""

    first: int
    last: int

    @classmethod
    def of(cls, document: Document, extraction: Extraction) -> MainRegion:
        """Empty where nothing is kept; links alone at its ends are none of it but in an index."""
        kept = kept_pieces(document, extraction)
        if extraction.purpose is not Purpose.INDEX:
            own = kept & ~document.linked & (document.piece_words > 0)
            kept = own if own.any() else kept
        found = np.flatnonzero(kept)
        if not len(found):
            return cls(0, 0)
        last = int(found[-1]) + 1
        heads = document.elements.first_piece[document.elements_named("h1")]
        return cls(min([int(found[0]), *heads[heads < last].tolist()]), last)

    def mask(self, document: Document) -> Mask:
        """Its pieces; shape (pieces,)."""
        found = np.zeros(len(document.pieces), dtype=np.bool_)
        found[self.first : self.last] = True
        return found


def kept_pieces(document: Document, extraction: Extraction) -> Mask:
    """The pieces that begin in a span; shape (pieces,)."""
    return covered(document.pieces.start, extraction.spans)


def lost(document: Document, extraction: Extraction, rendered: Rendered, around: MainRegion) -> str:
    """What a rendering of the extraction would lose of the region, in a sentence; "" if nothing."""
    kept, region = kept_pieces(document, extraction), around.mask(document) & ~document.hidden
    is_player = _PLAYERS[document.elements.tag[document.pieces.owner]]
    if (is_player & region).any() and not (is_player & kept).any():
        return "a player would be lost"
    if extraction.purpose is Purpose.PRODUCT and (gone := lost_price(document, region, kept)):
        return f"the price {gone} would be lost"
    if _is_cut_off(document, kept, around):
        return "the way to the rest of the text would be lost"
    fields, written = _fields(document, around), sum(map(rendered.body.count, _WRITTEN))
    if fields >= _FEWEST_FIELDS and written < fields:
        return f"{fields - written} of {fields} fields would be lost"
    return ""


def _is_cut_off(document: Document, kept: Mask, around: MainRegion) -> bool:
    """Whether a link right behind the text, in the same article, leads to the rest of it."""
    pieces, articles = document.pieces, document.inside_tags("article")
    behind = range(around.last, min(around.last + _BEHIND, len(kept)))
    return any(
        document.linked[piece]
        and articles[piece]
        and not kept[piece]
        and _WAY_ON.search(document.text, pieces.start[piece], pieces.end[piece])
        for piece in behind
    )


def lost_price(document: Document, region: Mask, kept: Mask) -> str:
    """The first price of the region that the kept text does not show; "" if it shows all."""
    shown = prices_of(document, kept)
    return next((price for price in prices_of(document, region) if price not in shown), "")


def prices_of(document: Document, pieces: Mask) -> dict[str, None]:
    """The prices in the text of some pieces, in order."""
    starts, ends = document.pieces.start[pieces].tolist(), document.pieces.end[pieces].tolist()
    text = " ".join(document.text[start:end] for start, end in zip(starts, ends, strict=True))
    return dict.fromkeys("".join(price.split()) for price in PRICE.findall(text))


def _fields(document: Document, around: MainRegion) -> int:
    """Fields for a person to write in amid the pieces of the region, which a form would send."""
    elements = document.elements
    at = elements.first_piece
    inside = _FIELDS[elements.tag] & (at > around.first) & (at < around.last)
    forms, hiding = elements_of(document, "form"), np.flatnonzero(elements.hides)
    return sum(
        _is_sent(document, field)
        and stands_in(document, field, forms)
        and not stands_in(document, field, hiding)
        for field in np.flatnonzero(inside).tolist()
    )


def _is_sent(document: Document, field: int) -> bool:
    attributes = document.attributes_of(field, {"type", "name"})
    return bool(attributes.get("name")) and attributes.get("type", "").lower() not in _UNSEEN
