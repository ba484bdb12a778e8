"""The smaller parts of a part of a page, for a reader who wants less than all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.features.why.jobs import SmallerPart
from winnow.features.why.part_selectors import PlacedSelectors

MOST: Final = 30
_WORDS, _LONGEST = 8, 80
"""First words of each, and characters where a language has no spaces."""


def smaller_parts(document: Document, element: int) -> Iterator[SmallerPart]:
    """The block elements right within ``element`` that have words, at most ``MOST``.

    What holds a single one with all of its words is passed through: the two look alike.
    """
    inside = _blocks_in(document, element)
    while len(inside) == 1 and _words(document, inside[0]) == _words(document, element):
        element = inside[0]
        inside = _blocks_in(document, element)
    named = PlacedSelectors(document)
    for each in inside[:MOST]:
        if found := named.of(each):
            yield SmallerPart(*found, _first_words(document, each))


def _blocks_in(document: Document, element: int) -> list[int]:
    elements, found = document.elements, []
    child, behind = element + 1, int(elements.last[element])
    while child < behind:
        if int(elements.tag[child]) in tags.BLOCK_LEVEL and _words(document, child):
            found.append(child)
        child = int(elements.last[child])
    return found


def _words(document: Document, element: int) -> int:
    """Those that are seen."""
    elements = document.elements
    pieces = slice(int(elements.first_piece[element]), int(elements.last_piece[element]))
    return int(document.piece_words[pieces][~document.hidden[pieces]].sum())


def _first_words(document: Document, element: int) -> str:
    elements, pieces = document.elements, document.pieces
    first, last = int(elements.first_piece[element]), int(elements.last_piece[element])
    text = document.plain(int(pieces.start[first]), int(pieces.end[last - 1]))
    return " ".join(text.split()[:_WORDS])[:_LONGEST]
