"""Pictures that belong to the text around them. Knows figures and headings; no model.

The model judges by words, of which a picture has none and a caption few; but a figure that stands
in the middle of what is kept, or between the headline and it, is part of what is read.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from winnow.document import tags
from winnow.document.document import Document, Mask

CAPTION: Final = 60
"""Words that a figure's caption has at most; more is a text of its own, and the model's affair."""
LEAD: Final = 40
"""Pieces from the headline to the text at most, for what is between to be the lead."""


ASIDE: Final = 20
"""Words left out on either side of a picture together, for it to stand in the kept text still."""


def with_pictures(document: Document, kept: Mask) -> Mask:
    """The kept pieces, the figures among them and the pictures that stand alone; (pieces,)."""
    return _with_lone_ones(document, with_figures(document, kept))


def _with_lone_ones(document: Document, kept: Mask) -> Mask:
    """Pictures between kept words with little left out around them: credits and buttons.

    A picture in one link with words that were left out leads to what these words tell of.
    """
    missing = ~(document.hidden | kept)
    lone = np.flatnonzero(document.media & missing)
    said = np.flatnonzero(kept & (document.piece_words > 0)) if len(lone) else lone
    if not len(said):
        return kept
    dropped = np.zeros(len(kept) + 1, dtype=np.int64)
    np.cumsum(document.piece_words * missing, out=dropped[1:])
    behind = said.searchsorted(lone)
    inside = (behind > 0) & (behind < len(said))
    lone, behind = lone[inside], behind[inside]
    near = lone[dropped[said[behind]] - dropped[said[behind - 1]] <= ASIDE]
    links = np.flatnonzero(document.elements.tag == tags.CODES["a"])
    first, last = document.elements.first_piece[links], document.elements.last_piece[links]
    leads_away = document.inside(links[dropped[last] > dropped[first]])
    found = kept.copy()
    found[near[~leads_away[near]]] = True
    return found


def with_figures(document: Document, kept: Mask) -> Mask:
    """The kept pieces and the pictures of the figures among them; shape (pieces,).

    The caption stays the model's affair: the gold of most packages leaves captions out, and taking
    them in cost 1.7 points of word F1 on fundus-publishers.
    """
    chosen = np.flatnonzero(kept)
    if not len(chosen):
        return kept
    first, last = _lead(document, int(chosen[0])), int(chosen[-1])
    elements = document.elements
    found = kept.copy()
    for figure in document.elements_named("figure"):
        inside = slice(int(elements.first_piece[figure]), int(elements.last_piece[figure]))
        if first <= inside.start and inside.stop - 1 <= last and _is_picture(document, inside):
            found[inside] |= document.media[inside] & ~document.hidden[inside]
    return found


def _lead(document: Document, first: int) -> int:
    """Where the text begins with its lead: behind the headline that stands shortly before it."""
    elements = document.elements
    ends = elements.last_piece[elements.tag == tags.CODES["h1"]]
    before = ends[(ends <= first) & (ends >= first - LEAD)]
    return int(before.max()) if len(before) else first


def _is_picture(document: Document, inside: slice) -> bool:
    """Whether pieces are a picture with a caption, and no link to another page."""
    has_media = bool(document.media[inside].any())
    words = document.piece_words[inside]
    linked = int(words[document.linked[inside]].sum())
    every = int(words.sum())
    return has_media and every <= CAPTION and not 0 < every == linked
