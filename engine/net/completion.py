"""What belongs together stays together, whatever the method: headings and sections, parts, notes.

One step over a document's structure after any method; ``winnow evaluate`` measures methods
without it, as their papers define them, and with it through the proxy.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

import numpy as np

from winnow.document.arrays import NOTHING, Numbers, prefix_sums, some
from winnow.document.document import Document, Mask
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.document.values import Extraction, Span, changed
from winnow.document.visibility.chaff import chaff_of
from winnow.engine.base.selector_rules import without
from winnow.engine.net.attachments import attachments
from winnow.engine.net.copies import copies
from winnow.engine.net.deck import deck_of
from winnow.engine.net.notes import notes_of
from winnow.engine.net.parts import caught
from winnow.extractors.base import spans_of_pieces

_HEADING: Final = tags.table_of("h2 h3 h4 h5 h6")
_IS_WRAPPER: Final = tags.table_of("div span header hgroup summary button section")
_WRAPPERS: Final = 5
"""Elements around a heading alone."""
_LONGEST: Final = 25
"""Words of a heading."""
_LINK: Final = tags.CODES["a"]


def completed(document: Document, extraction: Extraction) -> Extraction:
    """The extraction with the parts, the headings and the files that belong to what it keeps.

    One that edits markup, or keeps parts of pieces, is left as it is. O(elements).
    """
    kept = kept_pieces(document, extraction)
    if extraction.edited or extraction.edits or not some(kept):
        return extraction
    if some((document.piece_words > 0) & ~(kept | document.hidden)):
        whole = kept | notes_of(document, kept)
        whole |= caught(document, whole) & ~_covered(document, extraction.of_site)
        whole |= _headings(document, whole) | attachments(document, whole)
        whole |= deck_of(document, whole)
    else:
        whole = kept | attachments(document, kept)
    gone = copies(document, whole)
    added, spans = whole & ~kept & ~gone, extraction.spans
    if some(gone):
        spans = tuple(without(document, spans, gone))
    if some(added):
        spans = tuple(sorted((*spans, *spans_of_pieces(document, added)), key=attrgetter("start")))
    return extraction if spans is extraction.spans else changed(extraction, spans=spans)


def kept_pieces(document: Document, extraction: Extraction) -> Mask:
    """The pieces that the spans cover, read-only; none if one of them is covered in part. Several
    steps ask for the same spans, the last of which are kept with the document."""
    spans, mask = document.found.get(kept_pieces, ((), None))
    if mask is None or spans is not extraction.spans:
        mask = _covered(document, extraction.spans)
        mask.flags.writeable = False
        document.found[kept_pieces] = extraction.spans, mask
    kept: Mask = mask
    return kept


def _covered(document: Document, spans: Sequence[Span]) -> Mask:
    pieces, kept = document.pieces, np.zeros(document.pieces.start.size, dtype=np.bool_)
    begins, ends = pieces.start.data, pieces.end.data
    firsts = pieces.end.searchsorted([span.start for span in spans], side="right").tolist()
    behinds = pieces.start.searchsorted([span.end for span in spans]).tolist()
    for span, first, behind in zip(spans, firsts, behinds, strict=True):
        if behind <= first:
            continue
        if begins[first] < span.start or ends[behind - 1] > span.end:
            return np.zeros(kept.size, dtype=np.bool_)
        kept[first:behind] = True
    return kept


@needs("h2", "h3", "h4", "h5", "h6", absent=NOTHING)
def _headings(document: Document, kept: Mask) -> Mask:
    """The pieces of headings between kept text, right before what is kept of their section."""
    elements, found = document.elements, np.zeros(kept.size, dtype=np.bool_)
    chaff = chaff_of(document)
    speaking = ((document.piece_words > 0) & ~document.hidden & ~chaff).nonzero()[0]
    is_kept = kept[speaking].tolist()
    if True not in is_kept:
        return found
    begin, headings = is_kept.index(True), _HEADING[elements.tag].nonzero()[0]
    firsts, behinds = elements.first_piece[headings], elements.last_piece[headings]
    edges = speaking.searchsorted(firsts), speaking.searchsorted(behinds)
    total, linked = prefix_sums(document.piece_words), prefix_sums(document.linked)
    said = prefix_sums(document.piece_words * ~chaff)
    columns = (headings, firsts, behinds, *edges, total[behinds] - total[firsts])
    for heading, first, behind, at, after, words in reversed(
        list(zip(*[column.tolist() for column in columns], strict=True))
    ):
        may_stay = begin < at < after < len(is_kept) and is_kept[after] and words <= _LONGEST
        if not may_stay or True in is_kept[at:after]:
            continue
        leads = linked[behind] > linked[first] and not _leads_to_itself(document, heading)
        if leads or document.linked[speaking[after]]:
            continue  # it leads to its section, or its section elsewhere
        around = _section_around(
            document, heading, said, int(said[speaking[after - 1] + 1] - said[speaking[at]])
        )
        if speaking[after] < elements.last_piece[around]:
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
