"""``vips``: the best block of a page as a browser draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from winnow.document.blocks import blocks_of
from winnow.document.document import Document
from winnow.document.render.style_sheets import sheets_of
from winnow.document.values import Extraction
from winnow.extractors.auto.auto_model import manifest, shipped
from winnow.extractors.base import Method, spans_of_pieces
from winnow.extractors.errors import LayoutError, NoBrowserError
from winnow.extractors.explanation import BlockReason, block_reasons
from winnow.extractors.parameters import OneOf, Range, parameter
from winnow.extractors.vips.block_scoring import SCORES, Floats, innermost_scores, pieces_of
from winnow.extractors.vips.browser_pool import shared
from winnow.extractors.vips.content_structure import ContentBlock, content_structure
from winnow.extractors.vips.page_layout import Layouter, PageLayout
from winnow.extractors.vips.visual_tree import VisualTree

_NOT_VISIBLE: Final = "nothing of it can be seen"
_RULE: Final = (
    "The innermost visual block around it scores {score:.3g}; the best one of the page, "
    "{threshold:.3g}, is kept."
)


@dataclass(frozen=True)
class Vips(Method):
    """Keeps the best block of the page as Chromium lays it out.

    VIPS: a Vision-based Page Segmentation Algorithm (Cai, Yu, Wen, Ma, MSR-TR-2003-79).
    ``granularity``: the permitted degree of coherence, 1..10; ``score``: which block is the best,
    ``auto`` (the F1 expected by auto's model) or ``words`` (a point a word, minus two a tag).
    Raises NoBrowserError where no Chromium is installed: then no page can be laid out.
    """

    granularity: int = parameter(8, Range(1, 10))
    score: str = parameter("auto", OneOf(tuple(SCORES)))

    method: ClassVar[str] = "vips"
    main_parameter: ClassVar[str] = "granularity"
    version: ClassVar[int] = 4
    layouter: ClassVar[Layouter] = shared

    @property
    def fingerprint(self) -> str:
        """Method, version, parameters, and the digest of the model that scores."""
        model = f":{shipped().digest[:16]}" if self.score == "auto" else ""
        return f"{super().fingerprint}{model}"

    @property
    def training_packages(self) -> Mapping[str, float | None]:
        """The packages of the scoring model; no F1 of vips on unseen sites was measured."""
        return dict.fromkeys(manifest()["packages"]) if self.score == "auto" else {}

    def extract(self, document: Document) -> Extraction:
        """Lay the page out and keep its best block."""
        try:
            layout = self.layouter(document)
        except NoBrowserError:
            raise
        except LayoutError as error:
            return Extraction(self.name, confidence=0.0, reasons=(str(error),))
        return self.extract_laid_out(document, layout)

    def explain(self, document: Document) -> tuple[BlockReason, ...]:
        """The score of the innermost visual block around each block."""
        try:
            layout = self.layouter(document)
        except NoBrowserError:
            raise
        except LayoutError as error:
            return block_reasons(document, (), str(error))
        tree, blocks, scores = self._scored(document, layout)
        if not blocks:
            return block_reasons(document, (), _NOT_VISIBLE)
        best = int(np.argmax(scores))
        spans = spans_of_pieces(document, pieces_of(document, tree.shown, blocks[best]))
        inner = innermost_scores(document, blocks, scores)[blocks_of(document).first_piece]
        return block_reasons(document, spans, _RULE, inner, float(scores[best]))

    def extract_laid_out(self, document: Document, layout: PageLayout) -> Extraction:
        """The best block of a page that is laid out already."""
        tree, blocks, scores = self._scored(document, layout)
        if not blocks:
            return Extraction(self.name, confidence=0.0, reasons=(_NOT_VISIBLE,))
        best = pieces_of(document, tree.shown, blocks[int(np.argmax(scores))])
        named = sheets_of(document)
        used = sum(url in named and bool(text) for url, text in document.page.sheets)
        styled = f"laid out with {used} of {len(named)} style sheets"
        styled += f", {dict(document.page.beside).get('sheets')}" * bool(used)
        return self.extraction_of(document, best, *([styled] if named else []))

    def _scored(
        self, document: Document, layout: PageLayout
    ) -> tuple[VisualTree, tuple[ContentBlock, ...], Floats]:
        tree = VisualTree(document, layout)
        blocks = content_structure(tree, self.granularity)
        return tree, blocks, SCORES[self.score](document, tree.shown, blocks)
