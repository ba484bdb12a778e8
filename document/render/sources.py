"""Kept segments as markup: the page's own where nothing was cut. Knows escapes; no elements."""

from __future__ import annotations

from html import escape

import numpy as np

from document.document import Document, Mask
from document.render.kept import Segments


class Sources:
    """The markup of each segment of ``kept``, which are numbered from 0."""

    def __init__(self, document: Document, kept: Segments) -> None:
        pieces = document.pieces
        self._markup, self._text = document.markup, document.text
        raw = document.inside_tags("xmp plaintext")[kept.piece]
        self._raw = frozenset(np.flatnonzero(raw).tolist())
        self.cut: Mask = raw | (kept.start != pieces.start[kept.piece])
        """Which are not as they stand in the page's markup; shape (k,)."""
        self.cut |= kept.end != pieces.end[kept.piece]
        self._cut = self.cut.tolist()
        self._bounds = list(
            zip(
                pieces.source_start[kept.piece].tolist(),
                pieces.source_end[kept.piece].tolist(),
                kept.start.tolist(),
                kept.end.tolist(),
                strict=True,
            )
        )

    def __getitem__(self, segment: int) -> str:
        """Escaped text: a whole piece with its white space as it stands, a part of one without."""
        source_start, source_end, start, end = self._bounds[segment]
        if not self._cut[segment]:
            return self._markup[source_start:source_end]
        if segment in self._raw:  # the serialiser did not escape it
            return escape(self._markup[source_start:source_end], quote=False)
        return escape(self._text[start:end], quote=False)
