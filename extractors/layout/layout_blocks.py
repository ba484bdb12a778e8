"""A page as a sequence of layout blocks (Webstemmer, step 1).

A layout block is the text under one path of up to three block elements with the attributes that
distinguish layouts, as in Webstemmer's sample pattern: ``tr:valign=top/td:id=article/p``.
Neighbours under the same path are one block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from winnow.document import tags
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import MEDIA

DEPTH: Final = 3
ATTRIBUTES: Final = ("id", "class", "align", "valign", "rowspan", "colspan")
_NUMBER: Final = re.compile(r"\d+")
_UNINFORMATIVE: Final = tags.codes_of("html body noscript")
"""Block elements that every page has, or that say nothing of its layout."""


@dataclass(frozen=True, slots=True)
class LayoutBlock:
    """``feature``: the path. ``text``: what stands there. ``plain``: its characters outside links.

    ``weight``: its letters and digits. ``first_piece``, ``last_piece``: the half-open range of
    pieces that it spans.
    """

    feature: str
    text: str
    weight: int
    plain: int
    first_piece: int
    last_piece: int


def layout_blocks(document: Document) -> tuple[LayoutBlock, ...]:
    """The layout blocks of what a page shows, in order."""
    blocks = blocks_of(document)
    paths: dict[int, str] = {}
    found: list[LayoutBlock] = []
    for index in np.flatnonzero(~blocks.hidden & (blocks.words > 0)).tolist():
        element = int(blocks.element[index])
        if element not in paths:
            paths[element] = _path(document, element)
        first, last = int(blocks.first_piece[index]), int(blocks.last_piece[index])
        block = _block(document, paths[element], first, last)
        if found and found[-1].feature == block.feature:
            found[-1] = _joined(found[-1], block)
        else:
            found.append(block)
    return tuple(found)


def letters(text: str) -> str:
    """The letters and digits of a text: what blocks are weighed and compared by."""
    return "".join(filter(str.isalnum, text))


def _path(document: Document, element: int) -> str:
    """The path of the innermost block elements around and with ``element``, outermost first."""
    steps: list[str] = []
    while element >= 0 and len(steps) < DEPTH:
        code = int(document.elements.tag[element])
        if code in tags.BLOCK_LEVEL and code not in _UNINFORMATIVE:
            steps.append(_step(document, element))
        element = int(document.elements.parent[element])
    return "/".join(reversed(steps))


def _step(document: Document, element: int) -> str:
    attributes = document.attributes_of(element)
    named = (f"{name}={_blanked(attributes[name])}" for name in ATTRIBUTES if attributes.get(name))
    return ":".join([document.name_of(element), *named])


def _blanked(value: str) -> str:
    """An attribute without its numbers: ``post-1234`` names the page, not its layout."""
    return _NUMBER.sub("#", " ".join(value.split()))


def _block(document: Document, feature: str, first: int, last: int) -> LayoutBlock:
    pieces, linked = document.pieces, document.linked
    start, end = int(pieces.start[first]), int(pieces.end[last - 1])
    text = document.text[start:end].replace(MEDIA, "")
    plain = sum(
        len(letters(document.text[pieces.start[piece] : pieces.end[piece]]))
        for piece in range(first, last)
        if not linked[piece]
    )
    return LayoutBlock(feature, text, len(letters(text)), plain, first, last)


def _joined(left: LayoutBlock, right: LayoutBlock) -> LayoutBlock:
    return LayoutBlock(
        left.feature,
        f"{left.text}\n\n{right.text}",
        left.weight + right.weight,
        left.plain + right.plain,
        left.first_piece,
        right.last_piece,
    )
