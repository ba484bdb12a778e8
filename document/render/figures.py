"""The figure of each caption: a ``<figure>``, or what a page writes in its place (HTML, 4.4.12)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from winnow.document import tags
from winnow.document.arrays import Numbers, prefix_sums
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
    if not captions:
        return
    words, media = prefix_sums(document.piece_words), prefix_sums(document.media)
    for caption in captions:
        figure = int(parent[caption])
        while figure >= 0 and tag[figure] != _FIGURE:
            figure = int(parent[figure])
        if figure < 0:
            figure = _in_place_of_figure(document, caption, words, media)
            inside = bisect_left(captions, last[figure]) - bisect_left(captions, figure)
            if figure < 0 or inside > 1:
                continue
        yield caption, figure


def _in_place_of_figure(document: Document, caption: int, words: Numbers, media: Numbers) -> int:
    """The nearest element around a caption that holds a picture and hardly a word, or -1.

    ``words``, ``media``: how many there are before each piece.
    """
    elements, around = document.elements, caption
    first, behind = elements.first_piece[caption], elements.last_piece[caption]
    for _ in range(_DEEP):
        around = int(elements.parent[around])
        if around < 0 or not _STANDS_FOR_FIGURE[elements.tag[around]]:
            return -1
        low, high = elements.first_piece[around], elements.last_piece[around]
        if words[high] - words[low] - (words[behind] - words[first]) > _WORDS:
            return -1
        if media[high] - media[low] > media[behind] - media[first]:
            return around
    return -1
