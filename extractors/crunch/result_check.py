"""The result check: filters that change too little or too much are reverted.

Gupta et al. (2005) compare a page with the one before the filter, so that portals are no longer
blank, but published neither code nor thresholds: these were measured (docs/crunch.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.extractors.crunch.filter_state import PageSize

DRASTIC: Final = 0.95
"""A filter that takes more than this share of the words that it finds is reverted."""
NEGLIGIBLE: Final = 0.0005
"""One that takes words, but of the markup that it finds no more than this share, is reverted."""


@dataclass(frozen=True, slots=True)
class Check:
    """Both thresholds, each a share in 0..1; ``Check(1.0, 0.0)`` undoes nothing but blanks."""

    drastic: float = DRASTIC
    negligible: float = NEGLIGIBLE

    def fault(self, before: PageSize, after: PageSize) -> str:
        """Why a filter is to be reverted, in plain words; "" if it is not."""
        if before.words and not after.words:
            return "it would leave no words"
        taken = before.words - after.words
        if taken > self.drastic * before.words:
            return f"it would take {taken / before.words:.0%} of the words"
        changed = before.markup - after.markup
        if 0 < changed <= self.negligible * before.markup:
            return "it would change next to nothing"
        return ""
