"""Kept segments as markup: the page's own where nothing was cut. Knows escapes; no elements."""

from __future__ import annotations

from html import escape

from document.document import Document
from document.render.kept import Segments


class Sources:
    """The markup of each segment of ``kept``, which are numbered from 0."""

    def __init__(self, document: Document, kept: Segments) -> None:
        pieces = document.pieces
        whole = (kept.start == pieces.start[kept.piece]) & (kept.end == pieces.end[kept.piece])
        raw = document.inside_tags("xmp plaintext")[kept.piece]
        self._markup, self._text = document.markup, document.text
        self._rows = list(
            zip(
                whole.tolist(),
                raw.tolist(),
                pieces.source_start[kept.piece].tolist(),
                pieces.source_end[kept.piece].tolist(),
                kept.start.tolist(),
                kept.end.tolist(),
                strict=True,
            )
        )

    def __getitem__(self, segment: int) -> str:
        """Escaped text: a whole piece with its white space as it stands, a part of one without."""
        is_whole, is_raw, source_start, source_end, start, end = self._rows[segment]
        if is_raw:  # the serialiser did not escape it
            return escape(self._markup[source_start:source_end], quote=False)
        if is_whole:
            return self._markup[source_start:source_end]
        return escape(self._text[start:end], quote=False)
