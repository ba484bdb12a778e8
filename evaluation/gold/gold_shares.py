"""The share of each block of a page that its gold text holds.

Word by word, the longest common subsequence (winnow.evaluation.gold.alignment); gold in another
order than the page's is then found block by block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.document import Document
from winnow.evaluation.gold.alignment import aligned
from winnow.evaluation.measuring.words import words

MOVED_WORDS: Final = 4
"""Words below which a block out of order is taken for chance."""
MOST_CELLS: Final = 400_000_000
"""Page words times gold words beyond which order is not looked at (the alignment is quadratic)."""

Shares = npt.NDArray[np.float32]


def shares_of(document: Document, blocks: Blocks, gold: str) -> Shares:
    """How much of each block's words the gold text holds, 0..1; shape (blocks,)."""
    texts = [
        words(document.text[start:end])
        for start, end in zip(blocks.start.tolist(), blocks.end.tolist(), strict=True)
    ]
    wanted = words(gold)
    number = np.array([len(text) for text in texts], dtype=np.int64)
    owner = np.repeat(np.arange(len(texts)), number)
    found = _found([word for text in texts for word in text], wanted)
    shares = np.bincount(owner, found, len(texts)) / np.maximum(number, 1)
    _add_moved(shares, texts, wanted)
    return shares.astype(np.float32)


def _found(page: Sequence[str], gold: Sequence[str]) -> npt.NDArray[np.bool_]:
    if len(page) * len(gold) <= MOST_CELLS:
        return aligned(page, gold)
    distinct = set(gold)
    return np.array([word in distinct for word in page], dtype=bool)


def _add_moved(
    shares: npt.NDArray[np.float64], texts: Sequence[list[str]], gold: Sequence[str]
) -> None:
    """Mark blocks whose words are all left over in the gold text, the longest first."""
    left = Counter(gold)
    for index in np.flatnonzero(shares >= 0.5).tolist():
        left.subtract(texts[index])
    for index in sorted(range(len(texts)), key=lambda index: -len(texts[index])):
        if len(texts[index]) < MOVED_WORDS:
            break
        block = Counter(texts[index])
        if shares[index] < 0.5 and all(left[word] >= times for word, times in block.items()):
            shares[index] = 1
            left.subtract(block)
