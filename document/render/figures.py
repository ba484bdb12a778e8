"""The figure of each caption: a ``<figure>``, or what a page writes in its place (HTML, 4.4.12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from winnow.document import tags
from winnow.document.document import Document

_FIGURE: Final = tags.CODES["figure"]
_STANDS_FOR_FIGURE: Final = tags.table_of("div section span button p aside li")
_DEEP: Final = 4
"""Elements around a caption outside of a figure, among which its figure is looked for."""
_WORDS: Final = 20
"""Words of such a figure beside its caption, of buttons and credits; more are a text."""


def figures_of_captions(document: Document) -> Iterator[tuple[int, int]]:
    """Each ``<figcaption>`` and its figure, which holds the picture; captions of none are left out.

    O(captions x depth).
    """
    captions, last = document.elements_named("figcaption"), document.elements.last
    parent, tag = document.elements.parent, document.elements.tag
    for caption in captions:
        figure = int(parent[caption])
        while figure >= 0 and tag[figure] != _FIGURE:
            figure = int(parent[figure])
        if figure < 0:
            figure = _in_place_of_figure(document, caption)
            others = (other for other in captions if figure < other < last[figure])
            if figure < 0 or any(other != caption for other in others):
                continue
        yield caption, figure


def _in_place_of_figure(document: Document, caption: int) -> int:
    """The nearest element around a caption that holds a picture and hardly a word, or -1."""
    elements, around = document.elements, caption
    first, behind = int(elements.first_piece[caption]), int(elements.last_piece[caption])
    said = int(document.piece_words[first:behind].sum())
    for _ in range(_DEEP):
        around = int(elements.parent[around])
        if around < 0 or not _STANDS_FOR_FIGURE[elements.tag[around]]:
            return -1
        low, high = int(elements.first_piece[around]), int(elements.last_piece[around])
        if int(document.piece_words[low:high].sum()) - said > _WORDS:
            return -1
        if np.r_[document.media[low:first], document.media[behind:high]].any():
            return around
    return -1
