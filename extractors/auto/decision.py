"""Which blocks of a page are content, by the log-odds of each, and what that says of the page.

This is the definition; ``_decision.c``, where it could be built, finds the same numbers. So sums of
broken numbers are from the first to the last, and exponentials and logarithms those of the C
library, as Python's own are: NumPy's differ from them in the last bit, and among machines.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.compiled import loop, optional_module
from winnow.document.document import Mask
from winnow.extractors.auto.features.page_evidence import (
    NAMES,
    evidence,
    exponential,
    natural_log,
    total,
)

_compiled: Any = optional_module("winnow.extractors.auto._decision")

Floats = npt.NDArray[Any]
Row = npt.NDArray[np.float32]

LIKELY: Final = 0.4
"""The probability from which a block counts as content in the features of a whole page."""
AGGREGATES: Final = 8
"""How many numbers ``aggregates`` gives."""
LOWEST, HIGHEST = 0.2, 0.45
"""Bounds of the threshold: beyond them an error in the probabilities costs more than it gains."""

AGREEMENT = (0.2, 0.3)
"""What blocks of the same path weigh, by tags and classes and by tags alone. With a forest of 300
trees this gained .0016 of F1 (training.f1) on folds 1 to 3 of wcxb-dev and .0011 on folds 4 and 5,
.0011 on fundus-publishers, and lost .0006 on newspaper4k-424; no committed command prints it."""
CERTAIN = 1e-4
"""The chance beyond which a group is no surer."""


class Decision(NamedTuple):
    """``probabilities``: of n blocks being content, (n,); ``is_content``: which are taken for it,
    (n,). ``expected``: the F1 to be expected. ``linked``: the share of linked words in what is
    content: front pages and results have many. ``page``: what all that says of the page, numbers
    of ``aggregates`` and of page_evidence.py."""

    probabilities: Floats
    is_content: Mask
    expected: float
    threshold: float
    linked: float
    page: Row


def _decide_compiled(
    blocks: Blocks, scores: Floats, alike: npt.NDArray[np.int32], shift: Floats | None
) -> Decision:
    size = blocks.start.size
    chances, is_content = np.empty(size), np.empty(size, dtype=np.bool_)
    page = np.empty(AGGREGATES + len(NAMES), dtype=np.float32)
    added = b"" if shift is None else np.ascontiguousarray(shift, dtype=np.float64)
    expected, limit, linked = _compiled.decide(
        scores, added, blocks.words, blocks.linked_words, blocks.hidden, alike, *AGREEMENT,
        chances, is_content, page,
    )  # fmt: skip
    return Decision(chances, is_content, expected, limit, linked, page)


def decide_in_python(
    blocks: Blocks, scores: Floats, alike: npt.NDArray[np.int32], shift: Floats | None
) -> Decision:
    """What follows from the log-odds of each block, at least one.

    ``alike``: groups as in feature_matrix.Matrix. ``shift``: what is added to the log-odds after
    their average over blocks of the same path, since static and varying ones may share one.
    """
    smoothed = averaged(scores, blocks.words, alike)
    chances = probability(smoothed if shift is None else smoothed + shift)
    expected = expected_f1(chances, blocks.words)
    limit = threshold(expected)
    is_content = fill_silent(chances > limit, blocks.words)
    whole = aggregates(chances, blocks.words, expected)
    itself = evidence(blocks, chances, is_content, limit)
    linked = float(blocks.linked_words @ is_content) / max(float(blocks.words @ is_content), 1)
    page = np.concatenate([whole, itself])
    return Decision(chances, is_content, expected, limit, linked, page)


decide = loop(_compiled and _decide_compiled, decide_in_python)


def aggregates(probabilities: Floats, words: Floats, expected: float) -> Row:
    """What the blocks say together; (AGGREGATES,)."""
    content, likely = total(probabilities * words), words[probabilities > LIKELY]
    found = (
        content,
        content / max(float(words.sum()), 1),
        len(likely),
        float(probabilities.max()),
        expected,
        float(likely.max(initial=0)),
        float(likely.sum()),
        float(likely.sum()) / max(len(likely), 1),
    )
    return np.array(found, dtype=np.float32)


def probability(score: Floats) -> Floats:
    """Log-odds as probabilities."""
    found: Floats = 1 / (1 + exponential(-np.minimum(np.maximum(score, -30), 30)))
    return found


def chance(score: float) -> float:
    """Log-odds as a probability."""
    return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))


def averaged(score: Floats, words: Floats, alike: npt.NDArray[np.integer]) -> Floats:
    """The log-odds as a weighted mean of each block's own and of those of blocks of its path.

    ``alike``: groups as in feature_matrix.Matrix, each with its weight in AGREEMENT; a block
    counts by its words.
    """
    weight = words + 0.5
    content = probability(score) * weight
    found = score * (1 - sum(AGREEMENT))
    for share, group in zip(AGREEMENT, alike, strict=True):
        size = len(weight)
        every = np.maximum(np.bincount(group, weight, size), 0.5)
        share_of_group = np.bincount(group, content, size) / every
        share_of_group = np.minimum(np.maximum(share_of_group, CERTAIN), 1 - CERTAIN)
        found += share * natural_log(share_of_group / (1 - share_of_group)).take(group)
    return found


def expected_f1(probabilities: Floats, words: Floats) -> float:
    """The best F1 to be expected of any threshold, where the probabilities are true.

    For a threshold it is 2 * (expected content kept) / (words kept + expected content); 0 of a page
    without words.
    """
    order = np.argsort(-probabilities, kind="stable")
    content = np.cumsum((probabilities * words)[order])
    if not len(content) or content[-1] <= 0:
        return 0.0
    return float((2 * content / (np.cumsum(words[order]) + content[-1])).max())


def threshold(expected: float) -> float:
    """Half of the F1 that can be had: below it a block costs more than it brings.

    Lipton, Elkan & Narayanaswamy, "Optimal thresholding of classifiers to maximize F1 measure"
    (2014), theorem 1.
    """
    return min(max(expected / 2, LOWEST), HIGHEST)


def fill_silent(is_content: Mask, words: npt.NDArray[np.integer]) -> Mask:
    """What stands between blocks: one without words (an image) is kept if both neighbours are.

    At the page's edges one neighbour is enough.
    """
    speaks = words > 0
    speaking, silent = speaks.nonzero()[0], (~speaks).nonzero()[0]
    if not len(speaking):
        return np.zeros_like(is_content)
    behind = np.cumsum(speaks)[silent]
    before = speaking[np.maximum(behind - 1, 0)]
    after = speaking[np.minimum(behind, len(speaking) - 1)]
    found = is_content.copy()
    found[silent] = is_content[before] & is_content[after]
    return found
