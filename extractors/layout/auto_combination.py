"""``auto``'s probabilities combined with the layout of the site.

Static blocks lose log-odds; blocks that vary and stand where the site's main text stands gain some.
The shift counts only if it raises ``auto``'s confidence and enough pages of the same layout exist.
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
"""Added to a static block's log-odds of being content."""
MAIN: Final = 0.5
"""Added for a block that varies at a path of the site's main text."""


class CombinedPrediction(NamedTuple):
    """A prediction that takes the site into account; ``static``: which blocks are static on the
    site, (blocks,)."""

    prediction: PagePrediction
    static: Mask
    pages: int


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
    main = _block_mask(site.main & site.is_content, page_rows.index, len(found.blocks))
    shift: Floats = STATIC * static + MAIN * main
    combined = prediction(found.blocks, found.matrix, found.log_odds, model, shift)
    if combined.confidence < found.confidence:
        return None
    return CombinedPrediction(combined, static, alike)


def _block_mask(chosen: Mask, index: Ints, size: int) -> Mask:
    found = np.zeros(size, dtype=bool)
    found[index[chosen]] = True
    return found
