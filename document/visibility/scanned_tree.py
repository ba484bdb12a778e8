"""A scan and its markup, as the notion of seen looks at them before there is a document."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from winnow.document.arrays import Elements, Pieces
from winnow.document.parsing import start_tags, tags

_TARGETS: Final = (('="#', 2), ('aria-controls="', 4))
"""What stands before the ids of what controls open, and the index of its rarest letter."""
_LONGEST_NAME: Final = 40
"""Characters of what stands on a control."""
_READ: Final = frozenset({"class", "id", "role", "aria-modal", "open", "style", "bgcolor", "media"})
_SETS_GROUND: Final = re.compile(r"stylesheet|background|bgcolor", re.I)


@dataclass(frozen=True)
class ScannedTree:
    """What is looked at: a scan and the markup that it was made from."""

    markup: str
    text: str
    elements: Elements
    pieces: Pieces
    grounds: dict[int, str | None] = field(default_factory=dict)
    """Of the elements that were asked for it: the colour of the ground that each sets, if any."""
    _read: dict[int, dict[str, str]] = field(default_factory=dict)

    @cached_property
    def targets(self) -> frozenset[str]:
        """The ids that controls and links of the page name as what they open."""
        markup = self.markup
        starts = [
            at + len(mark)
            for mark, rare in _TARGETS
            for at in start_tags.standing(markup, mark, rare)
        ]
        named = (markup[at:end] for at in starts if (end := markup.find('"', at)) >= 0)
        return frozenset(name for names in named for name in names.split())

    @cached_property
    def is_plain(self) -> bool:
        """Whether nothing on the page sets a ground; what is outside of it may."""
        return _SETS_GROUND.search(self.markup) is None

    def sets_ground(self, element: int) -> bool:
        """Whether a start tag may set a ground."""
        start, end = self.elements.open_start.data[element], self.elements.open_end.data[element]
        return _SETS_GROUND.search(self.markup, start, end) is not None

    def opening(self, element: int) -> str:
        return self.markup[self.elements.open_start[element] : self.elements.open_end[element]]

    def attributes(self, element: int) -> dict[str, str]:
        start, end = int(self.elements.open_start[element]), int(self.elements.open_end[element])
        return start_tags.attributes(self.markup, start, end, _READ)

    def attributes_of(self, element: int) -> dict[str, str]:
        found = self._read.get(element)
        if found is None:
            elements = self.elements
            start, end = elements.open_start.data[element], elements.open_end.data[element]
            found = self._read[element] = start_tags.attributes(self.markup, start, end)
        return found

    def name_of(self, element: int) -> str:
        return tags.NAMES[self.elements.tag[element]] or self.opening(element)[1:-1].split(" ")[0]

    def length(self, element: int) -> int:
        """Characters of an element's text."""
        first, behind = self.elements.first_piece[element], self.elements.last_piece[element]
        return int(self.pieces.end[behind - 1] - self.pieces.start[first]) if behind > first else 0

    def piece(self, index: int) -> str:
        """A piece's letters; "" where there is no such piece."""
        if not 0 <= index < self.pieces.start.size:
            return ""
        words = self.text[self.pieces.start[index] : self.pieces.end[index]]
        return "".join(filter(str.isalnum, words.casefold())) if len(words) < _LONGEST_NAME else ""
