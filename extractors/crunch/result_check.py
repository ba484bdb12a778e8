"""The result check: is what a filter changed negligible, or too drastic? Knows sizes; no filter.

Crunch's papers tell of it (Gupta et al. 2005: a page is compared with the one before the filter,
and a filter that changed too little or too much is undone, so that portals are no longer blank),
but no code of it was published, and no thresholds: these were measured (docs/crunch.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.extractors.crunch.filter_state import PageSize

DRASTIC: Final = 0.95
"""A filter that takes more than this share of the words that it finds is undone."""
NEGLIGIBLE: Final = 0.0005
"""One that takes words, but of the markup that it finds no more than this share, is undone."""


@dataclass(frozen=True, slots=True)
class Check:
    """Both thresholds, each a share in 0..1; ``Check(1.0, 0.0)`` undoes nothing but blanks."""

    drastic: float = DRASTIC
    negligible: float = NEGLIGIBLE

    def fault(self, before: PageSize, after: PageSize) -> str:
        """Why a filter is to be undone, in plain words; "" if it is not."""
        if before.words and not after.words:
            return "it would leave no words"
        taken = before.words - after.words
        if taken > self.drastic * before.words:
            return f"it would take {taken / before.words:.0%} of the words"
        changed = before.markup - after.markup
        if 0 < changed <= self.negligible * before.markup:
            return "it would change next to nothing"
        return ""
