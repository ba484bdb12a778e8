"""Layouts learned while a proxy serves, for ``layout`` and ``auto`` (extractors.site_learners).

For ``auto``, static blocks lose log-odds, and blocks that vary and stand where the site's main text
stands gain some. This counts unless much confidence is lost, if enough pages have this layout.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors.auto.auto_extractor import Auto
from winnow.extractors.auto.auto_model import AutoModel, shipped
from winnow.extractors.auto.prediction import Floats, PagePrediction, predict, prediction
from winnow.extractors.explanation import BlockReason, explanation
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.layout import layout_memory
from winnow.extractors.layout.content_decision import (
    decide,
    other_pages,
    pages_alike,
)
from winnow.extractors.layout.layout_extractor import (
    LayoutExtractor,
    spans_of_blocks,
    static_rules,
)
from winnow.extractors.layout.layout_files import LearnedLayout
from winnow.extractors.layout.page_rows import Ints, PageRows, page_rows_of
from winnow.extractors.layout.site_layout import Mask

STATIC: Final = -6.0
"""Added to a static block's log-odds of being content."""
MAIN: Final = 0.5
"""Added for a block that varies at a path of the site's main text."""

LOST: Final = 0.1
"""The confidence that may be lost: 0 and 0.3 gain less (.8824, .8829 and .8854 on half of the sites
of daniel-sites, leave-one-out; alone .8679)."""


class CombinedPrediction(NamedTuple):
    """A prediction that takes the site into account; ``static``: which blocks are static on the
    site, (blocks,). ``left_out``: words of those that the page alone
    would keep."""

    prediction: PagePrediction
    static: Mask
    pages: int
    left_out: int = 0


def with_site(
    document: Document,
    found: PagePrediction,
    model: AutoModel,
    memory: bytes,
    knowledge: SiteKnowledge,
) -> CombinedPrediction | None:
    """The prediction, shifted by the site's layout; None where the shift does not count.

    Raises ValueError for an invalid memory.
    """
    page_rows = page_rows_of(document, knowledge.key, least=1)
    layout = other_pages(page_rows, memory)
    alike = pages_alike(page_rows, layout)
    if alike < knowledge.pages:
        return None
    site = decide(document, page_rows, layout)
    static = _block_mask(site.static, page_rows.index, len(found.blocks))
    main = _block_mask(
        site.main & site.is_content & ~site.static, page_rows.index, len(found.blocks)
    )
    shift: Floats = STATIC * static + MAIN * main
    combined = prediction(found.blocks, found.features, found.log_odds, model, shift)
    if combined.confidence < found.confidence - LOST:
        return None
    inside = _in_the_text(combined.is_content, page_rows) & found.is_content
    combined = replace(combined, is_content=combined.is_content | inside)
    left_out = static & found.is_content & ~combined.is_content
    return CombinedPrediction(combined, static, alike, int(found.blocks.words[left_out].sum()))


def _in_the_text(kept: Mask, page_rows: PageRows) -> Mask:
    """The blocks between the first and the last of what is kept that stand at a path of kept ones:
    paragraphs among paragraphs, no boxes of their own.

    A site's memory alone takes none of them out: who writes on a page of the site could take a
    paragraph out of another's article.
    """
    at = np.flatnonzero(kept)
    found = np.zeros(len(kept), dtype=bool)
    if len(at):
        paths = page_rows.path[kept[page_rows.index]]
        found[page_rows.index[np.isin(page_rows.path, paths)]] = True
        found[: at[0]] = found[at[-1] :] = False
    return found


def _block_mask(chosen: Mask, index: Ints, size: int) -> Mask:
    found = np.zeros(size, dtype=bool)
    found[index[chosen]] = True
    return found


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
        if isinstance(extractor, LayoutExtractor) and extractor.takes_memory:
            return extractor.extract_with(document, LearnedLayout(memory, knowledge.key))
        combined = _combined(document, memory, knowledge) if isinstance(extractor, Auto) else None
        if not isinstance(extractor, Auto) or combined is None:
            return extractor.extract(document)
        extraction = extractor.extraction(document, combined.prediction)
        kept = combined.prediction.is_content
        reasons = (*extraction.reasons, *_reasons(combined))
        return replace(
            extraction,
            reasons=reasons,
            left_out=combined.left_out,
            of_site=spans_of_blocks(document, np.flatnonzero(combined.static & ~kept)),
        )

    def explain(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> tuple[BlockReason, ...]:
        """The reasons of the extractor; for blocks that are static on the site, that they are."""
        if isinstance(extractor, LayoutExtractor) and extractor.takes_memory:
            return extractor.explain_with(document, LearnedLayout(memory, knowledge.key))
        combined = _combined(document, memory, knowledge) if isinstance(extractor, Auto) else None
        if not isinstance(extractor, Auto) or combined is None:
            return explanation(extractor, document)
        reasons = list(extractor.reasons(document, combined.prediction))
        page_rows = page_rows_of(document, knowledge.key)
        for index, rule in static_rules(page_rows, other_pages(page_rows, memory)):
            if not reasons[index].kept:
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
