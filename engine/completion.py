"""What belongs together stays together, whatever the method: headings and sections, small items.

One step over a document's structure after any method; ``winnow evaluate`` measures methods
without it, as their papers define them, and with it through the proxy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document import tags
from winnow.document.arrays import prefix_sums
from winnow.document.blocks import blocks_of
from winnow.document.document import Document, Mask
from winnow.document.short_texts import text_inside
from winnow.document.values import Extraction
from winnow.engine.attachments import attachments
from winnow.engine.selector_rules import without
from winnow.engine.term_pairs import rest_of_pairs
from winnow.extractors.base import spans_of_pieces

_HEADING: Final = tags.table_of("h2 h3 h4 h5 h6")
_IS_WRAPPER: Final = tags.table_of("div span header hgroup summary button section")
_WRAPPERS: Final = 5
"""Elements around a heading alone."""
_ITEM: Final = tags.table_of("li tr dt dd div p")
_SMALL: Final = 16
"""Words of an item that is kept whole: an ingredient and its amount, a label and its value."""
_AMOUNT: Final = re.compile(r"[~\u2248]?\s?[\d\u00bc-\u00be\u2150-\u215e$\u20ac\u00a3]")
"""How an amount, a number or a price begins."""
_REPEATED: Final = 40
"""Words of a paragraph that does not stand on a page twice by chance."""
_COPIES: Final = 8
"""Stretches that stand there again; more are quotations, in answers to what they quote."""
_LONGEST: Final = 25
"""Words of a heading."""
_LIST: Final = tags.table_of("ul ol")
_ITEMS: Final = 3
"""Texts of a list that does not stand on a page twice by chance."""


def completed(document: Document, extraction: Extraction) -> Extraction:
    """The extraction with the rest of small items, the headings and the files of what it keeps.

    One that edits markup, or keeps parts of pieces, is left as it is. O(elements).
    """
    kept = kept_pieces(document, extraction)
    if extraction.edited or extraction.edits or not kept.any():
        return extraction
    whole = kept | _items(document, kept)
    whole |= rest_of_pairs(document, whole)
    whole |= _headings(document, whole) | attachments(document, whole)
    added, gone = whole & ~kept, _repeated(document, whole)
    spans = without(document, extraction.spans, gone) if gone.any() else extraction.spans
    if (added & ~gone).any():
        spans = sorted((*spans, *spans_of_pieces(document, added & ~gone)))
    return replace(extraction, spans=tuple(spans))


def kept_pieces(document: Document, extraction: Extraction) -> Mask:
    """The pieces that the spans cover; none if one of them is covered in part."""
    pieces, spans = document.pieces, extraction.spans
    covered = np.zeros(len(pieces) + 1, dtype=np.int32)
    starts = np.array([span.start for span in spans], dtype=np.int32)
    ends = np.array([span.end for span in spans], dtype=np.int32)
    first = pieces.end.searchsorted(starts, side="right")
    behind = np.maximum(pieces.start.searchsorted(ends), first)
    np.add.at(covered, first, 1)
    np.add.at(covered, behind, -1)
    kept: Mask = covered[:-1].cumsum() > 0
    inside = behind > first
    is_whole = (pieces.start[first[inside]] >= starts[inside]).all() and (
        pieces.end[behind[inside] - 1] <= ends[inside]
    ).all()
    return kept if is_whole else np.zeros_like(kept)


def _items(document: Document, kept: Mask) -> Mask:
    """The amounts and labels of small items of which the most is kept."""
    shown = np.where(document.hidden, 0, document.piece_words)
    every, rest, linked = _inside(
        document, shown, np.where(kept, 0, shown), shown * document.linked
    )
    found = _ITEM[document.elements.tag] & (rest > 0) & (every <= _SMALL)
    found &= (2 * rest <= every) & (linked == 0)
    inside = document.inside(np.flatnonzero(found)) & ~kept & (shown > 0)
    added = np.zeros_like(kept)
    for piece in np.flatnonzero(inside).tolist():
        text = document.text[document.pieces.start[piece] : document.pieces.end[piece]]
        added[piece] = _AMOUNT.match(text) is not None or text.endswith((":", "\uff1a"))
    return added


def _inside(document: Document, *rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The sums of values of pieces in each element; shape (rows, elements)."""
    before = np.zeros((len(rows), len(document.pieces) + 1), dtype=np.int64)
    np.cumsum(rows, axis=1, out=before[:, 1:])
    elements = document.elements
    found: npt.NDArray[Any] = before[:, elements.last_piece] - before[:, elements.first_piece]
    return found


def _headings(document: Document, kept: Mask) -> Mask:
    """The pieces of headings between kept text, right before what is kept of their section."""
    elements, found = document.elements, np.zeros_like(kept)
    speaking = np.flatnonzero((document.piece_words > 0) & ~document.hidden)
    is_kept = kept[speaking].tolist()
    if True not in is_kept:
        return found
    begin, headings = is_kept.index(True), np.flatnonzero(_HEADING[elements.tag])
    firsts, behinds = elements.first_piece[headings], elements.last_piece[headings]
    edges = speaking.searchsorted(firsts), speaking.searchsorted(behinds)
    total = prefix_sums(document.piece_words)
    columns = (headings, firsts, behinds, *edges, total[behinds] - total[firsts])
    for heading, first, behind, at, after, words in reversed(
        list(zip(*(column.tolist() for column in columns), strict=True))
    ):
        if not begin < at < after < len(is_kept) or any(is_kept[at:after]) or words > _LONGEST:
            continue
        if document.linked[first:behind].any() or document.linked[speaking[after]]:
            continue  # it leads to its section, or its section elsewhere
        around = _section_around(document, heading, int(speaking[at]), int(speaking[after - 1]))
        if is_kept[after] and speaking[after] < elements.last_piece[around]:
            found[first:behind] = ~document.hidden[first:behind] & ~document.media[first:behind]
            is_kept[at:after] = [True] * (after - at)
    return found


def _section_around(document: Document, heading: int, first: int, last: int) -> int:
    """The nearest element around a heading that holds other text than its pieces first to last."""
    elements, pieces = document.elements, slice(first, last + 1)
    around = int(elements.parent[heading])
    for _ in range(_WRAPPERS):
        begin, behind = int(elements.first_piece[around]), int(elements.last_piece[around])
        rest = document.piece_words[begin:behind].sum() - document.piece_words[pieces].sum()
        if rest > 0 or not _IS_WRAPPER[elements.tag[around]]:
            break
        around = int(elements.parent[around])
    return around


def _repeated(document: Document, kept: Mask) -> Mask:
    """The pieces of long paragraphs that are kept twice: all but the first, or the cut-off copy.

    One that comes again at once is no copy.
    """
    blocks, gone = blocks_of(document), np.zeros_like(kept)
    is_apart = document.inside_tags("blockquote pre table li dd")
    long = np.flatnonzero((blocks.words >= _REPEATED) & kept[blocks.first_piece])
    texts: dict[str, int] = {}
    before = (-1, "")
    again, runs, is_again = list[int](), 0, False
    for block in long[~is_apart[blocks.first_piece[long]]].tolist():
        text = document.text[blocks.start[block] : blocks.end[block]]
        is_refrain, before = before == (block - 1, text), (block, text)
        was_again, is_again = is_again, texts.setdefault(text, block) != block and not is_refrain
        runs += is_again and not was_again
        again += [block] * is_again
    for block in again if runs <= _COPIES else ():
        gone[blocks.first_piece[block] : blocks.last_piece[block]] = True
    begins = sorted((text.rstrip(".\u2026 "), text) for text in texts)
    for (begin, shorter), (longer, _) in pairwise(begins):
        if shorter.endswith(("\u2026", "...")) and longer.startswith(begin):
            block = texts[shorter]
            gone[blocks.first_piece[block] : blocks.last_piece[block]] = True
    for first, behind in _lists_again(document, kept & ~gone):
        gone[first:behind] = True
    return gone


def _lists_again(document: Document, kept: Mask) -> Iterator[tuple[int, int]]:
    """The ranges of pieces of lists that say what the list right before them says."""
    elements, said = document.elements, prefix_sums(kept & (document.piece_words > 0))
    lists = np.flatnonzero(_LIST[elements.tag]).tolist()
    for before, element in pairwise(lists):
        end, first = int(elements.last_piece[before]), int(elements.first_piece[element])
        behind = int(elements.last_piece[element])
        is_next = first >= end and said[first] == said[end]
        if (
            is_next
            and said[behind] - said[first] >= _ITEMS
            and text_inside(document, before) == text_inside(document, element)
        ):
            yield first, behind
