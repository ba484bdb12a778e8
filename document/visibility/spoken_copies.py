"""Texts for screen readers alone that stand beside the same text for the eye."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from winnow.document.document import Document
from winnow.document.parsing import start_tags
from winnow.document.parsing.signature import needs
from winnow.document.texts.short_texts import key_of, text_inside
from winnow.document.visibility.hidden_elements import SPOKEN

_MUTE: Final = frozenset({"aria-hidden"})
_SIGNS: Final = ("sr-only", "isually", "screen", "element-invisible", "assistive-text")
"""What each class of SPOKEN holds one of."""


@needs(*_SIGNS, absent=())
def spoken_copies(document: Document) -> Iterable[tuple[int, int]]:
    """The pieces of one of each two elements in a row that say the same to ear and eye.

    The text for the eye stays, unless it is set in parts that do not read as one.
    """
    elements = document.elements
    classed = (elements.class_end > elements.class_start).nonzero()[0]
    found = start_tags.with_word(
        document.markup, elements.class_start[classed], elements.class_end[classed], SPOKEN
    )
    for element in classed[found].tolist():
        key = key_of(text_inside(document, element))
        for other in _beside(document, element) if key else ():
            if key == key_of(text_inside(document, other)):
                gone = other if _is_set_in_parts(document, other, element) else element
                yield int(elements.first_piece[gone]), int(elements.last_piece[gone])
                break


def _beside(document: Document, element: int) -> Iterator[int]:
    """The elements right before and right behind one, none of them a text for the ear."""
    elements = document.elements
    parent, behind = int(elements.parent[element]), int(elements.last[element])
    if behind < len(elements) and elements.parent[behind] == parent:
        yield behind
    if (before := element - 1) > parent:
        while elements.parent[before] != parent:
            before = int(elements.parent[before])
        yield before


def _is_set_in_parts(document: Document, shown: int, spoken: int) -> bool:
    """Whether a text for the eye alone has other signs or blanks than that for the ear."""
    is_mute = document.attributes_of(shown, _MUTE).get("aria-hidden") == "true"
    return is_mute and text_inside(document, shown) != text_inside(document, spoken)
