"""``vips``: the best block of a page as a browser draws it. Knows how its parts are joined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.auto.auto_model import manifest, shipped
from winnow.extractors.base import Method
from winnow.extractors.errors import LayoutError, NoBrowserError
from winnow.extractors.vips.block_scoring import SCORES, pieces_of
from winnow.extractors.vips.browser_pool import shared
from winnow.extractors.vips.content_structure import segmented
from winnow.extractors.vips.page_layout import Layouter, PageLayout
from winnow.extractors.vips.visual_tree import VisualTree


@dataclass(frozen=True)
class Vips(Method):
    """Keeps the best block of the page as Chromium lays it out.

    VIPS: a Vision-based Page Segmentation Algorithm (Cai, Yu, Wen, Ma, MSR-TR-2003-79).
    ``granularity``: the permitted degree of coherence, 1..10; ``score``: which block is the best,
    ``auto`` (what auto's model thinks of its words) or ``words`` (a point a word, minus two a tag).
    Raises NoBrowserError where no Chromium is installed: then no page can be laid out.
    """

    granularity: int = 8
    score: str = "auto"

    method: ClassVar[str] = "vips"
    main_parameter: ClassVar[str] = "granularity"
    layouter: ClassVar[Layouter] = shared

    def __post_init__(self) -> None:
        if not 1 <= self.granularity <= 10:
            raise ValueError(f"granularity is 1 to 10, not {self.granularity}")
        if self.score not in SCORES:
            raise ValueError(f"score is one of {', '.join(SCORES)}, not {self.score!r}")

    @property
    def fingerprint(self) -> str:
        """Method, version, parameters, and the digest of the model that scores."""
        model = f":{shipped().digest[:16]}" if self.score == "auto" else ""
        return f"{super().fingerprint}{model}"

    @property
    def taught_by(self) -> Mapping[str, float | None]:
        """What taught the model that scores; how vips does without a page is not known."""
        return dict.fromkeys(manifest()["packages"]) if self.score == "auto" else {}

    def extract(self, document: Document) -> Extraction:
        """Lay the page out and keep its best block."""
        try:
            layout = self.layouter(document)
        except NoBrowserError:
            raise
        except LayoutError as error:
            return Extraction(self.name, confidence=0.0, reasons=(str(error),))
        return self.chosen(document, layout)

    def chosen(self, document: Document, layout: PageLayout) -> Extraction:
        """The best block of a page that is laid out already."""
        tree = VisualTree(document, layout)
        blocks = segmented(tree, self.granularity)
        if not blocks:
            return Extraction(self.name, confidence=0.0, reasons=("nothing of it can be seen",))
        best = int(np.argmax(SCORES[self.score](document, tree.shown, blocks)))
        return self.kept(document, pieces_of(document, tree.shown, blocks[best]))
