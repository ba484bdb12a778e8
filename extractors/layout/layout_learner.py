"""What is learned of layouts while a proxy serves, and who reads it (extractors.site_learners)."""

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
from winnow.extractors.layout.auto_combination import Joined, with_site
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
        """How many pages are remembered."""
        return sum(1 for _ in layout_memory.traces(memory))

    def extract(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> Extraction:
        """What the extractor says, knowing the site."""
        if isinstance(extractor, LayoutExtractor) and not extractor.site:
            return extractor.extract_knowing(document, LearnedLayout(memory, knowledge.key))
        joined = _joined(document, memory, knowledge) if isinstance(extractor, Auto) else None
        if not isinstance(extractor, Auto) or joined is None:
            return extractor.extract(document)
        extraction = extractor.extraction(document, joined.prediction)
        return replace(extraction, reasons=(*extraction.reasons, *_reasons(joined)))

    def explain(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> tuple[BlockReason, ...]:
        """The reasons of the extractor; for blocks that are static on the site, that they are."""
        if isinstance(extractor, LayoutExtractor) and not extractor.site:
            return extractor.explain_knowing(document, LearnedLayout(memory, knowledge.key))
        joined = _joined(document, memory, knowledge) if isinstance(extractor, Auto) else None
        if not isinstance(extractor, Auto) or joined is None:
            return explanation(extractor, document)
        reasons = list(extractor.reasons(document, joined.prediction))
        page_rows = page_rows_of(document, knowledge.key)
        for index, rule in static_rules(page_rows, other_pages(page_rows, memory)):
            reasons[index] = replace(reasons[index], rule=rule)
        return tuple(reasons)


def _joined(document: Document, memory: bytes, knowledge: SiteKnowledge) -> Joined | None:
    """The prediction of ``auto`` with the site's pages; None where these do not count."""
    found = predict(document, shipped())
    return with_site(document, found, shipped(), memory, knowledge) if found else None


def _reasons(joined: Joined) -> tuple[str, ...]:
    static = int(joined.static.sum())
    said = f"{static} blocks are static on this site, by {joined.pages} pages of its layout"
    return (said,) if static else ()


LEARNER: Final = LayoutLearner()
