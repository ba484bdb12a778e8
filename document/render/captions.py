"""Pictures with what belongs to them: captions, and the one that leads up to a text. No format.

Most gold texts leave captions out, and so do methods that learned from them; yet a picture whose
caption is gone is a picture without its meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.render.selection import LABELS, Mask, Segments
from winnow.document.scan import Ints
from winnow.document.values import Label

_FIGURE: Final = "figure"
_SHORTEST_NAME: Final = 6
"""Characters of a file's name that is looked for in tags: `a.png` is too common."""


def with_captions(document: Document, segments: Segments) -> Segments:
    """The segments, and the captions of all figures of which something else is selected.

    O(pieces + captions x depth). What no browser shows of a caption, and images in it, stay out.
    """
    if not (captions := document.elements_named("figcaption")):
        return segments
    is_selected = np.zeros(len(document.pieces), dtype=np.bool_)
    is_selected[segments.piece] = True
    is_caption = np.zeros_like(is_selected)
    for first, behind in _caption_ranges(document, is_selected, captions):
        is_caption[first:behind] = True
    added = np.flatnonzero(is_caption & ~is_selected & ~document.hidden & ~document.media)
    return _with_pieces(document, segments, added.astype(np.int32)) if len(added) else segments


def _caption_ranges(
    document: Document, is_selected: Mask, captions: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """The ranges of pieces of the captions whose figures hold other selected pieces."""
    elements = document.elements
    for caption in captions:
        figure = int(elements.parent[caption])
        while figure >= 0 and document.name_of(figure) != _FIGURE:
            figure = int(elements.parent[figure])
        if figure < 0:
            continue
        first, behind = int(elements.first_piece[caption]), int(elements.last_piece[caption])
        before = is_selected[elements.first_piece[figure] : first]
        after = is_selected[behind : elements.last_piece[figure]]
        if before.any() or after.any():
            yield first, behind


def _with_pieces(document: Document, segments: Segments, added: Ints) -> Segments:
    pieces, body = document.pieces, LABELS.index(Label.BODY)
    piece = np.concatenate([segments.piece, added])
    order = np.argsort(piece, kind="stable")
    found = Segments(
        piece[order],
        np.concatenate([segments.start, pieces.start[added]])[order],
        np.concatenate([segments.end, pieces.end[added]])[order],
        np.concatenate([segments.gap, np.zeros_like(added)])[order],
        np.concatenate([segments.label, np.full_like(added, body)])[order],
    )
    return found.only(np.ones(len(piece), dtype=np.bool_), document)


def with_lead(document: Document, segments: Segments, image: str) -> Segments:
    """The segments; if no picture is among them, the one that the page names as its own too.

    ``image`` is that picture's address ("" for none). It is looked for by its file's name among the
    pictures before the end of the text; one that is only for sharing is in no page. O(images).
    """
    name = image.partition("#")[0].partition("?")[0].rpartition("/")[2]
    if len(name) < _SHORTEST_NAME or not len(segments) or document.media[segments.piece].any():
        return segments
    first = next(
        (piece for piece in _pieces_of_image(document, name) if piece <= segments.piece[-1]), None
    )
    return (
        segments
        if first is None
        else _with_pieces(document, segments, np.array([first], dtype=np.int32))
    )


def _pieces_of_image(document: Document, name: str) -> Iterator[int]:
    """The pieces of the images whose tags hold a file's name and which a browser shows."""
    elements = document.elements
    for image in document.elements_named("img"):
        if document.markup.find(name, elements.open_start[image], elements.open_end[image]) < 0:
            continue
        first, behind = int(elements.first_piece[image]), int(elements.last_piece[image])
        if behind == first + 1 and not document.hidden[first]:
            yield first
