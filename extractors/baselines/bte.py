"""``bte``: body text extraction (Finn, Kushmerick & Smyth 2001; Gottron 2007, section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.base import Method, block_sums, pieces_between
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.subsequence import maximum_run


@dataclass(frozen=True)
class BodyTextExtraction(Method):
    """One contiguous block: as many words within and as many tags without as can be.

    The paper maximises T_ij = tags before i + words in i..j + tags after j over all pairs, which
    costs O(n^2) and was its headline defect. T_ij = (all tags) + sum over i..j of (1 - 2 B_n), so
    it is the maximum subsequence with +1 a word and -1 a tag: O(n). A best run starts and ends at
    the edges of text pieces, so runs of words and of tags are scored as a whole.
    """

    method: ClassVar[str] = "bte"

    def extract(self, document: Document) -> Extraction:
        """Label the best block."""
        words = np.where(document.hidden, 0, document.piece_words).astype(np.float64)
        costs = document.tag_gaps.astype(np.float64)
        run = maximum_run(costs, words)
        return self.extraction_of(document, pieces_between(document, run.start, run.end))

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """Each block's words and tags; its score is their difference."""
        words = block_sums(document, document.piece_words)
        tags = block_sums(document, document.tag_gaps)
        rules = (
            f"{count} words against {cost} tags in and before it; the one stretch with most words "
            "and fewest tags is kept."
            for count, cost in zip(words.tolist(), tags.tolist(), strict=True)
        )
        return block_reasons(document, self.extract(document).spans, rules, words - tags)
