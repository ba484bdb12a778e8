"""The address of the next page of an article that is split over several pages.

Crunch took a link whose text begins with "next", or is the number of the page to come. Here a link
that says ``rel=next`` goes before both, and every one must lead to the same host, and to an address
made of this one: else the next story, or the next post of a weblog, would be read as the next page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import SplitResult, urldefrag

from winnow.document.addresses import joined, parts_of
from winnow.document.document import Document
from winnow.document.metadata.page_metadata import base_of
from winnow.document.texts.short_texts import text_inside

_NEXT: Final = re.compile(
    r"(?:next|weiter|nächste|suivant|page suivante|siguiente|próxim|avanti|successiv|volgende"
    r"|nästa|neste|næste|seuraava|dalej|następn|další|далее|следующ|sonraki|下一[页頁]|次へ|次の|다음)",
    re.IGNORECASE,
)
_PAGING: Final = re.compile(
    r"(?:[/_.,-]?(?:p|pg|page|seite|part)?[/_.,=-]?\d{1,3})?/?$", re.IGNORECASE
)
_EXTENSION: Final = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)
_ARROWS: Final = " \t»›→>[]()"


def next_page(document: Document, number: int = 1) -> str:
    """The address of the page after this one, which is the ``number``-th; "" if there is none."""
    here = parts_of(document.page.url or "")
    base = base_of(document)
    for address in _candidates(document, number + 1):
        there = _resolved(base, address)
        if there and _is_part(here, there):
            return there
    return ""


def _resolved(base: str, address: str) -> str:
    return urldefrag(joined(base, address.strip())).url


def _candidates(document: Document, number: int) -> Iterator[str]:
    """Addresses by how surely they are meant: rel=next, then texts, then numbers."""
    links = [
        (document.attributes_of(element), text_inside(document, element).strip(_ARROWS))
        for element in document.elements_named("a")
    ]
    heads = [document.attributes_of(element) for element in document.elements_named("link")]
    anchors = [attributes for attributes, _ in links]
    for attributes in (*heads, *anchors):
        if "next" in attributes.get("rel", "").lower().split():
            yield attributes.get("href", "")
    for attributes, text in links:
        if _NEXT.match(text):
            yield attributes.get("href", "")
    for attributes, text in links:
        if text == str(number):
            yield attributes.get("href", "")


def _is_part(here: SplitResult, address: str) -> bool:
    """Whether an address is another page of the article at ``here``: same host, same stem."""
    there = parts_of(address)
    if there.scheme not in ("http", "https") or there.netloc.lower() != here.netloc.lower():
        return False
    if (there.path, there.query) == (here.path, here.query):
        return False
    return _stem(there.path) == _stem(here.path)


def _stem(path: str) -> str:
    """A path without its ending and the number of its page."""
    return _PAGING.sub("", _EXTENSION.sub("", path.rstrip("/")))
