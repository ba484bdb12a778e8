"""What is learned of layouts while a proxy serves, and who reads it (extractors.site_learners)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Extraction, Known
from winnow.extractors.auto.auto_extractor import Auto, judge
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.layout import layout_memory
from winnow.extractors.layout.auto_combination import Joined, with_site
from winnow.extractors.layout.content_decision import others
from winnow.extractors.layout.layout_extractor import LayoutExtractor
from winnow.extractors.layout.layout_files import LearnedLayout
from winnow.extractors.layout.page_rows import look

STATIC: Final = "Static on this site: the same text stands here on {} of {} other pages."


@dataclass(frozen=True, slots=True)
class LayoutLearner:
    """The learner of ``layout`` and ``auto``."""

    name: str = "layout"
    methods: tuple[str, ...] = ("layout", "auto")

    def observe(self, document: Document, extractor: Extractor, key: bytes, day: int) -> bytes:
        """The page's blocks as hashes and sizes."""
        sight = look(document, key)
        return layout_memory.trace(sight, day) if len(sight.index) else b""

    def merge(self, left: bytes, right: bytes) -> bytes:
        """The latest pages of both."""
        return layout_memory.merge(left, right)

    def pages(self, known: bytes) -> int:
        """How many pages are remembered."""
        return sum(1 for _ in layout_memory.traces(known))

    def extract(
        self, document: Document, extractor: Extractor, known: bytes, about: Known
    ) -> Extraction:
        """What the extractor says, knowing the site."""
        if isinstance(extractor, LayoutExtractor) and not extractor.site:
            return extractor.extract_knowing(document, LearnedLayout(known, about.key))
        found = judge(document, shipped()) if isinstance(extractor, Auto) else None
        joined = with_site(document, found, shipped(), known, about) if found else None
        if not isinstance(extractor, Auto) or joined is None:
            return extractor.extract(document)
        extraction = extractor.extraction(document, joined.judgement)
        return replace(extraction, reasons=(*extraction.reasons, *_reasons(joined)))

    def remarks(
        self, document: Document, extractor: Extractor, known: bytes, about: Known
    ) -> Sequence[str]:
        """Of each of document.blocks what the site's pages say of it; "" where it is nothing."""
        blocks, sight = blocks_of(document), look(document, about.key)
        site = others(sight, known)
        static, said = site.static(sight.text), [""] * len(blocks)
        seen, asked = site.seen_on(sight.text).tolist(), site.asked(sight.text).tolist()
        for number, index in enumerate(sight.index.tolist()):
            if static[number]:
                said[index] = STATIC.format(seen[number], asked[number])
        return said


def _reasons(joined: Joined) -> tuple[str, ...]:
    static = int(joined.static.sum())
    said = f"{static} blocks are static on this site, by {joined.pages} pages of its layout"
    return (said,) if static else ()


LEARNER: Final = LayoutLearner()
