"""What the main region of a page offers besides text, and what of it a result would lose."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from winnow.document.arrays import Mask
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.render.reader.forms import button_forms, submit_text
from winnow.document.texts.short_texts import text_inside
from winnow.document.values import Extraction, Purpose, Rendered
from winnow.engine.base.main_region import MainRegion, kept_pieces
from winnow.engine.net.attachments import has_source, offered
from winnow.engine.purpose.purpose_signs import elements_inside, elements_of, stands_in


class Loss(NamedTuple):
    """``token``: for Winnow-Reason; ``said``: the same in a sentence. Both "" of nothing."""

    token: str
    said: str


NOTHING: Final = Loss("", "")
_FILE: Final = Loss("file-lost", "a file to download would be lost")
_PLAYER: Final = Loss("player-lost", "a player would be lost")
_CURRENCY: Final = (
    r"(?:[$€£¥₹₽₩₪]|\b(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|AUD|CAD|INR|zł|kr|Kč|Fr)\b)"
)
PRICE: Final = re.compile(
    rf"{_CURRENCY}\s?\d[\d.,]*\d|{_CURRENCY}\s?\d|\d[\d.,]*\s?{_CURRENCY}", re.IGNORECASE
)
"""An amount of money."""
_ASKS: Final = re.compile(r"subscri|abonn|suscri|(?:log|sign) in to|register to", re.IGNORECASE)
"""What a page says where the rest is for those who sign up."""
_WAY_ON: Final = re.compile(
    r"continue reading|read on|read more|weiterlesen|lire la suite|seguir leyendo", re.IGNORECASE
)
"""What it says where the rest is on another page, or a script shows it: below a text that ends,
another story begins so."""
_ENDED: Final = re.compile(
    r"(?<!\.\.)[.!?\u3002\uff01\uff1f\u0964\u061f][\s\"'\u2019\u201d\u00bb)]*\Z"
)
_LONG: Final = 300
"""Words of a text that is read without the player beside it, which a script fills."""
_BEHIND: Final = 4
"""Pieces behind the text in which that is looked for."""
_LINK: Final = tags.CODES["a"]
_FIELDS: Final = tags.table_of("input textarea select")
_UNSEEN: Final = frozenset("hidden submit button image reset search checkbox radio".split())
_DOES: Final = re.compile(
    r"(?:add to (?:cart|bag|basket)|(?:buy|order|book|apply|enroll?|donate|vote|reserve|download)"
    r"(?: now| tickets?| it| here)?|place order|check ?out|submit|calculate|(?:start|take|retake)"
    r" (?:the |our |this |a )?(?:quiz|test|survey|poll|assessment)|in den warenkorb|jetzt kaufen|"
    r"bestellen|abstimmen|herunterladen|ajouter au panier|acheter|t\u00e9l\u00e9charger|voter|"
    r"comprar|a\u00f1adir al carrito|descargar|votar|acquista|kopen|kup)\W*\Z",
    re.IGNORECASE,
)
"""What a button says that does something a reader came for, rather than change the view."""
_MOST_BUTTONS: Final = 200
_WRITTEN: Final = (b"<input", b"<textarea", b"<select")
_FEWEST_FIELDS: Final = 2
"""One field alone is a search or a newsletter."""


def lost(
    document: Document, extraction: Extraction, rendered: Rendered, around: MainRegion
) -> Loss:
    """What a rendering of the extraction would lose of the region."""
    kept, region = kept_pieces(document, extraction), around.mask(document) & ~document.hidden
    is_long = int(document.piece_words[kept & ~document.linked].sum()) >= _LONG
    if (gone := _lost_media(document, around, kept, is_long=is_long)) is not NOTHING:
        return gone
    if extraction.purpose is Purpose.PRODUCT and (price := lost_price(document, region, kept)):
        return Loss("price-lost", f"the price {price} would be lost")
    if _is_cut_off(document, kept, around):
        return Loss("rest-lost", "the link to the rest of the text would be lost")
    fields, written = _fields(document, around), sum(map(rendered.body.count, _WRITTEN))
    if fields >= _FEWEST_FIELDS and written < fields:
        return Loss("fields-lost", f"{fields - written} of {fields} fields would be lost")
    button = _lost_button(document, around, rendered)
    return Loss("button-lost", f"the button {button} would be lost") if button else NOTHING


def _lost_media(document: Document, around: MainRegion, kept: Mask, *, is_long: bool) -> Loss:
    """A file or a player of the region that is not kept; players that a script fills are, but
    beside a long text."""
    first = document.elements.first_piece
    for element in offered(document, around):
        if not kept[first[element]]:
            is_file = document.name_of(element) == "a"
            return _FILE if is_file else _PLAYER
    players = elements_of(document, "video audio")
    inside = players[(first[players] >= around.first) & (first[players] < around.last)]
    inside = inside[~document.hidden[first[inside]]]
    if (
        len(inside)
        and not is_long
        and not any(has_source(document, element) for element in inside.tolist())
    ):
        return _PLAYER
    return NOTHING


def _lost_button(document: Document, around: MainRegion, rendered: Rendered) -> str:
    """What a button of the region says that sends a form, or that does something by script."""
    forms = button_forms(document, around.first, around.last)
    if forms and rendered.body.count(b"<form") < len(forms):
        return submit_text(document, forms[0])
    first, inside = document.elements.first_piece, elements_of(document, "button")
    inside = inside[(first[inside] >= around.first) & (first[inside] < around.last)]
    inside = inside[~document.hidden[first[inside]]]
    for element in inside[:_MOST_BUTTONS].tolist():
        caption = " ".join(text_inside(document, element).split())
        if _DOES.match(caption) and not stands_in(document, element, elements_of(document, "form")):
            return caption
    return ""


def _is_cut_off(document: Document, kept: Mask, around: MainRegion) -> bool:
    """Whether a link right behind the text, in the same article, leads to the rest of it: not to
    another place of the page, which has it already."""
    pieces, articles = document.pieces, document.inside_tags("article")
    end = int(pieces.end[around.last - 1]) if around.last else 0
    is_ended = _ENDED.search(document.text[max(end - 10, 0) : end]) is not None
    behind = range(around.last, min(around.last + _BEHIND, len(kept)))
    return any(
        document.linked[piece]
        and articles[piece]
        and not kept[piece]
        and _says_way_on(document.text[pieces.start[piece] : pieces.end[piece]], is_ended)
        and not _leads_within(document, piece)
        for piece in behind
    )


def _says_way_on(text: str, is_ended: bool) -> bool:
    return bool(_ASKS.search(text) or (not is_ended and _WAY_ON.search(text)))


def _leads_within(document: Document, piece: int) -> bool:
    """Whether a linked piece leads to a place of its own page."""
    element = int(document.pieces.owner[piece])
    while document.elements.tag[element] != _LINK:
        element = int(document.elements.parent[element])
    return document.attributes_of(element, {"href"}).get("href", "").strip().startswith("#")


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
    inside &= elements_inside(document, elements_of(document, "form"))
    inside &= ~elements_inside(document, elements.hides.nonzero()[0])
    return sum(_is_sent(document, field) for field in inside.nonzero()[0].tolist())


def _is_sent(document: Document, field: int) -> bool:
    attributes = document.attributes_of(field, {"type", "name"})
    return bool(attributes.get("name")) and attributes.get("type", "").lower() not in _UNSEEN
