"""Kept segments as markup: the page's own where nothing was cut. Knows escapes; no elements."""

from __future__ import annotations

from html import escape

import numpy as np

from winnow.document.document import Document, Mask
from winnow.document.render.selection import Segments


def is_cut(document: Document, kept: Segments) -> Mask:
    """Which segments are not as they stand in the page's markup; shape (k,)."""
    pieces = document.pieces
    cut: Mask = kept.start != pieces.start[kept.piece]
    cut |= kept.end != pieces.end[kept.piece]
    cut |= _is_raw(document, kept)
    return cut


class SegmentMarkup:
    """The markup of each segment of ``kept``, which are numbered from 0."""

    def __init__(self, document: Document, kept: Segments) -> None:
        pieces = document.pieces
        self._markup, self._text = document.markup, document.text
        self._rows = list(
            zip(
                is_cut(document, kept).tolist(),
                _is_raw(document, kept).tolist(),
                pieces.source_start[kept.piece].tolist(),
                pieces.source_end[kept.piece].tolist(),
                kept.start.tolist(),
                kept.end.tolist(),
                strict=True,
            )
        )

    def __getitem__(self, segment: int) -> str:
        """Escaped text: a whole piece with its white space as it stands, a part of one without."""
        is_cut, is_raw, source_start, source_end, start, end = self._rows[segment]
        if not is_cut:
            return self._markup[source_start:source_end]
        if is_raw:  # the serialiser did not escape it
            return escape(self._markup[source_start:source_end], quote=False)
        return escape(self._text[start:end], quote=False)


def cut_ones(document: Document, kept: Segments, cut: Mask) -> dict[int, str]:
    """The markup of those segments that are cut (``is_cut``), by their index."""
    if not cut.any():
        return {}
    sources = SegmentMarkup(document, kept)
    return {index: sources[index] for index in np.flatnonzero(cut).tolist()}


def _is_raw(document: Document, kept: Segments) -> Mask:
    return document.inside_tags("xmp")[kept.piece]
