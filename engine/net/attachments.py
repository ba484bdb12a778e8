"""Files to download and players that belong to what an extraction keeps, whatever the method."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from winnow.document.arrays import NOTHING
from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.engine.base.main_region import MainRegion

_FILE: Final = re.compile(
    r' download[ =>]| href="[^"?#]*\.(?i:pdf|csv|tsv|xlsx?|od[tsp]|docx?|rtf|pptx?|epub|mobi|zip|'
    r"t?gz|bz2|xz|7z|tar|mp3|ogg|oga|opus|wav|flac|m4a|mp4|m4v|webm|mov|avi|exe|msi|dmg|deb|rpm|apk|"
    r'iso|jar|ics|gpx)["?#]',
)
"""In the start tag of a link to a file."""
_SOURCE: Final = re.compile(r'<(?:video|audio|source)\b[^>]* src="[^"]')
_OFFERING: Final = tags.table_of("a video audio")
_ARTICLE, _LINK = tags.CODES["article"], tags.CODES["a"]
_ELSEWHERE: Final = "aside nav footer header dialog form"
_MOST_LINKS: Final = 500
_LONGEST: Final = 25
"""Words of a line that is kept whole with its link to a file."""
_APART: Final = 3
"""Blocks with words behind the text between which no file or player belongs to it any more."""


@needs("a", "video", "audio", absent=NOTHING)
def attachments(document: Document, kept: Mask) -> Mask:
    """The pieces of files and players amid the kept text and right behind it. O(elements).

    A file's are those of its line, if that is short; else its link's.
    """
    found, text = np.zeros(kept.size, dtype=np.bool_), kept & (document.piece_words > 0)
    for element in offered(document, MainRegion.around(document, text)):
        first, behind = _line(document, element)
        found[first:behind] = ~document.hidden[first:behind]
    return found


def offered(document: Document, around: MainRegion) -> Iterator[int]:
    """Links to files, and players with a source, in a region and right behind it, in order."""
    first, last = around.first, around.last - 1
    if last < first:
        return
    elements, blocks = document.elements, blocks_of(document)
    ends = elements.last_piece[(elements.tag == _ARTICLE) & (elements.first_piece <= first)]
    found = _OFFERING[elements.tag].nonzero()[0]
    begins, behinds = elements.first_piece[found], elements.last_piece[found]
    inside = (begins > first) & (behinds > begins)
    inside &= behinds <= ends[ends > last].min(initial=document.pieces.start.size)
    is_apart = document.inside_tags(_ELSEWHERE) | document.hidden
    found = found[inside]
    found = found[~is_apart[elements.first_piece[found]]][:_MOST_LINKS]
    edge, tag_of = last, elements.tag.data
    opens, closes = elements.open_start.data, elements.open_end.data
    if found.size and not _FILE.search(document.markup, opens[found[0]], closes[found[-1]]):
        found = found[elements.tag[found] != _LINK]
    for element in found.tolist():
        if tag_of[element] != _LINK:
            is_offer = has_source(document, element)
        else:
            is_offer = _FILE.search(document.markup, opens[element], closes[element]) is not None
        if not is_offer:
            continue
        at = int(elements.first_piece[element])
        if at > last:  # what offers nothing in between is part of the distance
            between = slice(*blocks.first_piece.searchsorted((edge + 1, at), side="left"))
            if int((blocks.words[between] > 0).sum()) > _APART:
                return
        edge = max(edge, _line(document, element)[1] - 1)
        yield element


def has_source(document: Document, element: int) -> bool:
    """Whether a player names what it plays; a script fills others."""
    elements = document.elements
    start, end = int(elements.open_start[element]), int(elements.close_end[element])
    return bool(_SOURCE.search(document.markup, start, end))


def _line(document: Document, element: int) -> tuple[int, int]:
    """The half-open range of pieces that is kept with a file or a player."""
    blocks, elements = blocks_of(document), document.elements
    first, behind = int(elements.first_piece[element]), int(elements.last_piece[element])
    block = int(blocks.first_piece.searchsorted(first, side="right")) - 1
    if int(blocks.words[block]) > _LONGEST:
        return first, behind
    return int(blocks.first_piece[block]), max(behind, int(blocks.last_piece[block]))
