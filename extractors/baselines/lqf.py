"""``lqf``: link quota filter (Gottron 2007, section 5.4; Mantratzis et al. 2005)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.base import Method
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.parameters import Range, parameter

_RULE: Final = (
    "{score:.0%} of its characters are in links; above {threshold:.0%} a block is dropped."
)


@dataclass(frozen=True)
class LinkQuotaFilter(Method):
    """Drops each block-level element whose own text is mostly link text.

    A ``<button>`` is no block: browsers lay it out as ``inline-block``.
    Own text is that of the element without the block-level elements nested in it. The quota is
    characters inside ``<a>`` over all characters; above ``threshold`` the block goes.
    """

    threshold: float = parameter(0.5, Range(0, 1))
    method: ClassVar[str] = "lqf"
    main_parameter: ClassVar[str] = "threshold"
    version: ClassVar[int] = 2

    def extract(self, document: Document) -> Extraction:
        """Label the text of blocks with few links."""
        block = document.elements.block[document.pieces.owner]
        is_content = _quotas(document, block)[block] <= self.threshold
        return self.extraction_of(document, is_content & ~document.hidden)

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """Each block's link quota."""
        block = document.elements.block
        quotas = _quotas(document, block[document.pieces.owner])[block[blocks_of(document).element]]
        spans = self.extract(document).spans
        return block_reasons(document, spans, _RULE, quotas, self.threshold)


def _quotas(document: Document, block: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """The link quota of each element by its own text, 0 where it has none; (elements,).

    ``block``: the block-level element that each piece stands in, (pieces,).
    """
    lengths, size = document.piece_lengths, len(document.elements)
    every = np.bincount(block, weights=lengths, minlength=size)
    linked = np.bincount(block, weights=lengths * document.linked, minlength=size)
    quotas: npt.NDArray[np.float64] = linked / np.maximum(every, 1)
    return quotas
