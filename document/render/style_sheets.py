"""The style sheets that a page names: their addresses, and those that they import."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from winnow.document.document import Document
from winnow.document.metadata.page_metadata import base_of
from winnow.document.render.addresses import Addresses
from winnow.document.values import Page

_IMPORT: Final = re.compile(
    r"""@import\s+(?:url\(\s*)?["']?([^"'()\s;]+)["']?\s*\)?([\w\s(),.:-]{0,200});""", re.IGNORECASE
)
_DEEPEST: Final = 2
"""Style sheets that import one another are followed so far."""
_CONDITION: Final = re.compile(r"(?:layer(?:\([^)]*\))?|supports\((?:[^()]|\([^()]*\))*\))", re.I)
Write = Callable[[str, str], str]
"""What is written of a part of a sheet, given the sheet's address."""


class StyleSheets:
    """Style sheets by address, as they were fetched; ``largest`` characters are written in all."""

    def __init__(self, texts: Mapping[str, str], largest: int = 4_000_000) -> None:
        self._texts, self._left = texts, largest

    def has(self, url: str) -> bool:
        return url in self._texts

    def at(self, url: str, write: Write, depth: int = 0) -> str:
        """The sheet at an address, as ``inline``."""
        return self.inline(self._texts[url], url, write, depth)

    def inline(self, css: str, base: str, write: Write, depth: int = 0) -> str:
        """A sheet with those in it that it imports, each written by ``write``.

        "" where it is larger than what is left.
        """
        self._left -= len(css)
        if self._left < 0:
            return ""
        parts, position = [], 0
        for found in _IMPORT.finditer(css):
            parts.append(write(css[position : found.start()], base))
            parts.append(self._imported(found, base, write, depth))
            position = found.end()
        return "".join((*parts, write(css[position:], base)))

    def imports(self, css: str, base: str, write: Write) -> str:
        """Those alone that a sheet imports."""
        found = _IMPORT.finditer(css)
        return "".join(self._imported(each, base, write, 0) for each in found)

    def _imported(self, found: re.Match[str], base: str, write: Write, depth: int) -> str:
        url = Addresses(base).resource(found[1])
        if depth >= _DEEPEST or not self.has(url):
            return ""
        text = self.at(url, write, depth + 1)
        media = _CONDITION.sub("", found[2]).strip()
        return f"@media {media} {{ {text} }}" if media else text


def sheets_of_page(page: Page) -> tuple[str, ...]:
    """The addresses of the page's style sheets."""
    return sheets_of(Document.parse(page))


def sheets_of(document: Document) -> tuple[str, ...]:
    """The addresses of the style sheets that a browser would load for the page, without repeats."""
    addresses = Addresses(base_of(document))
    linked = [
        addresses.resource(attributes.get("href", ""))
        for element in document.elements_named("link")
        if is_sheet(attributes := document.attributes_of(element))
        and not _is_in_noscript(document, element)
    ]
    imported = [
        addresses.resource(found[1])
        for element in document.elements_named("style")
        for found in _IMPORT.finditer(content_of(document, element))
    ]
    return tuple(dict.fromkeys(url for url in (*linked, *imported) if url.startswith("http")))


def imports_of(sheets: Mapping[str, str]) -> tuple[str, ...]:
    """The addresses that style sheets, by their own address, import."""
    found = (
        Addresses(url).resource(each[1])
        for url, css in sheets.items()
        for each in _IMPORT.finditer(css)
    )
    return tuple(dict.fromkeys(url for url in found if url.startswith("http")))


def is_sheet(attributes: Mapping[str, str]) -> bool:
    """Whether a ``<link>`` has a browser load a style sheet."""
    relations = attributes.get("rel", "").lower().split()
    kind = attributes.get("type", "text/css").partition(";")[0].strip().lower()
    is_on = "alternate" not in relations and "disabled" not in attributes
    return "stylesheet" in relations and is_on and kind in ("", "text/css")


def _is_in_noscript(document: Document, element: int) -> bool:
    parent = int(document.elements.parent[element])
    while parent >= 0:
        if document.name_of(parent) == "noscript":
            return True
        parent = int(document.elements.parent[parent])
    return False


def content_of(document: Document, element: int) -> str:
    """What stands between an element's tags."""
    elements = document.elements
    return document.markup[elements.open_end[element] : elements.close_start[element]]
