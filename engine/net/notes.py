"""A note stays with its mark: ``<a href="#note-1">1</a>`` in the text, ``id="note-1"`` below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

import numpy as np

from winnow.document.arrays import NOTHING, Mask, prefix_sums
from winnow.document.document import Document
from winnow.document.parsing import start_tags
from winnow.document.parsing.signature import needs

_MARK: Final = re.compile(r"[\[(^]{0,2}(?:\d{1,3}|[*\u2020\u2021\u00a7a-z])[\])]{0,2}")
"""What a mark says: a number, a letter or a sign, in brackets or not."""
_WITHIN: Final = ' href="#'
"""How an address within the page begins, in serialised markup."""
_LONGEST: Final = 120
"""Words of a note."""
_ELSEWHERE: Final = "aside nav footer header form"


@needs(_WITHIN, absent=NOTHING)
def notes_of(document: Document, kept: Mask) -> Mask:
    """The pieces of the notes that marks in the kept text lead to. O(elements) where there are any.

    A note is the element of the mark's target, or what the target stands alone in.
    """
    found = np.zeros_like(kept)
    targets = frozenset(_targets(document, kept))
    elements = document.elements
    notes = start_tags.with_word(document.markup, elements.id_start, elements.id_end, targets)
    aside = document.inside_tags(_ELSEWHERE)
    for note in notes:
        first, behind = _pieces_of(document, note)
        shown = ~document.hidden[first:behind] & ~aside[first:behind]
        words = int(document.piece_words[first:behind][shown].sum())
        if 0 < words <= _LONGEST and not kept[first:behind].any():
            found[first:behind] = shown
    return found


def _targets(document: Document, kept: Mask) -> Iterator[str]:
    """The ids that marks in the kept text lead to."""
    elements, pieces = document.elements, document.pieces
    first, last = elements.first_piece, elements.last_piece
    links, before = np.array(document.elements_named("a"), dtype=np.int32), prefix_sums(kept)
    starts, ends = elements.open_start[links], elements.open_end[links]
    links = links[start_tags.holding(document.markup, starts, ends, (_WITHIN,))]
    for link in links[before[last[links]] > before[first[links]]]:
        start, end = pieces.start[first[link]], pieces.end[last[link] - 1]
        if _MARK.fullmatch(document.text[start:end].strip()):
            target = document.attributes_of(link, {"href"}).get("href", "")
            if target.startswith("#") and len(target) > 1:
                yield unquote(target[1:])


def _pieces_of(document: Document, note: int) -> tuple[int, int]:
    """The pieces of a note: those of its element, or of the line that an empty target begins."""
    elements = document.elements
    if elements.first_piece[note] == elements.last_piece[note] or document.name_of(note) == "a":
        note = int(elements.parent[note])
    return int(elements.first_piece[note]), int(elements.last_piece[note])
