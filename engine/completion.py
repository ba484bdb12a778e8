"""What belongs together stays together, whatever the method: headings and sections, small items.

One step over a document's structure after any method; ``winnow evaluate`` measures methods
without it, as their papers define them, and with it through the proxy.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document import tags
from winnow.document.arrays import Numbers, prefix_sums
from winnow.document.chaff import chaff_of
from winnow.document.document import Document, Mask
from winnow.document.values import Extraction
from winnow.engine.attachments import attachments
from winnow.engine.copies import copies
from winnow.engine.listings import listings_between
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
_LONGEST: Final = 25
"""Words of a heading."""
_LINK: Final = tags.CODES["a"]


def completed(document: Document, extraction: Extraction) -> Extraction:
    """The extraction with the rest of small items, the headings and the files of what it keeps.

    One that edits markup, or keeps parts of pieces, is left as it is. O(elements).
    """
    kept = kept_pieces(document, extraction)
    if extraction.edited or extraction.edits or not kept.any():
        return extraction
    whole = kept | _items(document, kept)
    whole |= rest_of_pairs(document, whole) | listings_between(document, whole)
    whole |= _headings(document, whole) | attachments(document, whole)
    added, gone = whole & ~kept, copies(document, whole)
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
    speaking = np.flatnonzero((document.piece_words > 0) & ~document.hidden & ~chaff_of(document))
    is_kept = kept[speaking].tolist()
    if True not in is_kept:
        return found
    begin, headings = is_kept.index(True), np.flatnonzero(_HEADING[elements.tag])
    firsts, behinds = elements.first_piece[headings], elements.last_piece[headings]
    edges = speaking.searchsorted(firsts), speaking.searchsorted(behinds)
    total = prefix_sums(document.piece_words)
    said = prefix_sums(document.piece_words * ~chaff_of(document))
    columns = (headings, firsts, behinds, *edges, total[behinds] - total[firsts])
    for heading, first, behind, at, after, words in reversed(
        list(zip(*(column.tolist() for column in columns), strict=True))
    ):
        if not begin < at < after < len(is_kept) or any(is_kept[at:after]) or words > _LONGEST:
            continue
        leads = document.linked[first:behind].any() and not _leads_to_itself(document, heading)
        if leads or document.linked[speaking[after]]:
            continue  # it leads to its section, or its section elsewhere
        around = _section_around(
            document, heading, said, int(said[speaking[after - 1] + 1] - said[speaking[at]])
        )
        if is_kept[after] and speaking[after] < elements.last_piece[around]:
            found[first:behind] = ~document.hidden[first:behind] & ~document.media[first:behind]
            is_kept[at:after] = [True] * (after - at)
    return found


def _leads_to_itself(document: Document, heading: int) -> bool:
    """Whether the links in a heading are to its own id."""
    own = f"#{document.attributes_of(heading, {'id'}).get('id', '')}"
    inner = range(heading + 1, int(document.elements.last[heading]))
    links = [element for element in inner if document.elements.tag[element] == _LINK]
    return bool(links) and all(
        document.attributes_of(link, {"href"}).get("href") == own for link in links
    )


def _section_around(document: Document, heading: int, said: Numbers, words: int) -> int:
    """The nearest element around a heading that holds other text than the heading's words.

    ``said``: the words before each piece that are text.
    """
    elements = document.elements
    around = int(elements.parent[heading])
    for _ in range(_WRAPPERS):
        inside = said[elements.last_piece[around]] - said[elements.first_piece[around]]
        if inside > words or not _IS_WRAPPER[elements.tag[around]]:
            break
        around = int(elements.parent[around])
    return around
