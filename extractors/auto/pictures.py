"""Pictures that belong to the blocks kept.

The model judges by words, of which a picture has none; but a figure in the middle of what is kept,
or between the headline and it, is part of what is read. An image is none of it right behind text
that is left out, nor where the texts kept on both sides are doubtful: it belongs to what is not
kept. This is the definition; ``_decision.c``, where it could be built, finds the same pieces.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs

_compiled: Any = optional_module("winnow.extractors.auto._decision")

CAPTION: Final = 60
"""Words that a figure's caption has at most; more is a text of its own, and is left to the
model."""
LEAD: Final = 40
"""Pieces from the headline to the text at most, for what is between to be the lead."""
ASIDE: Final = 20
"""Words left out on either side of a picture together, for it to stand in the kept text still."""
APART: Final = 3
"""Words left out right before an image at most."""
DOUBTFUL: Final = 0.5
"""The chance of the likelier of the kept texts beside an image from which on it stays."""
_ASKED: Final = ("figure", "a", "h1", "img")
_ROLES: Final = np.sum(
    [tags.table_of(name).astype(np.uint8) << bit for bit, name in enumerate(_ASKED)],
    axis=0,
    dtype=np.uint8,
)
"""What the compiled loop asks of a tag code, a bit each, in its order."""
Numbers = npt.NDArray[Any]


def _with_pictures_compiled(document: Document, is_content: Mask, chances: Numbers) -> Mask:
    elements, kept = document.elements, is_content.copy()
    _compiled.pictures(
        elements.tag, elements.first_piece, elements.last_piece, _ROLES,
        document.media, document.hidden, document.linked, document.piece_words, chances,
        DOUBTFUL, kept,
    )  # fmt: skip
    return kept


def with_pictures_in_python(document: Document, is_content: Mask, chances: Numbers) -> Mask:
    """The kept pieces, the figures among them and the pictures that stand alone, without images of
    text that is left out or doubtful; ``chances``: of each piece being content, both (pieces,)."""
    found = with_figures(document, is_content)
    texts = np.flatnonzero(is_content & (document.piece_words > 0))
    if len(texts):
        missing = np.where(is_content | document.hidden, 0, document.piece_words)
        dropped = np.append(0, np.cumsum(missing, dtype=np.int64))
        found[_lone(document, texts, dropped)] = True
        found[_of_others(document, texts, dropped, chances)] = False
    return found


with_pictures = needs(*"img video audio object embed svg math canvas iframe".split())(
    loop(_compiled and _with_pictures_compiled, with_pictures_in_python)
)


def _lone(document: Document, texts: Numbers, dropped: Numbers) -> Numbers:
    """Pictures between kept texts with little left out around them, but not in one link with such:
    it leads to their subject. ``dropped``: the words before each piece that are left out."""
    lone = np.flatnonzero(document.media & ~document.hidden)
    behind = texts.searchsorted(lone)
    inside = (behind > 0) & (behind < len(texts))
    lone, behind = lone[inside], behind[inside]
    near: Numbers = lone[dropped[texts[behind]] - dropped[texts[behind - 1]] <= ASIDE]
    links = np.flatnonzero(document.elements.tag == tags.CODES["a"])
    first, last = document.elements.first_piece[links], document.elements.last_piece[links]
    leads_away = document.inside(links[dropped[last] > dropped[first]])
    return near[~leads_away[near]]


def _of_others(document: Document, texts: Numbers, dropped: Numbers, chances: Numbers) -> Numbers:
    """The images in no figure right behind text that is left out, or beside doubtful text alone."""
    images = document.elements.first_piece[document.elements_named("img")]
    images = images[~document.inside_tags("figure")[images]]
    behind = texts.searchsorted(images)
    is_led, goes_on = behind > 0, behind < len(texts)
    before, after = texts[behind - 1], texts[np.minimum(behind, len(texts) - 1)]
    is_apart = is_led & (dropped[images] - dropped[before] > APART)
    best = np.maximum(chances[before] * is_led, chances[after] * goes_on)
    found: Numbers = images[is_apart | (best < DOUBTFUL)]
    return found


def with_figures(document: Document, is_content: Mask) -> Mask:
    """The kept pieces and the pictures of the figures among them; shape (pieces,).

    The caption is left to the model: the gold of most packages leaves captions out, and taking
    them in cost 1.7 points of word F1 on fundus-publishers.
    """
    chosen = np.flatnonzero(is_content)
    if not len(chosen):
        return is_content
    first, last = _lead(document, int(chosen[0])), int(chosen[-1])
    elements = document.elements
    found = is_content.copy()
    for figure in document.elements_named("figure"):
        inside = slice(int(elements.first_piece[figure]), int(elements.last_piece[figure]))
        if first <= inside.start and inside.stop - 1 <= last and _is_picture(document, inside):
            found[inside] |= document.media[inside] & ~document.hidden[inside]
    return found


def _lead(document: Document, first: int) -> int:
    """Where the text begins with its lead: behind the headline that stands shortly before it."""
    elements = document.elements
    ends = elements.last_piece[elements.tag == tags.CODES["h1"]]
    before = ends[(ends <= first) & (ends >= first - LEAD)]
    return int(before.max()) if len(before) else first


def _is_picture(document: Document, inside: slice) -> bool:
    """Whether pieces are a picture with a caption, and no link to another page."""
    has_media = bool(document.media[inside].any())
    words = document.piece_words[inside]
    linked = int(words[document.linked[inside]].sum())
    every = int(words.sum())
    return has_media and every <= CAPTION and not 0 < every == linked
