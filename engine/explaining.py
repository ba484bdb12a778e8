"""Why one method keeps or drops each block of a page, with rule and features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from winnow.document.arrays import Ints, range_sums
from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document
from winnow.document.selectors import selector_of
from winnow.document.tags import codes_of
from winnow.document.tokens import tags_before
from winnow.document.values import Page, Recipe
from winnow.engine import site_memory
from winnow.engine.overlap import covered, word_offsets
from winnow.engine.pipeline import extracted
from winnow.engine.script_shell import read
from winnow.extractors.explanation import BlockReason
from winnow.jobs.results import Explained, TextPassage

MOST_PASSAGES = 1200
_HEADINGS = codes_of("h1 h2 h3 h4 h5 h6")


def explain(page: Page, recipe: Recipe) -> Explained:
    """What became of every block that is shown and holds words. Raises PipelineError."""
    document, why = read(page, recipe.blocked, scripts_run=True)
    extractor, extraction = extracted(document, recipe)
    offsets = word_offsets(document)
    is_kept = covered(offsets, extraction.spans)
    blocks = blocks_of(document)
    first, last = np.searchsorted(offsets, blocks.start), np.searchsorted(offsets, blocks.end)
    reasons = site_memory.explain(document, extractor, recipe.knowledge)
    shares = range_sums(is_kept, first, last) / np.maximum(last - first, 1)
    chosen = np.flatnonzero((last > first) & ~blocks.hidden).tolist()
    explained = _ExplainedPage(
        document, blocks, reasons, tags_before(document.elements, document.pieces)[0]
    )
    return Explained(
        title=extraction.title or document.title,
        language=document.language,
        extractor=extraction.extractor,
        confidence=extraction.confidence,
        reasons=(*why, *extraction.reasons),
        words_kept=int(is_kept.sum()),
        words_total=len(offsets),
        passages=tuple(explained.passage(i, float(shares[i])) for i in chosen[:MOST_PASSAGES]),
        more=max(len(chosen) - MOST_PASSAGES, 0),
    )


@dataclass(frozen=True, slots=True)
class _ExplainedPage:
    """A page and the reason for each block; ``tags``: how many tags stand before each piece."""

    document: Document
    blocks: Blocks
    reasons: Sequence[BlockReason]
    tags: Ints

    def passage(self, index: int, kept: float) -> TextPassage:
        element = int(self.blocks.element[index])
        text = self.document.plain(int(self.blocks.start[index]), int(self.blocks.end[index]))
        selector = selector_of(self.document, element) if element >= 0 else ""
        return TextPassage(
            text=text.strip(),
            kept=kept,
            heading=element >= 0 and int(self.document.elements.tag[element]) in _HEADINGS,
            rule=self.reasons[index].rule,
            features=self._features(index, selector),
            selector=selector if kept < 1 else "",
            score=self.reasons[index].score,
            threshold=self.reasons[index].threshold,
        )

    def _features(self, index: int, selector: str) -> tuple[tuple[str, str], ...]:
        first, last = int(self.blocks.first_piece[index]), int(self.blocks.last_piece[index])
        tags = int(self.tags[last - 1]) - (int(self.tags[first - 1]) if first else 0)
        return (
            ("words", str(int(self.blocks.words[index]))),
            ("words in links", f"{float(self.blocks.link_density[index]):.0%}"),
            ("tags in and before it", str(tags)),
            ("element", selector or "body"),
        )
