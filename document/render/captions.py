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


def with_captions(document: Document, kept: Segments) -> Segments:
    """The segments, and the captions of all figures of which something else is kept.

    O(pieces + captions x depth). What no browser shows of a caption, and images in it, stay out.
    """
    if not (captions := document.elements_named("figcaption")):
        return kept
    held = np.zeros(len(document.pieces), dtype=np.bool_)
    held[kept.piece] = True
    wanted = np.zeros_like(held)
    for first, behind in _wanted(document, held, captions):
        wanted[first:behind] = True
    added = np.flatnonzero(wanted & ~held & ~document.hidden & ~document.media)
    return _joined(document, kept, added.astype(np.int32)) if len(added) else kept


def _wanted(document: Document, held: Mask, captions: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The ranges of pieces of the captions whose figures hold more that is kept."""
    elements = document.elements
    for caption in captions:
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


def with_lead(document: Document, kept: Segments, image: str) -> Segments:
    """The segments; if no picture is among them, the one that the page names as its own too.

    ``image`` is that picture's address ("" for none). It is looked for by its file's name among the
    pictures before the end of the text; one that is only for sharing is in no page. O(images).
    """
    name = image.partition("#")[0].partition("?")[0].rpartition("/")[2]
    if len(name) < _SHORTEST_NAME or not len(kept) or document.media[kept.piece].any():
        return kept
    first = next((piece for piece in _named(document, name) if piece <= kept.piece[-1]), None)
    return kept if first is None else _joined(document, kept, np.array([first], dtype=np.int32))


def _named(document: Document, name: str) -> Iterator[int]:
    """The pieces of the images whose tags hold a file's name and which a browser shows."""
    elements = document.elements
    for image in document.elements_named("img"):
        if document.markup.find(name, elements.open_start[image], elements.open_end[image]) < 0:
            continue
        first, behind = int(elements.first_piece[image]), int(elements.last_piece[image])
        if behind == first + 1 and not document.hidden[first]:
            yield first
