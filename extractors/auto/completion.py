"""Tables, lists, code and pictures that belong to the blocks kept.

The model judges by words, of which a picture has none and a cell few; but a figure in the middle
of what is kept, or between the headline and it, is part of what is read; so is a table's rest. This
is the definition; ``_decision.c``, where it could be built, finds the same pieces.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.compiled import loop, optional_module
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags

_compiled: Any = optional_module("winnow.extractors.auto._decision")

Row = npt.NDArray[Any]

MOSTLY: Final = 0.5
"""The share of its words that must be kept for a thing to be kept whole."""
LIKELY: Final = 0.25
"""The mean chance of its dropped words from which a thing is not against being kept.

Lower, and word F1 falls: the gold of some pages leaves all code out.
"""
LINKS: Final = 0.5
"""The share of linked words above which a thing leads elsewhere."""
LONG_LIST: Final = 200
"""Words of a list beyond which it may be the page's frame, and is left to the model."""
CELL: Final = 20
"""Words a cell beyond which a table only lays out."""

_THING: Final = tags.table_of("table pre ul ol")
_LIST: Final = tags.table_of("ul ol")


_ROLES: Final = np.sum(
    [
        tags.table_of(names).astype(np.uint8) << bit
        for bit, names in enumerate(("table", "ul ol", "pre", "tr", "td th", "figure", "a", "h1"))
    ],
    axis=0,
    dtype=np.uint8,
)
"""What the compiled loop asks of a tag code, a bit each, in its order."""


def _kept_pieces_compiled(
    document: Document, blocks: Blocks, is_content: Mask, chances: Row
) -> Mask:
    size, elements = blocks.last_piece - blocks.first_piece, document.elements
    kept = is_content.repeat(size)
    _compiled.complete(
        elements.tag, elements.first_piece, elements.last_piece, elements.last, _ROLES,
        document.media, document.hidden, document.linked, document.piece_words,
        chances.repeat(size), kept,
    )  # fmt: skip
    return kept


def kept_pieces_in_python(
    document: Document, blocks: Blocks, is_content: Mask, chances: Row
) -> Mask:
    """The pieces of the blocks kept, of things kept for the most part, and pictures; (pieces,).

    ``is_content``: of each block whether it is kept, ``chances``: how likely it is content.
    """
    size = blocks.last_piece - blocks.first_piece
    whole = completed(document, np.repeat(is_content, size), np.repeat(chances, size))
    return with_pictures(document, whole)


kept_pieces = loop(_compiled and _kept_pieces_compiled, kept_pieces_in_python)


def completed(document: Document, is_content: Mask, chances: Row) -> Mask:
    """The kept pieces, and the rest of the tables, lists and code they belong to; (pieces,).

    ``chances``: of each piece, how likely it is content. A list must be kept for the most part: one
    between two paragraphs is too often a menu. O(pieces + elements).
    """
    things = np.flatnonzero(_THING[document.elements.tag])
    if not len(things):
        return is_content
    every, missing, linked, likely = _words_inside(document, things, is_content, chances)
    is_list = _LIST[document.elements.tag[things]]
    may_stay = (missing > 0) & (likely >= LIKELY * missing) & (linked <= LINKS * every)
    is_mostly = (missing <= (1 - MOSTLY) * every) & ~(is_list & (every > LONG_LIST))
    wanted = may_stay & (is_mostly | (~is_list & _is_between(document, things, is_content)))
    whole = [thing for thing in things[wanted].tolist() if not _lays_out(document, thing)]
    if not whole:
        return is_content
    found: Mask = is_content | (document.inside(np.array(whole)) & ~document.hidden)
    return found


def _words_inside(document: Document, things: Row, is_content: Mask, chances: Row) -> Row:
    """What is shown inside each thing: words, those left out, linked ones, and what the chances of
    those left out come to; shape (4, things)."""
    shown = np.where(document.hidden, 0, document.piece_words)
    missing = np.where(is_content, 0, shown)
    before = np.zeros((4, len(shown) + 1))
    rows = (shown, missing, shown * document.linked, missing * chances)
    np.cumsum(rows, axis=1, out=before[:, 1:])
    elements = document.elements
    found: Row = before[:, elements.last_piece[things]] - before[:, elements.first_piece[things]]
    return found


def _is_between(document: Document, things: Row, is_content: Mask) -> Mask:
    """Whether the nearest words shown before and behind each thing are kept; (things,)."""
    speaking = np.flatnonzero((document.piece_words > 0) & ~document.hidden)
    with_words = np.concatenate([[False], is_content[speaking], [False]])
    elements = document.elements
    before = with_words[np.searchsorted(speaking, elements.first_piece[things])]
    found: Mask = before & with_words[np.searchsorted(speaking, elements.last_piece[things]) + 1]
    return found


def _lays_out(document: Document, thing: int) -> bool:
    """Whether a table shows no data: one row or column, long cells, or a table inside."""
    elements = document.elements
    if elements.tag[thing] != tags.CODES["table"]:
        return False
    inner = elements.tag[thing + 1 : elements.last[thing]]
    rows, cells, nested = (int(tags.table_of(names)[inner].sum()) for names in _PARTS)
    pieces = slice(int(elements.first_piece[thing]), int(elements.last_piece[thing]))
    words = int(document.piece_words[pieces].sum())
    return nested > 0 or rows < 2 or cells < 2 * rows or words > CELL * cells


_PARTS: Final = ("tr", "td th", "table")


CAPTION: Final = 60
"""Words that a figure's caption has at most; more is a text of its own, and is left to the
model."""
LEAD: Final = 40
"""Pieces from the headline to the text at most, for what is between to be the lead."""


ASIDE: Final = 20
"""Words left out on either side of a picture together, for it to stand in the kept text still."""


def with_pictures(document: Document, is_content: Mask) -> Mask:
    """The kept pieces, the figures among them and the pictures that stand alone; (pieces,)."""
    return _with_lone_ones(document, with_figures(document, is_content))


def _with_lone_ones(document: Document, is_content: Mask) -> Mask:
    """Pictures between kept words with little left out around them: credits and buttons.

    A picture in one link with words that were left out leads to their subject.
    """
    missing = ~(document.hidden | is_content)
    lone = np.flatnonzero(document.media & missing)
    with_words = np.flatnonzero(is_content & (document.piece_words > 0)) if len(lone) else lone
    if not len(with_words):
        return is_content
    dropped = np.zeros(len(is_content) + 1, dtype=np.int64)
    np.cumsum(document.piece_words * missing, out=dropped[1:])
    behind = with_words.searchsorted(lone)
    inside = (behind > 0) & (behind < len(with_words))
    lone, behind = lone[inside], behind[inside]
    near = lone[dropped[with_words[behind]] - dropped[with_words[behind - 1]] <= ASIDE]
    links = np.flatnonzero(document.elements.tag == tags.CODES["a"])
    first, last = document.elements.first_piece[links], document.elements.last_piece[links]
    leads_away = document.inside(links[dropped[last] > dropped[first]])
    found = is_content.copy()
    found[near[~leads_away[near]]] = True
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
