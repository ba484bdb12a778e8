"""The style sheets of a marked page, written into it, and where its links and pictures lead.

For marked_page.py: a frame without scripts and without an address of its own loads nothing itself.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from winnow.document.document import Document
from winnow.document.metadata.page_metadata import base_of
from winnow.document.render.addresses import Addresses
from winnow.document.render.original.attribute_writer import AttributeWriter

_DEEPEST: Final = 2
"""Style sheets that import one another are followed so far."""
_IMPORT: Final = re.compile(
    r"""@import\s+(?:url\(\s*)?["']?([^"'()\s;]+)["']?\s*\)?([\w\s(),.:-]{0,200});""", re.IGNORECASE
)
_HELD: Final = re.compile(r"\bposition\s*:\s*(?:fixed|(?:-webkit-)?sticky)\b", re.IGNORECASE)
_CONDITION: Final = re.compile(r"(?:layer(?:\([^)]*\))?|supports\((?:[^()]|\([^()]*\))*\))", re.I)


@dataclass(frozen=True, slots=True)
class MarkedAddresses(Addresses):
    """``links`` and ``images``: what stands before the address of a page and of a picture."""

    links: str = ""
    images: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "roots", None)

    def link(self, address: str) -> str:
        """A place on the page itself, or ``links`` with the address; "" for any other."""
        found = Addresses(self.base, "", self.page).link(address)
        if not found.startswith(("http://", "https://")):
            return found if found.startswith("#") else ""
        return self.links + quote(found, safe="")

    def resource(self, address: str) -> str:
        """``images`` with the address in base64url, which needs no quoting in any place."""
        found = Addresses(self.base).resource(address)
        if not found.startswith(("http://", "https://")):
            return found
        return self.images + urlsafe_b64encode(found.encode()).decode()


def unfixed(css: str) -> str:
    """What is held in the window (a banner, a menu) stands where it comes in the page: there it
    lies over no other part, and each part can be seen and pointed at."""
    return _HELD.sub("position:static", css)


class StyleSheets:
    """Style sheets by address, as they were fetched; ``largest`` characters are written in all."""

    def __init__(self, texts: Mapping[str, str], largest: int = 4_000_000) -> None:
        self._texts, self._left = texts, largest

    def has(self, url: str) -> bool:
        return url in self._texts

    def at(self, url: str, addresses: MarkedAddresses, depth: int = 0) -> str:
        """The sheet at an address, as ``inline``."""
        there = MarkedAddresses(url, "", addresses.page, addresses.links, addresses.images)
        return self.inline(self._texts[url], there, depth)

    def inline(self, css: str, addresses: MarkedAddresses, depth: int = 0) -> str:
        """A sheet with those in it that it imports, harmless, its addresses led on.

        "" where it is larger than what is left.
        """
        self._left -= len(css)
        if self._left < 0:
            return ""
        parts, position = [], 0
        writer = AttributeWriter(addresses)
        for found in _IMPORT.finditer(css):
            parts.append(writer.stylesheet(css[position : found.start()]))
            parts.append(self._imported(found, addresses, depth))
            position = found.end()
        parts.append(writer.stylesheet(css[position:]))
        return unfixed("".join(parts))

    def _imported(self, found: re.Match[str], addresses: MarkedAddresses, depth: int) -> str:
        url = Addresses(addresses.base).resource(found[1])
        if depth >= _DEEPEST or not self.has(url):
            return ""
        text = self.at(url, addresses, depth + 1)
        media = _CONDITION.sub("", found[2]).strip()
        return f"@media {media} {{ {text} }}" if media else text


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
