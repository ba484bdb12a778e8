"""The lines of what is kept of a page: its blocks, as the steps at an article's edges read them."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from winnow.document.arrays import Mask, range_sums
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
    """A kept block: its index among all blocks, its words, those linked, and whether a record
    begins with it: its first words are a headline that is a link, or such a headline, which was
    not kept, is the block before it."""

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
    opens = _open_records(document)
    opens_left_out = np.append(opens, False)  # of the blocks that were not kept, and of none
    opens_left_out[chosen] = False
    begins = opens[chosen] | (opens_left_out[chosen - 1] & (words <= SUMMARY))
    columns = (chosen, words, linked, begins)
    return [Line(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _open_records(document: Document) -> Mask:
    """Whether blocks open with a linked headline and say little else; (blocks,)."""
    blocks = blocks_of(document)
    links = np.flatnonzero(document.linked & (document.piece_words > 0))
    is_reference = document.inside_tags("ol")[blocks.first_piece]
    opens = (blocks.linked_words >= _HEADLINE) & ~is_reference
    opens &= blocks.words - blocks.linked_words <= SUMMARY
    found = np.flatnonzero(opens)
    first = blocks.first_piece[found]
    link = links[links.searchsorted(first)]
    opens[found] = range_sums(document.piece_words, first, link) <= _BEFORE
    return opens


def text_of(document: Document, line: Line) -> str:
    """The text of a line, media and white space at its ends left out."""
    blocks = blocks_of(document)
    return document.plain(int(blocks.start[line.block]), int(blocks.end[line.block])).strip()
