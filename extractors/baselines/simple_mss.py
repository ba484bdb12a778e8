"""``simple-mss``: maximum subsequence of fixed scores (Pasternack & Roth 2009, section 6.2.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from winnow.document.document import Document
from winnow.document.tokens import TAG
from winnow.document.values import Extraction
from winnow.extractors.base import Method, block_sums, pieces_between
from winnow.extractors.explanation import (
    BlockReason,
    MethodCurve,
    block_reasons,
    sampled,
    token_range,
)
from winnow.extractors.parameters import Range, parameter
from winnow.extractors.subsequence import maximum_run


@dataclass(frozen=True)
class SimpleMss(Method):
    """A tag scores ``tag``, a word or a symbol 1; the highest-valued run is the article.

    The paper's score of -3.25 was the best on its own evaluation data.
    """

    tag: float = parameter(-3.25, Range(-1000, 1000))
    method: ClassVar[str] = "simple-mss"
    main_parameter: ClassVar[str] = "tag"

    def extract(self, document: Document) -> Extraction:
        """Label the highest-valued run of tokens."""
        tokens = document.piece_words + document.piece_symbols
        gains = np.where(document.hidden, 0, tokens).astype(np.float64)
        costs = document.tag_gaps.astype(np.float64) * -self.tag
        run = maximum_run(costs, gains)
        return self.extraction_of(document, pieces_between(document, run.start, run.end))

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """The sum of the scores of each block's tokens."""
        gains = block_sums(document, document.piece_words + document.piece_symbols)
        costs = block_sums(document, document.tag_gaps) * -self.tag
        rules = (
            f"Its words score +{gain:g}, the tags in and before it −{cost:g}; "
            "the run of tokens with the highest sum is kept."
            for gain, cost in zip(gains.tolist(), costs.tolist(), strict=True)
        )
        return block_reasons(document, self.extract(document).spans, rules, gains - costs)

    def curve(self, document: Document) -> MethodCurve:
        """Scores of tokens summed along the page."""
        return MethodCurve(
            "Token scores, summed",
            f"Each word adds 1, each tag takes {-self.tag:g}: simple-mss takes the run (shaded) "
            "that climbs highest.",
            sampled(np.cumsum(np.where(document.tokens.kind == TAG, self.tag, 1.0))),
            token_range(document, self.extract(document).spans),
        )
