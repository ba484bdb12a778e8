"""What stands before and behind an article in the same elements as it, and is none of it.

A step after any method that says what type a page is of.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from winnow.document.arrays import Mask
from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.engine.closing_lines import closing_lines
from winnow.engine.kept_lines import kept_lines
from winnow.engine.other_stories import other_stories

_ARTICLE: Final = "article"
"""The page type of what is one text."""


def article_edges(document: Document, kept: Mask, page_type: str | None) -> Mask:
    """The kept pieces of other stories' records and of lines that close an article; (pieces,).

    Nothing is found without a page type. O(blocks).
    """
    gone = np.zeros_like(kept)
    if not page_type:
        return gone
    lines, is_article = kept_lines(document, kept), page_type == _ARTICLE
    others = other_stories(document, lines, is_article=is_article)
    inside = {at for first, behind in others for at in range(first, behind)}
    left = [line for at, line in enumerate(lines) if at not in inside]
    end = closing_lines(document, left, is_article=is_article)
    blocks = blocks_of(document)
    for line in (*(lines[at] for at in inside), *left[end:]):
        gone[blocks.first_piece[line.block] : blocks.last_piece[line.block]] = True
    return gone
