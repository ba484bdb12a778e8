"""Selectors of elements, each with its place among all that the selector finds."""

from __future__ import annotations

from dataclasses import dataclass, field

from winnow.document.document import Document
from winnow.document.selectors import select, selector_of


@dataclass(frozen=True, slots=True)
class PlacedSelectors:
    """Of the elements of one document; each selector is looked for once."""

    document: Document
    _found: dict[str, dict[int, int]] = field(default_factory=dict)

    def of(self, element: int) -> tuple[str, int] | None:
        """Selector and place, from 0; None where no selector finds the element."""
        selector = selector_of(self.document, element) if element >= 0 else ""
        if not selector:
            return None
        if selector not in self._found:
            matches = select(self.document, selector)
            self._found[selector] = {each: place for place, each in enumerate(matches)}
        place = self._found[selector].get(element, -1)
        return (selector, place) if place >= 0 else None
