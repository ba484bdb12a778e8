"""What is shown beside what was selected: captions, headline, lead picture, given pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from winnow.document.arrays import Ints
from winnow.document.document import Document
from winnow.document.render.article.figures import figures_of_captions
from winnow.document.render.selection import LABELS, Mask, Segments
from winnow.document.values import Label

_SHORTEST_NAME: Final = 6
"""Characters of a file's name that is looked for in tags: `a.png` is too common."""
_OPENING: Final = 20
"""Words of a text's headline and deck, above or below which its first picture stands."""


def with_captions(document: Document, segments: Segments) -> Segments:
    """The segments, and the captions of all figures of which something else is selected.

    O(pieces + captions x depth). What no browser shows of a caption, and images in it, stay out.
    """
    figures = figures_of_captions(document)
    if not figures:
        return segments
    is_selected = np.zeros(document.pieces.start.size, dtype=np.bool_)
    is_selected[segments.piece] = True
    is_caption = np.zeros(len(is_selected), dtype=np.bool_)
    for first, behind in _caption_ranges(document, figures, is_selected):
        is_caption[first:behind] = True
    added = (is_caption & ~is_selected & ~document.hidden & ~document.media).nonzero()[0]
    return with_pieces(document, segments, added.astype(np.int32)) if len(added) else segments


def _caption_ranges(
    document: Document, figures: Sequence[tuple[int, int]], is_selected: Mask
) -> Iterator[tuple[int, int]]:
    """The ranges of pieces of the captions whose figures hold other selected pieces."""
    elements = document.elements
    for caption, figure in figures:
        first, behind = int(elements.first_piece[caption]), int(elements.last_piece[caption])
        before = is_selected[elements.first_piece[figure] : first]
        after = is_selected[behind : elements.last_piece[figure]]
        if before.any() or after.any():
            yield first, behind


def with_pieces(document: Document, segments: Segments, added: Ints) -> Segments:
    """The segments and whole pieces that are none of them yet, as body."""
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


def with_headline(document: Document, segments: Segments) -> Segments:
    """The segments and, where none of them stands in an h1, the page's first that is shown."""
    heads = document.inside_tags("h1")
    if not heads.any() or heads[segments.piece].any():
        return segments
    elements, shown = document.elements, ~document.hidden & (document.piece_words > 0)
    for head in document.elements_named("h1"):
        inside = np.arange(elements.first_piece[head], elements.last_piece[head])
        if shown[inside].any():
            added = inside[~document.hidden[inside]].astype(np.int32)
            return with_pieces(document, segments, added)
    return segments


def with_lead(document: Document, segments: Segments, image: str) -> Segments:
    """The segments, and the picture that the page names as its own where it stands above them; amid
    them if there is no other.

    ``image`` is that picture's address ("" for none). It is looked for by its file's name; one that
    is only for sharing is in no page. O(images).
    """
    name = image.partition("#")[0].partition("?")[0].rpartition("/")[2]
    if len(name) < _SHORTEST_NAME or not len(segments):
        return segments
    found = np.fromiter(_pieces_of_image(document, name), dtype=np.int32)
    has_others = document.media[segments.piece].any()
    said = document.piece_words[segments.piece].cumsum()
    begun = min(int(said.searchsorted(_OPENING)), len(said) - 1)
    found = found[found <= segments.piece[begun if has_others else -1]]
    if not len(found) or np.isin(segments.piece, found).any():
        return segments
    return with_pieces(document, segments, found[-1 if has_others else 0 :][:1])


def _pieces_of_image(document: Document, name: str) -> Iterator[int]:
    """The pieces of the images whose tags hold a file's name and which a browser shows."""
    elements = document.elements
    for image in document.elements_named("img"):
        if document.markup.find(name, elements.open_start[image], elements.open_end[image]) < 0:
            continue
        first, behind = int(elements.first_piece[image]), int(elements.last_piece[image])
        if behind == first + 1 and not document.hidden[first]:
            yield first
