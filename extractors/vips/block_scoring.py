"""Scores of visual blocks: which one is the main block."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import prefix_sums
from winnow.document.document import Document, Mask
from winnow.extractors.auto.auto_model import shipped
from winnow.extractors.auto.prediction import predict
from winnow.extractors.vips.content_structure import ContentBlock

Floats = npt.NDArray[Any]
Score = Callable[[Document, Mask, Sequence[ContentBlock]], Floats]

_PER_TAG: Final = 2
"""What a tag costs where a word is one point."""


def by_words(document: Document, shown: Mask, blocks: Sequence[ContentBlock]) -> Floats:
    """One point a visible word, minus two a tag between its first and its last text; (blocks,)."""
    words = _totals(document.piece_words * shown, blocks)
    before = document.tags_before
    tags = [
        sum(int(before[last - 1] - before[first]) for first, last in block.ranges)
        for block in blocks
    ]
    return words - _PER_TAG * np.array(tags, dtype=np.float64)


def by_auto(document: Document, shown: Mask, blocks: Sequence[ContentBlock]) -> Floats:
    """The expected F1 of each block by ``auto``'s probabilities; (blocks,)."""
    found = predict(document, shipped())
    if found is None:
        return np.zeros(len(blocks))
    pieces = found.blocks.last_piece - found.blocks.first_piece
    chances = np.repeat(found.probabilities, pieces)
    words = document.piece_words * shown
    expected = _totals(words * chances, blocks)
    total = float((document.piece_words * chances).sum())
    return 2 * expected / np.maximum(_totals(words, blocks) + total, 1)


SCORES: Final[Mapping[str, Score]] = MappingProxyType({"words": by_words, "auto": by_auto})


def innermost_scores(document: Document, blocks: Sequence[ContentBlock], scores: Floats) -> Floats:
    """The score of the innermost block around each piece, 0 where there is none; (pieces,)."""
    found = np.zeros(len(document.pieces))
    for block, score in zip(blocks, scores.tolist(), strict=True):  # parents before children
        for first, last in block.ranges:
            found[first:last] = score
    return found


def pieces_of(document: Document, shown: Mask, block: ContentBlock) -> Mask:
    """The visible pieces of a block; shape (pieces,)."""
    is_content = np.zeros(len(document.pieces), dtype=bool)
    for first, last in block.ranges:
        is_content[first:last] = True
    return is_content & shown


def _totals(values: Floats, blocks: Sequence[ContentBlock]) -> Floats:
    """The sum of a value of pieces over each block; (blocks,)."""
    before = prefix_sums(values)
    return np.array(
        [sum(before[last] - before[first] for first, last in block.ranges) for block in blocks]
    )
