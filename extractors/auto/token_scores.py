"""What a token is worth: a table of scores by hash. Knows numbers; no spelling and no page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.attribute_tokens import AttributeTokens, Hashes

BITS: Final = 20
"""A token's slot is the lowest bits of its hash; two tokens of one slot share one score."""
SCALE: Final = 24.0
"""Scores are kept as bytes: the logarithm of the odds times this, within -127..127."""
PRIOR, STRENGTH, SEEN_ON = 0.4, 2.0, 3
"""Share of words that are content, weight of this belief in pages, pages below which it stays."""

Scores = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]


def slots_of(tokens: Hashes) -> npt.NDArray[np.intp]:
    """The slot of each token; shape (k,)."""
    return (tokens & np.uint32((1 << BITS) - 1)).astype(np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """``scores``: a byte a slot, shape (2**BITS,); above 0 speaks for content, 0 says nothing."""

    scores: Scores

    def score(self, tokens: AttributeTokens, size: int) -> Floats:
        """The sum of its tokens' scores over the root of their number, per owner; shape (size,).

        Tokens without a score do not count. The root lets agreeing tokens strengthen each other.
        """
        worth = self.scores.take(slots_of(tokens.token))
        total = np.bincount(tokens.owner, worth, size)
        known = np.bincount(tokens.owner, worth != 0, size)
        return (total / (SCALE * np.sqrt(np.maximum(known, 1)))).astype(np.float32)


def scores_from(kept: npt.NDArray[np.float64], dropped: npt.NDArray[np.float64]) -> Scores:
    """Scores from the pages' votes per slot, how much was content and how much was not.

    The smoothed logarithm of the odds, less that of the belief before any page was seen.
    """
    odds = (kept + STRENGTH * PRIOR) / (dropped + STRENGTH * (1 - PRIOR))
    score = np.log(odds) - np.log(PRIOR / (1 - PRIOR))
    known = np.round(np.clip(score * SCALE, -127, 127))
    return np.where(kept + dropped >= SEEN_ON, known, 0).astype(np.int8)
