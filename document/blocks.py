"""A page as a stream of blocks: the own text of block elements, in document order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document, once
from winnow.document.parsing import tags
from winnow.document.parsing.scan import Ints

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The blocks of a document in document order, n of them; every array has the shape (n,).

    A block is a longest run of pieces with no edge of a block element (nor a double ``<br>``)
    between them: the text that stands directly in one block element, its inline elements included.
    ``first_piece``, ``last_piece``: the half-open range of pieces. ``start``, ``end``: offsets in
    the text. ``element``: the block element it stands in (-1: none). ``words``, ``linked_words``:
    words as in winnow.document.words, all and those in ``<a>``. ``hidden``: no browser shows it.
    """

    first_piece: Ints
    last_piece: Ints
    start: Ints
    end: Ints
    element: Ints
    words: Ints
    linked_words: Ints
    hidden: Mask

    def __len__(self) -> int:
        return len(self.start)

    @property
    def link_density(self) -> Floats:
        """Words in links / words, 0 where there is no word (Gottron 2007, section 5.4)."""
        return (self.linked_words / np.maximum(self.words, 1)).astype(np.float32)


_compiled: Any = optional_module("winnow.document.parsing._scan")
_INTS: Final = 7
"""Columns of whole numbers that the compiled loop gives."""


def _cut_compiled(document: Document) -> Blocks:
    pieces, block = document.pieces, document.elements.block
    known = (document.piece_words, document.linked, document.hidden)
    found = _compiled.blocks(
        pieces.gap, pieces.start, pieces.end, pieces.owner, block, *known, tags.BLOCK
    )
    size = len(found) // (4 * _INTS + 1)
    columns = np.frombuffer(found, dtype=np.int32, count=_INTS * size).reshape(_INTS, -1)
    first, last, start, end, element, words, linked = columns
    hidden = np.frombuffer(found, dtype=np.bool_, offset=4 * _INTS * size)
    return Blocks(first, last, start, end, element, words, linked, hidden)


def cut_in_python(document: Document) -> Blocks:
    """A document's pieces cut into blocks; O(pieces)."""
    pieces, elements = document.pieces, document.elements
    opens = pieces.gap >= tags.BLOCK
    opens[:1] = True
    first = np.flatnonzero(opens).astype(np.int32)
    last = np.append(first[1:], len(pieces)).astype(np.int32)[: len(first)]
    return Blocks(
        first,
        last,
        pieces.start[first],
        pieces.end[last - 1],
        elements.block[pieces.owner[first]],
        _sums(document.piece_words, first),
        _sums(document.piece_words * document.linked, first),
        document.hidden[first],
    )


blocks_of = once(loop(_compiled and _cut_compiled, cut_in_python))


def _sums(values: npt.NDArray[np.integer], first: Ints) -> Ints:
    if not len(first):
        return np.zeros(0, dtype=np.int32)
    return np.add.reduceat(values, first).astype(np.int32)
