"""Crunch's other plug-in, SizeModifier: the size of the page's text, and of what has a fixed size.

Sizes are in per cent of the page's own. Fixed ones are those in pixels of images, tables, their
rows and cells; percentages stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from winnow.document.document import Document
from winnow.document.edits import Edit, Operation
from winnow.extractors.crunch.filter_state import Filtered
from winnow.extractors.crunch.page_links import PageLinks

UNCHANGED: Final = 100
_SIZED: Final = "img table tr td th"
_PIXELS: Final = re.compile(r' (width|height)="\s*(\d{1,5})(?:px)?\s*"')


@dataclass(frozen=True, eq=False)
class SizeModifier:
    """A PageFilter that edits attributes; it takes no text."""

    page_links: PageLinks
    font: int = UNCHANGED
    fixed: int = UNCHANGED

    @property
    def name(self) -> str:
        return "sizes"

    @property
    def fingerprint(self) -> str:
        return f"sizes/{self.font}/{self.fixed}"

    def process(self, original: Document, previous: Filtered, current: Filtered) -> Filtered:
        """The page with other sizes; what filters dropped stays dropped."""
        dropped = {
            (edit.element, edit.value)
            for edit in current.edits
            if edit.operation is Operation.DROP_ATTRIBUTE
        }
        edits = [
            Edit(element, Operation.SET_ATTRIBUTE, f"{name}={value}")
            for element, name, value in self._scaled(current)
            if (element, name) not in dropped
        ]
        return current.edited([*edits, *self._text(original, dropped)])

    def _scaled(self, current: Filtered) -> Iterator[tuple[int, str, int]]:
        """Element, attribute and new pixels of all with a fixed size."""
        if self.fixed == UNCHANGED:
            return
        sized = current.left(self.page_links.named(_SIZED))
        for element, tag in zip(sized.tolist(), self.page_links.tags(sized), strict=True):
            for name, pixels in _PIXELS.findall(tag):
                yield element, name, max(round(int(pixels) * self.fixed / 100), 1)

    def _text(self, document: Document, dropped: set[tuple[int, str]]) -> Iterator[Edit]:
        if self.font == UNCHANGED:
            return
        for body in document.elements_named("body")[:1]:
            own = document.attributes_of(body).get("style", "").rstrip("; ")
            kept = f"{own}; " if own and (body, "style") not in dropped else ""
            size = f"style={kept}font-size: {self.font}%"
            yield Edit(body, Operation.SET_ATTRIBUTE, size)
