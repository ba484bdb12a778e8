"""A page with its own look and each part marked: left out and why, or kept; with a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from winnow.document.document import Document
from winnow.document.metadata.page_metadata import base_of
from winnow.document.render.style_sheets import StyleSheets
from winnow.document.values import Page, Recipe
from winnow.engine.base.selector_rules import inside_all
from winnow.engine.script_shell import read
from winnow.features.why.jobs import FIRST, MarkTexts
from winnow.features.why.marked_page import Mark, Marks, marked_page
from winnow.features.why.marked_sheets import MarkedAddresses
from winnow.features.why.page_parts import JudgedBlocks, PagePart
from winnow.features.why.part_selectors import PlacedSelectors


def with_marks(page: Page, recipe: Recipe, texts: MarkTexts, sheets: Mapping[str, str]) -> str:
    """The page's markup with the marks of all its parts. Raises PipelineError."""
    document, _ = read(page, recipe.blocked, scripts_run=True)
    marker = _Marker(texts, PlacedSelectors(document))
    elements, pieces = {}, {}
    marked = [(part, marker.mark(part)) for part in JudgedBlocks.of(document, recipe).parts()]
    first = _first(document, marked, texts.stored)
    for index, (part, plain) in enumerate(marked):
        mark = plain._replace(id=FIRST) if index == first else plain
        if part.is_element:
            elements[part.element] = mark
        else:
            pieces[part.first_piece] = part.last_piece, mark
    addresses = MarkedAddresses(base_of(document), "", page.url or "", texts.links, texts.images)
    return marked_page(document, Marks(elements, pieces), addresses, StyleSheets(sheets))


def _first(document: Document, marked: Sequence[tuple[PagePart, Mark]], stored: str) -> int:
    """The part that is shown first: of a stored rule, else the first left out; -1 for none."""
    linked = [(index, *each) for index, each in enumerate(marked) if each[1].link]
    holds = inside_all(document, (stored,) if stored else ())
    ruled = (index for index, part, _ in linked if holds[part.first_piece])
    gone = (index for index, _, mark in linked if mark.kind == "gone")
    return next(ruled, next(gone, -1))


@dataclass(frozen=True, slots=True)
class _Marker:
    texts: MarkTexts
    selectors: PlacedSelectors

    def mark(self, part: PagePart) -> Mark:
        texts = self.texts
        if part.reason is None:
            return Mark("kept", texts.kept, texts.drop, self._link(part, "drop"))
        note = texts.gone.get(part.reason.value, "")
        return Mark("gone", note, texts.keep, self._link(part, "keep"))

    def _link(self, part: PagePart, action: str) -> str:
        """The address of our page about the part; "" where no selector finds it."""
        found = self.selectors.of(part.element)
        if found is None:
            return ""
        selector, place = found
        query = {"do": action, "selector": selector, "place": place}
        return f"{self.texts.parts}{urlencode(query)}"
