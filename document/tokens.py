"""The token stream: tags, words and symbols of what is shown, in document order, as flat arrays.

As in Pasternack & Roth 2009, section 5.2, and Gottron 2007, section 5.2. Comments and the content
of scripts and styles are no tokens; numbers are words. A tag is a start or end tag of the parsed
tree, so that implied tags count and every page is well-formed; an opaque element
(winnow.document.parsing.tags.OPAQUE) is its two tags and nothing between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document import words
from winnow.document.arrays import Elements, Ints, Mask, Pieces
from winnow.document.compiled import loop, optional_module
from winnow.document.parsing import tags

_compiled: Any = optional_module("winnow.document._words")

TAG, WORD, SYMBOL = range(3)
"""The kinds of tokens."""

_IS_VOID: Final = np.isin(np.arange(len(tags.NAMES)), list(tags.VOID))


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """A page's n tokens; every array has the shape (n,).

    ``kind``: TAG, WORD or SYMBOL. ``start``, ``end``: offsets in the text (a tag: both where the
    next word starts). ``element``: for a tag its element, else the element that owns the piece.
    ``closing``: whether it is an end tag. ``piece``: for a word or symbol its piece, else -1.
    """

    kind: npt.NDArray[np.uint8]
    start: Ints
    end: Ints
    element: Ints
    closing: npt.NDArray[np.bool_]
    piece: Ints

    def __len__(self) -> int:
        return len(self.kind)


def tag_offsets(elements: Elements) -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """All tags in document order: offsets in the markup, elements, whether closing.

    An element that is open at the markup's end counts as closed at once.
    """
    closed = np.flatnonzero(~_IS_VOID[elements.tag])
    offsets = np.concatenate([elements.close_start[closed], elements.open_start])
    owners = np.concatenate([closed.astype(np.int32), np.arange(len(elements), dtype=np.int32)])
    order = np.argsort(offsets, kind="stable")
    closing = order < len(closed)
    return offsets[order], owners[order], closing


def tags_before(elements: Elements, pieces: Pieces) -> tuple[Ints, int]:
    """How many tags stand before each piece, shape (pieces,); and in the whole page."""
    offsets, _, _ = tag_offsets(elements)
    # A medium's piece starts with its own tag, which stands before it.
    anchors = pieces.source_start + (pieces.source_start == elements.open_start[pieces.owner])
    return np.searchsorted(offsets, anchors).astype(np.int32), len(offsets)


def _tag_gaps_compiled(elements: Elements, pieces: Pieces) -> Ints:
    gaps = np.empty(len(pieces), dtype=np.int32)
    _compiled.tag_gaps(elements.first_piece, elements.last_piece, elements.tag, _IS_VOID, gaps)
    return gaps


def tag_gaps_in_python(elements: Elements, pieces: Pieces) -> Ints:
    """How many tags stand between each piece and the one before it; shape (pieces,)."""
    before, _ = tags_before(elements, pieces)
    return np.diff(before, prepend=0).astype(np.int32)


tag_gaps = loop(_compiled and _tag_gaps_compiled, tag_gaps_in_python)


def _tokenise_compiled(text: str, elements: Elements, pieces: Pieces, hidden: Mask) -> Tokens:
    columns = (
        elements.open_start, elements.close_start, elements.last, _IS_VOID[elements.tag],
        pieces.start, pieces.end, pieces.source_start, pieces.owner, hidden,
    )  # fmt: skip
    counts = np.add(*words.piece_counts(text, pieces.start, pieces.end))
    size = int(counts[~hidden].sum()) + 2 * len(elements) - int(columns[3].sum())
    bytes_, ints = np.empty((2, size), dtype=np.uint8), np.empty((4, size), dtype=np.int32)
    found = Tokens(bytes_[0], ints[0], ints[1], ints[2], bytes_[1].view(np.bool_), ints[3])
    room = (found.kind, found.start, found.end, found.element, found.closing, found.piece)
    _compiled.tokens(text, columns, room, words.table(), words.class_of)
    return found


def tokenise_in_python(text: str, elements: Elements, pieces: Pieces, hidden: Mask) -> Tokens:
    """The token stream of the pieces that are not hidden. O(text + tags), no recursion."""
    text_kind, start, end, piece = _text_tokens(text, pieces, hidden)
    offsets, owners, closing = tag_offsets(elements)
    before, _ = tags_before(elements, pieces)
    size = len(start) + len(offsets)
    at_text = np.arange(len(start)) + before[piece]
    is_text = np.zeros(size, dtype=bool)
    is_text[at_text] = True
    kind = np.full(size, TAG, dtype=np.uint8)
    kind[at_text] = text_kind
    element = np.empty(size, dtype=np.int32)
    element[at_text], element[~is_text] = pieces.owner[piece], owners
    closes = np.zeros(size, dtype=bool)
    closes[~is_text] = closing
    own_piece = np.full(size, -1, dtype=np.int32)
    own_piece[at_text] = piece
    starts = np.append(start, len(text)).astype(np.int32)[np.cumsum(is_text) - is_text]
    ends = starts.copy()
    ends[at_text] = end
    return Tokens(kind, starts, ends, element, closes, own_piece)


tokenise = loop(_compiled and _tokenise_compiled, tokenise_in_python)


def _text_tokens(
    text: str, pieces: Pieces, hidden: Mask
) -> tuple[npt.NDArray[np.uint8], Ints, Ints, Ints]:
    """Kind, start, end and piece of every visible word and symbol, in order."""
    kinds = words.classes(text)
    starts, ends = words.bounds(kinds, pieces.start[pieces.start < len(text)])
    is_symbol = kinds[starts] == words.SYMBOL
    piece = np.searchsorted(pieces.start, starts, side="right").astype(np.int32) - 1
    visible = ~hidden[piece] if len(piece) else np.zeros(0, dtype=bool)
    kind = np.where(is_symbol, SYMBOL, WORD).astype(np.uint8)
    return kind[visible], starts[visible], ends[visible], piece[visible]
