"""The main region of a page: where it says and offers what it is for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from winnow.document.arrays import Mask
from winnow.document.document import Document
from winnow.document.values import Extraction, Purpose
from winnow.engine.base.overlap import covered


@dataclass(frozen=True, slots=True, eq=False)
class MainRegion:
    """From the headline, or the first kept text, to the last: a half-open range of pieces."""

    first: int
    last: int

    @classmethod
    def of(cls, document: Document, extraction: Extraction) -> MainRegion:
        """Empty where nothing is kept; links alone at its ends are none of it but in an index."""
        kept = kept_pieces(document, extraction)
        if extraction.purpose is not Purpose.INDEX:
            own = kept & ~document.linked & (document.piece_words > 0)
            kept = own if own.any() else kept
        return cls.around(document, kept)

    @classmethod
    def around(cls, document: Document, kept: Mask) -> MainRegion:
        """From the headline, or the first of these pieces, to the last of them."""
        found = kept.nonzero()[0]
        if not len(found):
            return cls(0, 0)
        last = int(found[-1]) + 1
        heads = document.elements.first_piece[document.elements_named("h1")]
        return cls(min([int(found[0]), *heads[heads < last].tolist()]), last)

    def mask(self, document: Document) -> Mask:
        """Its pieces; shape (pieces,)."""
        found = np.zeros(len(document.pieces), dtype=np.bool_)
        found[self.first : self.last] = True
        return found


def kept_pieces(document: Document, extraction: Extraction) -> Mask:
    """The pieces that begin in a span; shape (pieces,)."""
    return covered(document.pieces.start, extraction.spans)
