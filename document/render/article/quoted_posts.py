"""Posts of other sites that a text quotes: what a script would replace by a frame."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing.signature import needs
from winnow.document.render.added_pieces import with_pieces
from winnow.document.render.selection import Segments

POST: Final = re.compile(
    r"(?:^| )(?:twitter-(?:tweet|video)|instagram-media|tiktok-embed|bluesky-embed|mastodon-embed"
    r"|reddit-embed-bq|fb-post|text-post-media)(?: |$)"
)
"""Classes of the quotations that the sites' scripts look for."""


@needs("blockquote")
def with_quoted_posts(document: Document, segments: Segments) -> Segments:
    """The segments, and the posts that are quoted right before or behind one. O(pieces)."""
    elements, shown = document.elements, ~document.hidden & ~document.media
    speaking = ((document.piece_words > 0) & shown).nonzero()[0]
    is_selected, added = np.zeros((2, len(shown)), dtype=np.bool_)
    is_selected[segments.piece] = True
    for quotation in document.elements_named("blockquote"):
        if not POST.search(document.attributes_of(quotation).get("class", "")):
            continue
        first, behind = int(elements.first_piece[quotation]), int(elements.last_piece[quotation])
        at, after = (int(edge) for edge in speaking.searchsorted((first, behind)))
        beside = speaking[[edge for edge in (at - 1, after) if 0 <= edge < len(speaking)]]
        if (is_selected[beside] | added[beside]).any():
            added[first:behind] = shown[first:behind]
    missing = (added & ~is_selected).nonzero()[0].astype(np.int32)
    return with_pieces(document, segments, missing) if len(missing) else segments
