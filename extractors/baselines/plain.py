"""``plain``: everything that is shown, the baseline of every comparison (Gottron 2007, 5.)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.base import Method
from winnow.extractors.explanation import BlockReason, block_reasons


@dataclass(frozen=True)
class Plain(Method):
    """Keeps all visible text: a perfect recall, the precision of the page."""

    method: ClassVar[str] = "plain"

    def extract(self, document: Document) -> Extraction:
        """Label everything that a browser would show as main content."""
        return self.extraction_of(document, ~document.hidden)

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """One rule for all blocks."""
        rule = "All text that a browser shows is kept."
        return block_reasons(document, self.extract(document).spans, rule)
