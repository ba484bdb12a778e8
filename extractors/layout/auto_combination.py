"""``auto`` and what is known of the site, together. Knows odds; refuses to know how either is made.

What is static on the site is content no longer, what varies and stands where the site's main text
stands is so more likely. That counts only where it makes ``auto`` surer, and only where enough
pages of the same layout are knowledge.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from winnow.document.document import Document
from winnow.document.values import SiteKnowledge
from winnow.extractors.auto.auto_model import AutoModel
from winnow.extractors.auto.prediction import Floats, PagePrediction, prediction
from winnow.extractors.layout.content_decision import decide, other_pages, pages_alike
from winnow.extractors.layout.page_rows import Ints, page_rows_of
from winnow.extractors.layout.site_layout import Mask

STATIC: Final = -6.0
"""What being static adds to a block's log-odds of being content."""
MAIN: Final = 0.5
"""What standing, and varying, where the site's main text stands adds."""


class Joined(NamedTuple):
    """A judgement with the site's; ``static``: which blocks are static on the site, (blocks,)."""

    prediction: PagePrediction
    static: Mask
    pages: int


def with_site(
    document: Document,
    found: PagePrediction,
    model: AutoModel,
    memory: bytes,
    knowledge: SiteKnowledge,
) -> Joined | None:
    """The judgement, made again with what the site's pages taught; None where it does not count.

    Raises ValueError for a memory that is none.
    """
    page_rows = page_rows_of(document, knowledge.key, least=1)
    layout = other_pages(page_rows, memory)
    alike = pages_alike(page_rows, layout)
    if alike < knowledge.pages:
        return None
    site = decide(document, page_rows, layout)
    static = _spread(site.static, page_rows.index, len(found.blocks))
    main = _spread(site.main & site.kept, page_rows.index, len(found.blocks))
    shift: Floats = STATIC * static + MAIN * main
    again = prediction(found.blocks, found.matrix, found.log_odds, model, shift)
    if again.confidence < found.confidence:
        return None
    return Joined(again, static, alike)


def _spread(chosen: Mask, index: Ints, size: int) -> Mask:
    found = np.zeros(size, dtype=bool)
    found[index[chosen]] = True
    return found
