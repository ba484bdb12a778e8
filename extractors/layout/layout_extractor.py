"""``layout``: keeps what varies on a site's pages (Shinyama, Webstemmer, 2005-2009).

Knows how a verdict becomes an extraction; learns nothing itself (learner.py, learning.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.base import Method, spans_of_pieces
from winnow.extractors.layout.content_decision import ContentVerdict, judge, others
from winnow.extractors.layout.layout_files import NOTHING, LearnedLayout, load
from winnow.extractors.layout.page_rows import Ints, look
from winnow.extractors.layout.pattern_matching import MatchingLimits, matched

FEW: Final = 2
UNSURE: Final = 0.2
"""The confidence where nothing is known of the site."""


@dataclass(frozen=True)
class LayoutExtractor(Method):
    """Keeps what varies on the pages of a site and holds text, by what its other pages taught.

    ``site``: a file that ``winnow learn --out`` wrote. Without one, and without a memory, the
    choice is that of simple-mss and unsure. ``strict``: Webstemmer's own formulas, for files of
    ``winnow learn --strict``: a page must have the layout of a pattern, at least as similar as
    ``match``, and blocks of ``difference`` and ``main`` are kept.
    """

    site: str = ""
    strict: bool = False
    match: float = 0.8
    difference: float = 0.5
    main: float = 50.0
    method: ClassVar[str] = "layout"
    main_parameter: ClassVar[str] = "site"

    def __post_init__(self) -> None:
        load(self.site)

    @property
    def fingerprint(self) -> str:
        """As for every method, and the digest of the file."""
        return f"{super().fingerprint}+{load(self.site).digest}"

    def extract(self, document: Document) -> Extraction:
        """Label by what the file knows."""
        known = load(self.site)
        if self.strict:
            limits = MatchingLimits(self.match, self.difference, self.main)
            return matched(document, known.patterns, limits, self.name)
        return self.extract_knowing(document, known)

    def extract_knowing(self, document: Document, known: LearnedLayout = NOTHING) -> Extraction:
        """Label by what is known. Raises ValueError for a memory that is none."""
        sight = look(document, known.key, least=1)
        found = judge(document, sight, others(sight, known.memory))
        pieces = np.zeros(len(document.pieces), dtype=bool)
        for index in sight.index[found.kept].tolist():
            pieces[sight.blocks.first_piece[index] : sight.blocks.last_piece[index]] = True
        spans = spans_of_pieces(document, pieces & ~document.hidden)
        if found.pages < FEW:
            return Extraction(
                self.name,
                spans,
                confidence=UNSURE,
                reasons=("no other page of this site is known",),
            )
        share = _explained(found, sight.weight)
        return Extraction(self.name, spans, confidence=share, reasons=_reasons(found))


def _explained(found: ContentVerdict, weight: Ints) -> float:
    """How much of the page the site's layout explains: what is static, or main and kept."""
    told = weight[found.static | (found.main & found.kept)].sum()
    return max(float(told) / max(float(weight.sum()), 1.0), UNSURE)


def _reasons(found: ContentVerdict) -> tuple[str, ...]:
    static = int(found.static.sum())
    return (f"{static} blocks are static on this site, by {found.pages} other pages",)
