"""The box of facts beside an article of an encyclopaedia, which methods take for a layout."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing import start_tags, tags
from winnow.document.parsing.signature import needs
from winnow.document.render.added_pieces import with_pieces
from winnow.document.render.selection import Segments
from winnow.document.texts.short_texts import text_inside

_CLASS: Final = re.compile(r"(?:^|\s)(?:portable-)?infobox(?:$|[\s_-])")
_BOXES: Final = tags.table_of("table aside div section dl")
_LEAST: Final = 6
"""Words: a smaller box is a remark."""
_SELECTED: Final = 0.2
"""Where more of its words are selected, the box stands in the text."""
_LONGEST_NAME: Final = 80


@needs("infobox", absent=None)
def infobox_of(document: Document, segments: Segments) -> tuple[str, Segments] | None:
    """The name and the pieces of the first box that the segments leave out; None without one.

    O(markup); of a page that names such a box, O(pieces).
    """
    found = start_tags.standing(document.markup, "infobox", 6)
    elements, offsets = document.elements, np.array(found, dtype=np.int32)
    owners = elements.open_start.searchsorted(offsets, side="right") - 1
    owners = owners[(owners >= 0) & (offsets < elements.open_end[owners])]
    is_selected = np.zeros(len(document.pieces), dtype=np.bool_)
    is_selected[segments.piece] = True
    for box in dict.fromkeys(owners[_BOXES[elements.tag[owners]]].tolist()):
        inside = np.arange(elements.first_piece[box], elements.last_piece[box], dtype=np.int32)
        inside = inside[~document.hidden[inside]]
        words = document.piece_words[inside].sum()
        selected = document.piece_words[inside[is_selected[inside]]].sum()
        is_named = _CLASS.search(document.attributes_of(box, {"class"}).get("class", ""))
        if is_named and words >= _LEAST and selected <= _SELECTED * words:
            none = segments.only(np.zeros(len(segments), dtype=np.bool_), document)
            return _name_of(document, box), with_pieces(document, none, inside)
    return None


def _name_of(document: Document, box: int) -> str:
    """Its caption or its first heading cell; "" if neither is short."""
    names = tags.table_of("caption th h2 h3")
    for element in range(box + 1, int(document.elements.last[box])):
        if names[document.elements.tag[element]]:
            name = text_inside(document, element)
            return name if len(name) <= _LONGEST_NAME else ""
    return ""
