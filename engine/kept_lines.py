"""The lines of what is kept of a page: its blocks, as the steps at an article's edges read them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from winnow.document.arrays import Mask
from winnow.document.blocks import blocks_of
from winnow.document.document import Document

_HEADLINE: Final = 3
"""Words that a linked headline has at least."""
_BEFORE: Final = 12
"""Words of a block before its headline: what stands above the list, a day, a place."""
SUMMARY: Final = 60
"""Words of a record beside its headline, at most."""
_PROSE: Final = 12
"""Words, few of them linked, from which a block that is no record's is the article's."""
_FEW_LINKS: Final = 0.3


class Line(NamedTuple):
    """A kept block: its index among all blocks, its words, those linked, and whether it opens with
    the headline of a record."""

    block: int
    words: int
    linked: int
    is_headline: bool

    @property
    def is_prose(self) -> bool:
        """Whether it is long enough to be a paragraph, and no list of links."""
        return self.words >= _PROSE and self.linked <= _FEW_LINKS * self.words


def kept_lines(document: Document, kept: Mask) -> list[Line]:
    """The blocks that have a kept word, in document order."""
    blocks = blocks_of(document)
    speaking = np.flatnonzero(kept & (document.piece_words > 0))
    chosen = np.unique(blocks.first_piece.searchsorted(speaking, side="right") - 1)
    words, linked = blocks.words[chosen], blocks.linked_words[chosen]
    is_reference = document.inside_tags("ol")[blocks.first_piece[chosen]]
    may_open = (linked >= _HEADLINE) & (words - linked <= SUMMARY) & ~is_reference
    rows = zip(chosen.tolist(), words.tolist(), linked.tolist(), may_open.tolist(), strict=True)
    return [
        Line(block, every, leading, opens and _opens_with_link(document, block))
        for block, every, leading, opens in rows
    ]


def _opens_with_link(document: Document, block: int) -> bool:
    """Whether hardly a word stands before the first that is linked."""
    blocks = blocks_of(document)
    inside = slice(int(blocks.first_piece[block]), int(blocks.last_piece[block]))
    words = document.piece_words[inside]
    first = int(np.argmax(document.linked[inside] & (words > 0)))
    return bool(words[:first].sum() <= _BEFORE)


def text_of(document: Document, line: Line) -> str:
    """The text of a line, media and white space at its ends left out."""
    blocks = blocks_of(document)
    return document.plain(int(blocks.start[line.block]), int(blocks.end[line.block])).strip()
