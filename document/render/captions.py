"""What stands below a picture goes with it: captions of kept figures. Knows pieces; no format.

Most gold texts leave captions out, and so do methods that learned from them; yet a picture whose
caption is gone is a picture without its meaning.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from document.document import Document
from document.render.kept import LABELS, Mask, Segments
from document.scan import Ints
from document.values import Label

_FIGURE = "figure"


def with_captions(document: Document, kept: Segments) -> Segments:
    """The segments, and the captions of all figures of which something else is kept.

    O(pieces + captions x depth). What no browser shows of a caption, and images in it, stay out.
    """
    held = np.zeros(len(document.pieces), dtype=np.bool_)
    held[kept.piece] = True
    wanted = np.zeros_like(held)
    for first, behind in _captions(document, held):
        wanted[first:behind] = True
    added = np.flatnonzero(wanted & ~held & ~document.hidden & ~document.media)
    return _joined(document, kept, added.astype(np.int32)) if len(added) else kept


def _captions(document: Document, held: Mask) -> Iterator[tuple[int, int]]:
    """The ranges of pieces of the captions whose figures hold more that is kept."""
    elements = document.elements
    for caption in document.elements_named("figcaption"):
        figure = int(elements.parent[caption])
        while figure >= 0 and document.name_of(figure) != _FIGURE:
            figure = int(elements.parent[figure])
        if figure < 0:
            continue
        first, behind = int(elements.first_piece[caption]), int(elements.last_piece[caption])
        before = held[elements.first_piece[figure] : first]
        after = held[behind : elements.last_piece[figure]]
        if before.any() or after.any():
            yield first, behind


def _joined(document: Document, kept: Segments, added: Ints) -> Segments:
    pieces, body = document.pieces, LABELS.index(Label.BODY)
    piece = np.concatenate([kept.piece, added])
    order = np.argsort(piece, kind="stable")
    found = Segments(
        piece[order],
        np.concatenate([kept.start, pieces.start[added]])[order],
        np.concatenate([kept.end, pieces.end[added]])[order],
        np.concatenate([kept.gap, np.zeros_like(added)])[order],
        np.concatenate([kept.label, np.full_like(added, body)])[order],
    )
    return found.only(np.ones(len(piece), dtype=np.bool_), document)
