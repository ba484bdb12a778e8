"""``layout``: keeps what varies on a site's pages (Shinyama, Webstemmer, 2005-2009).

Turns a decision about blocks into an extraction; layout_learner.py and pattern_learning.py learn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.values import Extraction, Span
from winnow.extractors.base import Method, spans_of_pieces
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.layout.content_decision import ContentDecision, decide, other_pages
from winnow.extractors.layout.layout_files import NO_LAYOUT, LearnedLayout, load
from winnow.extractors.layout.page_rows import Ints, PageRows, page_rows_of
from winnow.extractors.layout.pattern_matching import (
    INSIDE,
    SUB,
    MatchingLimits,
    match_patterns,
    pattern_reasons,
)
from winnow.extractors.layout.site_layout import SiteLayout
from winnow.extractors.parameters import OneOf, Range, parameter, unoffered

FEWEST_PAGES: Final = 2
_STATIC: Final = "Static on this site: the same text stands here on {} of {} other pages."
_RUN: Final = "Words less tags score {score:+.1f}; the run with the highest sum is kept."
_CONTAINER: Final = "What varies in the container of the site’s content is kept, all else dropped."
OURS: Final = "ours"
WEBSTEMMER: Final = "webstemmer"
WEBSTEMMER_STRICT: Final = "webstemmer-strict"
MODES: Final = (OURS, WEBSTEMMER, WEBSTEMMER_STRICT)
_LEARNED: Final = ("site", "`winnow learn FOLDER --webstemmer --out FILE` makes one")
UNSURE: Final = 0.2
"""The confidence without other pages of the site."""


@dataclass(frozen=True)
class LayoutExtractor(Method):
    """Keeps what varies on the pages of a site and holds text, compared with its other pages.

    ``site``: a file that ``winnow learn --out`` wrote. Without one, and without a memory, the
    choice is that of simple-mss and unsure. ``mode``: ``ours``, or Webstemmer's own formulas, for
    files of ``winnow learn --webstemmer``: ``webstemmer``, its default, takes the pattern that
    covers most of a page, at least ``match``; in ``webstemmer-strict`` the page must have every
    block of it. Blocks of ``difference`` and ``main`` are main text. ``strict``: the former name of
    ``webstemmer-strict``. ``sub``: which SUB lines, that vary and are no main text, are kept, as
    headings.
    """

    site: str = ""
    mode: str = parameter(OURS, OneOf(MODES))
    strict: bool = unoffered(False)
    match: float = parameter(0.8, Range(0, 1))
    difference: float = parameter(0.5, Range(0, 1))
    main: float = parameter(50.0, Range(0, 100_000))
    sub: str = parameter(INSIDE, OneOf(SUB))
    method: ClassVar[str] = "layout"
    main_parameter: ClassVar[str] = "site"
    needs: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType(
        dict.fromkeys(("strict=true", *(f"mode={mode}" for mode in MODES[1:])), _LEARNED)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        load(self.site)

    @property
    def fingerprint(self) -> str:
        """As for every method, and the digest of the file."""
        return f"{super().fingerprint}+{load(self.site).digest}"

    def extract(self, document: Document) -> Extraction:
        """Label by the layout in the file ``site``."""
        learned = load(self.site)
        if self.has_patterns:
            return match_patterns(document, learned.patterns, self.limits, self.name)
        return self.extract_with(document, learned)

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """The reasons by the layout in the file ``site``."""
        learned = load(self.site)
        if self.has_patterns:
            spans = self.extract(document).spans
            return pattern_reasons(document, learned.patterns, self.limits, spans)
        return self.explain_with(document, learned)

    @property
    def has_patterns(self) -> bool:
        """Whether it works by Webstemmer's patterns, which no memory of a proxy holds."""
        return self.strict or self.mode != OURS

    @property
    def takes_memory(self) -> bool:
        """Whether what a proxy learned of a site changes its result."""
        return not self.site and not self.has_patterns

    @property
    def limits(self) -> MatchingLimits:
        """The thresholds of Webstemmer's modes."""
        strict = self.strict or self.mode == WEBSTEMMER_STRICT
        return MatchingLimits(self.match, self.difference, self.main, strict, self.sub)

    def extract_with(self, document: Document, learned: LearnedLayout = NO_LAYOUT) -> Extraction:
        """Label by a site's layout. Raises ValueError for an invalid memory."""
        page_rows = page_rows_of(document, learned.key, least=1)
        found = decide(document, page_rows, other_pages(page_rows, learned.memory))
        spans = spans_of_blocks(document, page_rows.index[found.is_content])
        if found.pages < FEWEST_PAGES:
            return Extraction(
                self.name,
                spans,
                confidence=UNSURE,
                reasons=("there is no other page of this site in memory",),
            )
        share = _explained_share(found, page_rows.weight)
        of_site = spans_of_blocks(document, page_rows.index[found.static & ~found.is_content])
        reasons = _reasons(found)
        return Extraction(self.name, spans, confidence=share, reasons=reasons, of_site=of_site)

    def explain_with(
        self, document: Document, learned: LearnedLayout = NO_LAYOUT
    ) -> tuple[BlockReason, ...]:
        """The reasons for ``extract_with``. Raises ValueError for an invalid memory."""
        page_rows = page_rows_of(document, learned.key, least=1)
        site = other_pages(page_rows, learned.memory)
        found = decide(document, page_rows, site)
        size = len(blocks_of(document))
        rules, scores = ["It shows no words."] * size, np.zeros(size)
        scores[page_rows.index] = found.scores
        for index in page_rows.index.tolist():
            rules[index] = _RUN if found.is_run else _CONTAINER
        for index, rule in static_rules(page_rows, site):
            rules[index] = rule
        spans = spans_of_blocks(document, page_rows.index[found.is_content])
        return block_reasons(document, spans, rules, scores)


def static_rules(page_rows: PageRows, site: SiteLayout) -> Iterator[tuple[int, str]]:
    """Each static block's index in winnow.document.blocks, and a sentence that it is static."""
    static = site.static(page_rows.text)
    columns = (
        page_rows.index,
        site.page_counts(page_rows.text),
        site.comparable_pages(page_rows.text),
    )
    for index, seen, pages in zip(*(each[static].tolist() for each in columns), strict=True):
        yield index, _STATIC.format(seen, pages)


def spans_of_blocks(document: Document, chosen: Ints) -> tuple[Span, ...]:
    """Spans over the blocks of these indices in winnow.document.blocks."""
    pieces, blocks = np.zeros(len(document.pieces), dtype=bool), blocks_of(document)
    for index in chosen.tolist():
        pieces[blocks.first_piece[index] : blocks.last_piece[index]] = True
    return spans_of_pieces(document, pieces & ~document.hidden)


def _explained_share(found: ContentDecision, weight: Ints) -> float:
    """How much of the page the site's layout explains: what is static, or main and kept."""
    weight_explained = weight[found.static | (found.main & found.is_content)].sum()
    return max(float(weight_explained) / max(float(weight.sum()), 1.0), UNSURE)


def _reasons(found: ContentDecision) -> tuple[str, ...]:
    static = int(found.static.sum())
    return (f"{static} blocks are static on this site, by {found.pages} other pages",)
