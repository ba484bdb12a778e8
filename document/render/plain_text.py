"""The kept text as plain text (interface.md, "Format of plain text"). Knows separators only."""

from __future__ import annotations

from winnow.document import tags
from winnow.document.document import Document
from winnow.document.render.selection import Segments


def text_of(document: Document, kept: Segments) -> str:
    """The segments joined by the separators between them; images and formulas leave nothing."""
    media = document.media[kept.piece].tolist()
    verbatim = document.inside_tags("pre listing xmp plaintext")[kept.piece].tolist()
    parts: list[str] = []
    widest = tags.INLINE
    for index, (start, end, gap) in enumerate(
        zip(kept.start.tolist(), kept.end.tolist(), kept.gap.tolist(), strict=True)
    ):
        widest = max(widest, gap)
        if media[index]:
            continue
        part = document.text[start:end]
        parts += (tags.SEPARATORS[widest], part if verbatim[index] else part.strip())
        widest = tags.INLINE
    return "".join(parts[1:]).strip("\n")
