"""A page as a sequence of layout blocks (Webstemmer, step 1, and what its program does).

A layout block is the text between two tags that cut, under one path of up to three elements with
the attributes that distinguish layouts: ``tr:valign=top/td:id=article/p``. The first is ``title``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document
from winnow.document.parsing import tags

DEPTH: Final = 3
ATTRIBUTES: Final = frozenset("id class align valign rowspan colspan".split())
FEWEST_LETTERS: Final = 5
"""A block with fewer is dropped."""
TITLE: Final = "title"
_LETTERS: Final = re.compile(r"\w+")
_IN_PATHS: Final = tags.table_of(
    "p h1 h2 h3 h4 h5 h6 tr td th dt dd li ul ol dl dir menu pre div center font span blockquote "
    "table address"
)
_CUTTING: Final = _IN_PATHS | tags.table_of("hr br")


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """``feature``: the path. ``text``: its letters, digits and ``_``, in lower case.

    ``plain``: how many of them are outside links. ``first_piece``, ``last_piece``: the half-open
    range of pieces that it spans; empty for the title, which no page shows.
    """

    feature: str
    text: str
    plain: int
    first_piece: int
    last_piece: int

    @property
    def weight(self) -> int:
        """Its letters and digits."""
        return len(self.text)


def layout_blocks(document: Document) -> tuple[LayoutBlock, ...]:
    """The title and the layout blocks of what a page shows, in order."""
    title = letters(document.title)
    found = [LayoutBlock(TITLE, title, len(title), 0, 0), *_blocks(document)]
    return tuple(block for block in found if block.weight >= FEWEST_LETTERS)


def letters(text: str) -> str:
    """What blocks are weighed and compared by: letters, digits and ``_``, in lower case."""
    return "".join(_LETTERS.findall(text)).lower()


def _blocks(document: Document) -> Iterator[LayoutBlock]:
    pieces, nearest = document.pieces, _nearest(document)
    shown = np.flatnonzero(~document.hidden & ~document.media).astype(np.int32)
    if not len(shown):
        return
    inside = nearest[pieces.owner[shown]]
    cutting = document.elements.open_start[_CUTTING[document.elements.tag]]
    before = np.searchsorted(cutting, pieces.source_start[shown])
    edges = np.flatnonzero((np.diff(inside) != 0) | (np.diff(before) != 0)) + 1
    paths: dict[int, str] = {}
    for group in np.split(shown, edges):
        element = int(nearest[pieces.owner[group[0]]])
        if element not in paths:
            paths[element] = _path(document, nearest, element)
        yield _block(document, paths[element], group)


def _nearest(document: Document) -> Ints:
    """The innermost element around, or equal to, each element that paths are made of; or -1."""
    elements = document.elements
    named, found = _IN_PATHS[elements.tag].tolist(), list[int]()
    for index, parent in enumerate(elements.parent.tolist()):
        found.append(index if named[index] else found[parent] if parent >= 0 else -1)
    return np.array(found, dtype=np.int32)


def _path(document: Document, nearest: Ints, element: int) -> str:
    """The path of an element, outermost step first."""
    steps: list[str] = []
    while element >= 0 and len(steps) < DEPTH:
        steps.append(_step(document, element))
        parent = int(document.elements.parent[element])
        element = int(nearest[parent]) if parent >= 0 else -1
    return "/".join(reversed(steps))


def _step(document: Document, element: int) -> str:
    attributes = document.attributes_of(element, ATTRIBUTES)
    named = (f"{name}={value.lower()}" for name, value in attributes.items() if name in ATTRIBUTES)
    return ":".join([document.name_of(element), *sorted(named)])


def _block(document: Document, feature: str, group: Ints) -> LayoutBlock:
    pieces, linked = document.pieces, document.linked
    texts = [
        letters(document.text[pieces.start[piece] : pieces.end[piece]]) for piece in group.tolist()
    ]
    plain = sum(
        len(text) for text, piece in zip(texts, group.tolist(), strict=True) if not linked[piece]
    )
    return LayoutBlock(feature, "".join(texts), plain, int(group[0]), int(group[-1]) + 1)
