"""Cards as records: teasers side by side on a page whose text has no posts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.parsing import tags
from winnow.document.parsing.signature import needs
from winnow.document.render.article.article_structure import headings
from winnow.document.render.article.cards import LEAST, cards_of
from winnow.document.render.selection import selected
from winnow.document.spans import Record, RecordKind
from winnow.document.values import Extraction
from winnow.engine.net.completion import kept_pieces
from winnow.extractors.base import spans_of_pieces

_HEADING: Final = tags.table_of("h1 h2 h3 h4 h5 h6")


@needs("h1", "h2", "h3", "h4", "h5", "h6")
def with_cards(document: Document, extraction: Extraction) -> Extraction:
    """The extraction with its cards, if it has no other records. O(elements) where there are
    linked headings enough."""
    if extraction.edited or extraction.edits or extraction.records or extraction.comments:
        return extraction
    elements = document.elements
    titled = _HEADING[elements.tag].nonzero()[0]
    titled = titled[elements.last_piece[titled] > elements.first_piece[titled]]
    if np.count_nonzero(document.linked[elements.first_piece[titled]]) < LEAST:
        return extraction
    return replace(extraction, records=tuple(_cards(document, extraction)))


def _cards(document: Document, extraction: Extraction) -> Iterator[Record]:
    segments = selected(document, extraction)
    kept = kept_pieces(document, extraction)
    for element in cards_of(document, segments, headings(document, segments)):
        first = int(document.elements.first_piece[element])
        inside = kept[first : document.elements.last_piece[element]]
        if spans := spans_of_pieces(document, inside, first):
            yield Record(spans, element, RecordKind.CARD)
