"""The whole page with its own look, parts of it marked: each with a note and a link of ours.

For a frame without scripts (docs/views.md): the page is written as ``pruned`` writes it; its style
sheets stand in it, and links and pictures lead where ``MarkedAddresses`` says.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Final, NamedTuple
from urllib.parse import quote

import numpy as np

from winnow.document import tags
from winnow.document.document import Document
from winnow.document.metadata import base_of
from winnow.document.render.addresses import Addresses, clean
from winnow.document.render.attribute_writer import AttributeWriter
from winnow.document.render.markup_writer import MarkupWriter, standing
from winnow.document.render.selection import Segments, holding, select
from winnow.document.render.traversal import walk
from winnow.document.values import BAR_MARK, Extraction, Span

STYLE: Final = files("winnow.document.render").joinpath("marked.css").read_text("utf-8").strip()
"""How marks look: ours, and stronger than a page's own style."""
_DEEPEST: Final = 2
"""Style sheets that import one another are followed so far."""
_IMPORT: Final = re.compile(
    r"""@import\s+(?:url\(\s*)?["']?([^"'()\s;]+)["']?\s*\)?([\w\s(),.:-]{0,200});""", re.IGNORECASE
)
_CONDITION: Final = re.compile(r"(?:layer(?:\([^)]*\))?|supports\((?:[^()]|\([^()]*\))*\))", re.I)
_FOCUSABLE: Final = frozenset("a area button input select textarea summary".split())
_DROPPED: Final = frozenset(
    "action method target tabindex accesskey contenteditable download draggable inert".split()
)
_HEAD: Final = tags.codes_of("html head body title style link meta")
_TABLES: Final = tags.codes_of("table thead tbody tfoot tr colgroup")
"""No link may stand directly in these (HTML standard, 13.2.6.4.9): it goes into the first cell."""
_CELLS: Final = tags.codes_of("td th caption")
_INTERACTIVE: Final = frozenset("a button label summary select option".split())
"""No link may stand in these."""


class Mark(NamedTuple):
    """``kind`` is gone, part or kept; ``note`` says why, and ``link`` (``id`` is before it) leads
    on (``text``)."""

    kind: str
    note: str
    text: str
    link: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of whole elements, and of ranges of pieces (by their first, with the last)."""

    elements: Mapping[int, Mark]
    pieces: Mapping[int, tuple[int, Mark]]


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
        return "".join(parts)

    def _imported(self, found: re.Match[str], addresses: MarkedAddresses, depth: int) -> str:
        url = Addresses(addresses.base).resource(found[1])
        if depth >= _DEEPEST or not self.has(url):
            return ""
        text = self.at(url, addresses, depth + 1)
        media = _CONDITION.sub("", found[2]).strip()
        return f"@media {media} {{ {text} }}" if media else text


def marked_page(
    document: Document, marks: Marks, addresses: MarkedAddresses, sheets: StyleSheets
) -> str:
    """The page's markup, our style behind all of its own."""
    whole = Extraction("", (Span(0, len(document.text)),)) if document.text else Extraction("")
    segments = select(document, whole)
    always = np.isin(document.elements.tag, list(_HEAD))
    shown = holding(document, segments) | standing(document) | always
    writer = _MarkedWriter(document, segments, addresses, marks, sheets)
    writer.write(walk(document, segments, shown))
    body = "".join(writer.out).replace(BAR_MARK.decode(), "")
    return f"<!DOCTYPE html>\n{body}\n<style>{STYLE}</style>\n"


def sheets_of(document: Document) -> tuple[str, ...]:
    """The addresses of the style sheets that a browser would load for the page, without repeats."""
    addresses = Addresses(base_of(document))
    linked = [
        addresses.resource(attributes.get("href", ""))
        for element in document.elements_named("link")
        if _is_sheet(attributes := document.attributes_of(element))
        and not _is_in_noscript(document, element)
    ]
    imported = [
        addresses.resource(found[1])
        for element in document.elements_named("style")
        for found in _IMPORT.finditer(_content(document, element))
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


def _is_sheet(attributes: Mapping[str, str]) -> bool:
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


def _content(document: Document, element: int) -> str:
    elements = document.elements
    return document.markup[elements.open_end[element] : elements.close_start[element]]


class _MarkedWriter(MarkupWriter):
    """Writes marks, and what of the page would act as nothing that acts."""

    def __init__(
        self,
        document: Document,
        segments: Segments,
        addresses: MarkedAddresses,
        marks: Marks,
        sheets: StyleSheets,
    ) -> None:
        super().__init__(document, segments, (), addresses)
        self._marks, self._sheets, self._addresses = marks, sheets, addresses
        self._in_noscript = document.inside_tags("noscript")
        self._waiting: dict[int, Mark] = {}
        self._behind, self._mark = 0, Mark("", "", "", "")

    def open(self, element: int) -> None:
        """As every element, with its mark's link or one that waited for a place."""
        super().open(element)
        mark = self._waiting.pop(element, self._marks.elements.get(element))
        if mark is None:
            return
        if self.document.elements.tag[element] in _TABLES:
            self._waiting[self._first_cell(element)] = mark
        elif not self._is_interactive(element):
            self.out.append(_link_of(mark))

    def _first_cell(self, element: int) -> int:
        elements = self.document.elements
        inside = elements.tag[element + 1 : elements.last[element]]
        cells = np.flatnonzero(np.isin(inside, list(_CELLS)))
        return element + 1 + int(cells[0]) if len(cells) else -1

    def _is_interactive(self, element: int) -> bool:
        """Whether the element, or one around it, can hold no link."""
        while element >= 0:
            if self.document.name_of(element) in _INTERACTIVE:
                return True
            element = int(self.document.elements.parent[element])
        return False

    def segment(self, index: int) -> None:
        """As every segment; where it is marked, with our element around it."""
        piece = int(self.segments.piece[index])
        begins = piece in self._marks.pieces
        if begins:
            self._behind, self._mark = self._marks.pieces[piece]
        if piece >= self._behind:
            super().segment(index)
            return
        if begins and not self._is_interactive(int(self.document.pieces.owner[piece])):
            self.out.append(_link_of(self._mark))
        self.out.append(f"<span{_attributes_of(self._mark)}>")
        super().segment(index)
        self.out.append("</span>")

    def _medium(self, element: int) -> str:
        """Nothing where a browser that runs scripts would have asked for nothing."""
        first = self.document.elements.first_piece[element]
        return "" if self._in_noscript[first] else super()._medium(element)

    def _attributes(self, element: int) -> str:
        name = self.document.name_of(element)
        attributes = self._edited(element, self.document.attributes_of(element))
        mark = self._marks.elements.get(element)
        left = {
            key: value
            for key, value in attributes.items()
            if key not in _DROPPED and not key.startswith("data-winnow")
        }
        if name in _FOCUSABLE:  # Tab is for our links
            left["tabindex"] = "-1"
        if name == "details":
            left["open"] = ""
        written = self.attributes.write(name, left)
        if name in ("a", "area") and ' href="' in written and ' href="#' not in written:
            written += ' target="_top"'
        return written + (_attributes_of(mark) if mark else "")

    def _style(self, element: int) -> str:
        declared = self.document.attributes_of(element)
        css = self._sheets.inline(_content(self.document, element), self._addresses)
        return self._sheet(css, declared.get("media", ""))

    def _link(self, element: int) -> str:
        declared = self.document.attributes_of(element)
        url = Addresses(self._addresses.base).resource(clean(declared.get("href", "")))
        if not _is_sheet(declared) or not self._sheets.has(url):
            return ""
        return self._sheet(self._sheets.at(url, self._addresses), declared.get("media", ""))

    @staticmethod
    def _sheet(css: str, media: str) -> str:
        medium = f' media="{escape(media)}"' if media else ""
        return f"<style{medium}>{css}</style>"

    def _meta(self, element: int) -> str:
        return super()._meta(element) if self._names_viewport(element) else ""

    def _names_viewport(self, element: int) -> bool:
        return self.document.attributes_of(element).get("name", "").lower() == "viewport"


def _attributes_of(mark: Mark) -> str:
    return f' data-winnow="{mark.kind}" title="{escape(mark.note)}"'


def _link_of(mark: Mark) -> str:
    if not mark.link:
        return ""
    place = f'<i id="{escape(mark.id)}"></i>' if mark.id else ""  # a link would get the focus
    return (
        f'{place}<a data-winnow-note="{mark.kind}" href="{escape(mark.link)}" target="_top">'
        f"<span>{escape(mark.note)} <u>{escape(mark.text)}</u></span></a>"
    )
