"""``lqf``: link quota filter (Gottron 2007, section 5.4; Mantratzis et al. 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.base import Method


@dataclass(frozen=True)
class LinkQuotaFilter(Method):
    """Drops each block-level element whose own text is mostly link text.

    Own text is that of the element without the block-level elements nested in it. The quota is
    characters inside ``<a>`` over all characters; above ``threshold`` the block goes.
    """

    threshold: float = 0.5
    method: ClassVar[str] = "lqf"
    main_parameter: ClassVar[str] = "threshold"

    def extract(self, document: Document) -> Extraction:
        """Label what stands in blocks with few links."""
        block = document.elements.block[document.pieces.owner]
        lengths = document.piece_lengths
        size = len(document.elements)
        every = np.bincount(block, weights=lengths, minlength=size)
        linked = np.bincount(block, weights=np.where(document.linked, lengths, 0), minlength=size)
        quota = linked / np.maximum(every, 1)
        return self.kept(document, (quota[block] <= self.threshold) & ~document.hidden)
