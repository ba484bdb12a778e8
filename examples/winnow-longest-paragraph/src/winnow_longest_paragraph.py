"""``longest-paragraph``: keeps the longest paragraph and those that are nearly as long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from winnow import Document, Extraction
from winnow.extractors.base import Method


@dataclass(frozen=True)
class LongestParagraph(Method):
    """Keeps each visible piece of text with at least ``share`` of the longest one's words."""

    method: ClassVar[str] = "longest-paragraph"
    main_parameter: ClassVar[str] = "share"

    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.share <= 1:
            raise ValueError("share must be above 0 and at most 1")

    def extract(self, document: Document) -> Extraction:
        """Label what is long enough; nothing where no word is shown."""
        words = np.where(document.hidden, 0, document.piece_words)
        longest = words.max(initial=0)
        chosen = (words > 0) & (words >= self.share * longest)
        return self.extraction_of(document, chosen, f"the longest paragraph has {longest} words")
