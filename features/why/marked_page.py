"""The whole page with its own look, parts of it marked: each with a note and a link of ours.

For a frame without scripts (docs/views.md): the page is written as ``pruned`` writes it; its style
sheets stand in it, and links and pictures lead where ``MarkedAddresses`` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.render.addresses import Addresses, clean
from winnow.document.render.original.markup_writer import MarkupWriter, standing
from winnow.document.render.selection import Segments, holding, select
from winnow.document.render.style_sheets import StyleSheets, content_of, is_sheet
from winnow.document.render.traversal import walk
from winnow.document.values import BAR_MARK, Extraction, Span
from winnow.features.why.marked_sheets import MarkedAddresses, harmless, unfixed

STYLE: Final = files("winnow.features.why").joinpath("marked.css").read_text("utf-8").strip()
"""How marks look: ours, and stronger than a page's own style."""
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
        self._written = harmless(addresses)
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
        if "style" in left:
            left["style"] = unfixed(left["style"])
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
        css = self._sheets.inline(
            content_of(self.document, element), self._addresses.base, self._written
        )
        return self._sheet(css, declared.get("media", ""))

    def _link(self, element: int) -> str:
        declared = self.document.attributes_of(element)
        url = Addresses(self._addresses.base).resource(clean(declared.get("href", "")))
        if not is_sheet(declared) or not self._sheets.has(url):
            return ""
        return self._sheet(self._sheets.at(url, self._written), declared.get("media", ""))

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
