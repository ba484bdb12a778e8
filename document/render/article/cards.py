"""Cards: teasers of one form side by side, each with a heading that leads to what it is about."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from winnow.document.arrays import prefix_sums
from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.render.selection import Segments

_IS_CARD: Final = tags.table_of("article div section")
_CLASS: Final = re.compile(r' class="\s*([^"\s]*)')
_LINK: Final = tags.CODES["a"]
LEAST: Final = 3
"""Cards: two may be anything."""
_MOST: Final = 120
"""Words of a card; what says more is a section of a text."""
_DEEPEST: Final = 6
"""Elements from a heading to its card."""
Group = tuple[int, int, str]


def cards_of(document: Document, segments: Segments, headings: Sequence[int]) -> list[int]:
    """The elements that hold a card each, in document order; O(headings x depth + segments).

    ``headings``: those with selected words.
    """
    firsts = document.elements.first_piece[list(headings)]
    if len(headings) < LEAST or document.linked[firsts].sum() < LEAST:
        return []
    words = np.zeros(len(document.pieces), dtype=np.int32)
    words[segments.piece] = document.piece_words[segments.piece]
    said, found = prefix_sums(words), dict[int, int]()
    groups = _groups(document, headings)
    first, behind = document.elements.first_piece, document.elements.last_piece
    for members in groups.values():
        fits = len({*members}) == len(members) >= LEAST and all(
            said[behind[element]] - said[first[element]] <= _MOST for element in members
        )
        if fits and _lead_on(document, headings, members):
            found.update((element, len(members)) for element in members)
    return _outermost(document, sorted(found))


def _groups(document: Document, headings: Sequence[int]) -> dict[Group, list[int]]:
    """The elements around headings that may be their cards, by their parent and their form."""
    parents, tag_of = document.elements.parent.data, document.elements.tag.data
    opens, ends = document.elements.open_start.data, document.elements.open_end.data
    groups: dict[Group, list[int]] = defaultdict(list)
    forms = dict[int, Group]()
    for heading in headings:
        element = parents[heading]
        for _ in range(_DEEPEST):
            if element < 0:
                break
            if _IS_CARD[tag_of[element]]:
                if element not in forms:
                    name = _CLASS.search(document.markup, opens[element], ends[element])
                    forms[element] = parents[element], tag_of[element], name[1] if name else ""
                groups[forms[element]] += (element,)
            element = parents[element]
    return groups


def _lead_on(document: Document, headings: Sequence[int], members: Sequence[int]) -> bool:
    """Whether the headings of three of four are links to other pages."""
    found = [headings[at] for at in np.searchsorted(headings, members).tolist()]
    return 4 * sum(_leads(document, heading) for heading in found) >= 3 * len(members)


def _leads(document: Document, heading: int) -> bool:
    elements = document.elements
    piece = int(elements.first_piece[heading])
    if not document.linked[piece]:
        return False
    link = int(document.pieces.owner[piece])
    while elements.tag[link] != _LINK:
        link = int(elements.parent[link])
    href = document.attributes_of(link, {"href"}).get("href", "")
    return bool(href) and not href.startswith("#")


def _outermost(document: Document, elements: Sequence[int]) -> list[int]:
    found = list[int]()
    for element in elements:
        if not found or element >= document.elements.last[found[-1]]:
            found.append(element)
    return found
