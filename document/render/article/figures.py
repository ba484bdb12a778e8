"""The figure of each caption: a ``<figure>``, or what a page writes in its place (HTML, 4.4.12)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from winnow.document.arrays import Numbers, prefix_sums
from winnow.document.document import Document, once
from winnow.document.parsing import start_tags, tags
from winnow.document.parsing.signature import needs

_FIGURE: Final = tags.CODES["figure"]
_STANDS_FOR_FIGURE: Final = tags.table_of("div section span button p aside li")
_DEEP: Final = 4
"""Elements around a caption outside of a figure, among which its figure is looked for."""
_WORDS: Final = 20
"""Words of such a figure beside its caption, of buttons and credits; more are a text."""
_MAY_BE_CAPTION: Final = tags.table_of("p div span dd small em")
_NAME: Final = re.compile(
    r"(?:(?:image|img|photo|picture|pic|media|figure|fig|article|story|inline|thumb)[-_]*)?"
    r"caption(?:[-_]*(?:text|body|copy|content|inner))?"
    r"|wp-caption-(?:text|dd)",
    re.IGNORECASE,
)
"""The class of a caption, whole; ``wp-caption`` is the figure's."""
_MARK: Final = "aption"
"""What every such class holds."""
_NO_CAPTION: Final = "h1 h2 h3 h4 h5 h6 ul ol table form button select textarea"
_ADVERTISES: Final = re.compile(
    r"\W*(?:advertisements?|sponsored|anzeige|werbung|publicit[eé]|publicidade?|реклама|reklama)\W*",
    re.IGNORECASE,
)
"""All the words of what stands over an advertisement, and is no caption."""
_LONGEST: Final = 120
"""Words of a caption that only its class names; more are a text."""


@needs("figcaption", _MARK, absent=())
@once
def figures_of_captions(document: Document) -> tuple[tuple[int, int], ...]:
    """Each caption and its figure, which holds the picture; captions of none are left out.

    A caption is a ``<figcaption>``, or what a class names so. O(captions x depth + classes).
    """
    return tuple(_figures(document))


def _figures(document: Document) -> Iterator[tuple[int, int]]:
    captions, last = _captions(document), document.elements.last
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


def _captions(document: Document) -> list[int]:
    """All captions in document order, none within another."""
    found: list[int] = []
    behind = 0
    for element in sorted((*document.elements_named("figcaption"), *_named(document))):
        if element >= behind:
            found.append(element)
            behind = int(document.elements.last[element])
    return found


def _named(document: Document) -> Iterator[int]:
    """Elements of words alone whose class says that they are captions."""
    elements, markup = document.elements, document.markup
    among = (_MAY_BE_CAPTION[elements.tag] & (elements.class_end > elements.class_start)).nonzero()
    starts, ends = elements.class_start[among], elements.class_end[among]
    for index in start_tags.holding(markup, starts, ends, (_MARK,)):
        names = markup[starts[index] : ends[index]].split()
        element = int(among[0][index])
        if any(map(_NAME.fullmatch, names)) and _is_caption(document, element):
            yield element


def _is_caption(document: Document, element: int) -> bool:
    """Whether a so named element has a few words and no picture, heading, list or control."""
    first, behind = document.elements.first_piece[element], document.elements.last_piece[element]
    other = document.media[first:behind] | document.inside_tags(_NO_CAPTION)[first:behind]
    words = int(document.piece_words[first:behind].sum())
    if other.any() or not 0 < words <= _LONGEST:
        return False
    pieces = document.pieces
    text = document.text[pieces.start[first] : pieces.end[behind - 1]]
    return _ADVERTISES.fullmatch(text) is None


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
