"""The texts of links between the pages of a site: candidates for their titles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urljoin

from winnow.document.document import Document


def links_of(documents: Iterable[Document]) -> Mapping[str, tuple[str, ...]]:
    """Address to the texts of all links that lead there, fragments left aside."""
    found: dict[str, dict[str, None]] = {}
    for document in documents:
        for address, text in _links(document):
            found.setdefault(address, {})[text] = None
    return {address: tuple(texts) for address, texts in found.items()}


def _links(document: Document) -> Iterable[tuple[str, str]]:
    for element in document.elements_named("a"):
        target = document.attributes_of(element).get("href", "")
        first = int(document.elements.first_piece[element])
        last = int(document.elements.last_piece[element])
        if not target or first == last:
            continue
        start, end = int(document.pieces.start[first]), int(document.pieces.end[last - 1])
        text = document.plain(start, end).strip()
        try:
            address = urljoin(document.page.url or "", target).partition("#")[0]
        except ValueError:
            continue
        if text:
            yield address, text
