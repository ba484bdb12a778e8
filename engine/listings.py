"""Listings stay where the text right before and right behind them does: code is part of it."""

from __future__ import annotations

import numpy as np

from winnow.document.document import Document, Mask


def listings_between(document: Document, kept: Mask) -> Mask:
    """The pieces of each ``<pre>`` of which nothing is kept, between kept text; O(pieces) where
    there is any."""
    added = np.zeros_like(kept)
    listings = document.elements_named("pre")
    if not listings:
        return added
    shown = ~document.hidden
    texts = np.flatnonzero(shown & (document.piece_words > 0) & ~document.inside_tags("pre"))
    first, behind = document.elements.first_piece, document.elements.last_piece
    for listing in listings:
        inside = slice(int(first[listing]), int(behind[listing]))
        after = int(texts.searchsorted(inside.start))
        beside = texts[max(after - 1, 0) : after + 1]
        if 0 < after < len(texts) and kept[beside].all() and not kept[inside].any():
            added[inside] = shown[inside]
    return added
