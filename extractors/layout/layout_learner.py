"""Layouts learned while a proxy serves, for ``layout`` and ``auto`` (extractors.site_learners)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors.auto.auto_extractor import Auto
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.auto.prediction import predict
from winnow.extractors.explanation import BlockReason, explanation
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.layout import layout_memory
from winnow.extractors.layout.auto_combination import CombinedPrediction, with_site
from winnow.extractors.layout.content_decision import other_pages
from winnow.extractors.layout.layout_extractor import LayoutExtractor, static_rules
from winnow.extractors.layout.layout_files import LearnedLayout
from winnow.extractors.layout.page_rows import page_rows_of


@dataclass(frozen=True, slots=True)
class LayoutLearner:
    """The learner of ``layout`` and ``auto``."""

    name: str = "layout"
    methods: tuple[str, ...] = ("layout", "auto")

    def observe(self, document: Document, extractor: Extractor, key: bytes, day: int) -> bytes:
        """The page's blocks as hashes and sizes."""
        page_rows = page_rows_of(document, key)
        return layout_memory.trace(page_rows, day) if len(page_rows.index) else b""

    def merge(self, left: bytes, right: bytes) -> bytes:
        """The latest pages of both."""
        return layout_memory.merge(left, right)

    def pages(self, memory: bytes) -> int:
        """How many pages the memory holds."""
        return sum(1 for _ in layout_memory.traces(memory))

    def extract(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> Extraction:
        """The extraction, given the site's memory."""
        if isinstance(extractor, LayoutExtractor) and not extractor.site:
            return extractor.extract_with(document, LearnedLayout(memory, knowledge.key))
        combined = _combined(document, memory, knowledge) if isinstance(extractor, Auto) else None
        if not isinstance(extractor, Auto) or combined is None:
            return extractor.extract(document)
        extraction = extractor.extraction(document, combined.prediction)
        return replace(extraction, reasons=(*extraction.reasons, *_reasons(combined)))

    def explain(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> tuple[BlockReason, ...]:
        """The reasons of the extractor; for blocks that are static on the site, that they are."""
        if isinstance(extractor, LayoutExtractor) and not extractor.site:
            return extractor.explain_with(document, LearnedLayout(memory, knowledge.key))
        combined = _combined(document, memory, knowledge) if isinstance(extractor, Auto) else None
        if not isinstance(extractor, Auto) or combined is None:
            return explanation(extractor, document)
        reasons = list(extractor.reasons(document, combined.prediction))
        page_rows = page_rows_of(document, knowledge.key)
        for index, rule in static_rules(page_rows, other_pages(page_rows, memory)):
            reasons[index] = replace(reasons[index], rule=rule)
        return tuple(reasons)


def _combined(
    document: Document, memory: bytes, knowledge: SiteKnowledge
) -> CombinedPrediction | None:
    """The prediction of ``auto`` with the site's pages; None where these do not count."""
    found = predict(document, shipped())
    return with_site(document, found, shipped(), memory, knowledge) if found else None


def _reasons(combined: CombinedPrediction) -> tuple[str, ...]:
    static = int(combined.static.sum())
    reason = f"{static} blocks are static on this site, by {combined.pages} pages of its layout"
    return (reason,) if static else ()


LEARNER: Final = LayoutLearner()
