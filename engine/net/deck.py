"""A text's deck: the sentence between headline and text by which the page describes itself."""

from __future__ import annotations

from typing import Final

import numpy as np

from winnow.document.arrays import NOTHING
from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.metadata.page_metadata import excerpt_of
from winnow.document.parsing import tags
from winnow.document.texts.short_texts import key_of

_MOST: Final = 16
"""Blocks before the text that are looked at."""
_SHORTEST, _LONGEST = 30, 300
"""Letters that must be those of the description, and how many are compared."""
_HEADLINE: Final = tags.CODES["h1"]


def deck_of(document: Document, kept: Mask) -> Mask:
    """The pieces of the block right before the kept text, and behind a headline there, that says
    what the page declares as its description; which pages cut off."""
    excerpt = excerpt_of(document)
    if len(excerpt) < _SHORTEST:
        return NOTHING
    found, text = np.zeros_like(kept), (kept & (document.piece_words > 0)).nonzero()[0]
    described = key_of(excerpt.rstrip(".\u2026"))[:_LONGEST]
    if not len(text):
        return found
    blocks, elements = blocks_of(document), document.elements
    last = int(blocks.first_piece.searchsorted(text[0], side="right")) - 1
    heads = elements.first_piece[elements.tag == _HEADLINE]
    headline = heads[heads <= text[0]].max(initial=-1)
    for block in range(last - 1, max(last - _MOST, 0) - 1, -1):
        first, behind = int(blocks.first_piece[block]), int(blocks.last_piece[block])
        if first <= headline:
            break
        said = key_of(document.plain(int(blocks.start[block]), int(blocks.end[block])))
        if said.startswith(described) and not blocks.hidden[block]:
            found[first:behind] = True
            break
    return found
