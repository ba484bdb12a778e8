"""From a probability a block to the blocks that are kept, and the F1 to expect of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Row = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

LOWEST, HIGHEST = 0.2, 0.45
"""Bounds of the threshold: beyond them an error in the probabilities costs more than it gains."""


AGREEMENT = (0.2, 0.3)
"""What blocks of the same path weigh, by tags and classes and by tags alone. With a forest of 300
trees this gained .0016 of F1 (training.f1) on folds 1 to 3 of wcxb-dev and .0011 on folds 4 and 5,
.0011 on fundus-publishers, and lost .0006 on newspaper4k-424; no committed command prints it."""
CERTAIN = 1e-4
"""The chance beyond which a group is no surer."""


def probability(score: Row) -> Row:
    """Log-odds as probabilities."""
    found: Row = 1 / (1 + np.exp(-np.minimum(np.maximum(score, -30), 30)))
    return found


def averaged(score: Row, words: Row, alike: npt.NDArray[np.integer]) -> Row:
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
        said = np.bincount(group, content, size) / every
        said = np.minimum(np.maximum(said, CERTAIN), 1 - CERTAIN)
        found += share * np.log(said / (1 - said)).take(group)
    return found


def expected_f1(probabilities: Row, words: Row) -> float:
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
    return float(np.clip(expected / 2, LOWEST, HIGHEST))


def fill_silent(kept: Mask, words: npt.NDArray[np.integer]) -> Mask:
    """What stands between blocks: one without words (an image) is kept if both neighbours are.

    At the page's edges one neighbour is enough.
    """
    speaks = words > 0
    speaking, silent = speaks.nonzero()[0], (~speaks).nonzero()[0]
    if not len(speaking):
        return np.zeros_like(kept)
    behind = np.cumsum(speaks)[silent]
    before = speaking[np.maximum(behind - 1, 0)]
    after = speaking[np.minimum(behind, len(speaking) - 1)]
    found = kept.copy()
    found[silent] = kept[before] & kept[after]
    return found
