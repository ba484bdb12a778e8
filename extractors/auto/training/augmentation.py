"""Which scores a training page loses in its second copy (data augmentation).

The scores of class names and short texts are the strongest features; they are learned from pages
that are mostly English and of today. Of a page in another language no text has a score, of an old
page or one of generated class names no element has: three quarters of the pages are learned from a
second time as if they were such a page.
"""

from __future__ import annotations

from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.auto_model import PAGE_TYPES
from winnow.extractors.auto.training.training_examples import AutoExample

WEIGHT: Final = 0.25
"""What a row of a copy weighs, against one of the page itself."""


class VisibleScores(NamedTuple):
    """Which scores are left: those of elements, those of texts."""

    of_elements: bool
    of_texts: bool

    @property
    def of_types(self) -> npt.NDArray[np.float32]:
        """What is left of each score of a page's type: 0 or 1, in the order of
        ``TypeLexicon.score``. What the head says is in the page's language, too."""
        groups = np.array((self.of_elements, self.of_texts, self.of_texts), dtype=np.float32)
        return np.repeat(groups, len(PAGE_TYPES))


EVERY_SCORE: Final = VisibleScores(of_elements=True, of_texts=True)
FEWER_SCORES: Final = (
    VisibleScores(of_elements=True, of_texts=False),
    VisibleScores(of_elements=False, of_texts=True),
    VisibleScores(of_elements=False, of_texts=False),
)
_COPIES: Final = (*FEWER_SCORES, None)


def copy_of(example: AutoExample) -> VisibleScores | None:
    """What is left in a page's second copy; None: it has none. The same in every run."""
    key = f"{example.domain} {len(example.document.markup)} {example.gold_words}"
    return _COPIES[crc32(key.encode()) % len(_COPIES)]
