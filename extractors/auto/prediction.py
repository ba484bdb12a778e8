"""What the model of ``auto`` predicts: the probability and choice of each block, a page's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document, Mask
from winnow.extractors.auto import attribute_tokens, feature_matrix
from winnow.extractors.auto.auto_model import PAGE_TYPES, AutoModel
from winnow.extractors.auto.page_evidence import evidence
from winnow.extractors.auto.page_tokens import page_tokens
from winnow.extractors.auto.trees import Forest

Floats = npt.NDArray[Any]

LIKELY: Final = 0.4
"""The probability from which a block counts as content in the features of a whole page."""


class PageFeatures(NamedTuple):
    """``matrix``: of the blocks. ``kinds``: what its tokens say of the page's type."""

    matrix: feature_matrix.Matrix
    kinds: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class PagePrediction:
    """What the model predicts of a page of n blocks.

    ``log_odds``: of each block being content, by its trees alone, (n,). ``probabilities``: averaged
    over blocks of the same path (``averaged``), (n,). ``is_content``: those above ``threshold``.
    ``page``: the features of the whole page, (1, k). ``confidence``: the probability of a good
    result (page_training.GOOD), 0..1.
    """

    blocks: Blocks
    features: PageFeatures
    log_odds: Floats
    probabilities: Floats
    is_content: Mask
    threshold: float
    page: npt.NDArray[np.float32]
    confidence: float
    page_type: str | None

    @property
    def rows(self) -> npt.NDArray[np.float32]:
        """The features of the blocks, (n, features)."""
        return self.features.matrix.rows


def predict(document: Document, model: AutoModel) -> PagePrediction | None:
    """The model's prediction of a page; None if it has no block."""
    blocks = blocks_of(document)
    if not len(blocks):
        return None
    features = features_of(document, blocks, model)
    return prediction(blocks, features, log_odds(features.matrix.rows, model), model)


def prediction(
    blocks: Blocks,
    features: PageFeatures,
    scores: Floats,
    model: AutoModel,
    shift: Floats | None = None,
) -> PagePrediction:
    """What follows from the log-odds of each block, at least one.

    ``shift``: what pages of the same site add to those log-odds; after the average over blocks of
    the same path, since static and varying ones may share one.
    """
    rows, alike = features.matrix
    smoothed = averaged(scores, blocks.words, alike)
    probabilities = probability(smoothed if shift is None else smoothed + shift)
    expected = expected_f1(probabilities, blocks.words)
    limit = threshold(expected)
    is_content = fill_silent(probabilities > limit, blocks.words)
    whole = page_features(rows, model, probabilities, blocks.words, expected)
    itself = evidence(blocks, probabilities, is_content, limit)
    page = np.concatenate([whole, itself, features.kinds])[None]
    confidence = float(probability(model.good.sum(page))[0]) if len(model.good.roots) else expected
    return PagePrediction(
        blocks, features, scores, probabilities, is_content, limit, page, confidence,
        page_type(page, model.types),
    )  # fmt: skip


def features_of(document: Document, blocks: Blocks, model: AutoModel) -> PageFeatures:
    """The features of each block, which blocks share a path, and those of the page's tokens."""
    tokens = attribute_tokens.element_tokens(document)
    of_blocks = attribute_tokens.block_tokens(document, blocks)
    block_scores = model.lexicon.score(of_blocks, len(blocks))
    element_scores = model.lexicon.score(tokens, len(document.elements))
    matrix = feature_matrix.matrix_of(document, blocks, tokens, element_scores, block_scores)
    return PageFeatures(matrix, model.kinds.score(page_tokens(document, tokens, of_blocks)))


def log_odds(rows: npt.NDArray[np.float32], model: AutoModel) -> Floats:
    """The log-odds of each row being content.

    Most blocks are decided by the first trees; only the others are passed to the next stage.
    """
    score, undecided = np.zeros(len(rows)), np.arange(len(rows))
    for forest, limit in model.stages:
        score[undecided] += forest.sum(rows, undecided)
        undecided = undecided[np.abs(score[undecided]) < limit]
    return score


def page_features(
    rows: npt.NDArray[np.float32],
    model: AutoModel,
    probabilities: Floats,
    words: Floats,
    expected: float,
) -> npt.NDArray[np.float32]:
    """The features of the whole page, its own and aggregates of its blocks; (features,)."""
    content, likely = float((probabilities * words).sum()), words[probabilities > LIKELY]
    aggregates = (
        content,
        content / max(float(words.sum()), 1),
        len(likely),
        float(probabilities.max()),
        expected,
        float(likely.max(initial=0)),
        float(likely.sum()),
        float(likely.sum()) / max(len(likely), 1),
    )
    return np.concatenate([rows[0, model.page_columns], aggregates]).astype(np.float32)


def page_type(page: npt.NDArray[np.float32], types: Sequence[Forest]) -> str | None:
    """The page type of a page's row by the trees of each; None where there are none."""
    votes = [forest.sum(page)[0] for forest in types]
    return PAGE_TYPES[int(np.argmax(votes))] if votes else None


LOWEST, HIGHEST = 0.2, 0.45
"""Bounds of the threshold: beyond them an error in the probabilities costs more than it gains."""


AGREEMENT = (0.2, 0.3)
"""What blocks of the same path weigh, by tags and classes and by tags alone. With a forest of 300
trees this gained .0016 of F1 (training.f1) on folds 1 to 3 of wcxb-dev and .0011 on folds 4 and 5,
.0011 on fundus-publishers, and lost .0006 on newspaper4k-424; no committed command prints it."""
CERTAIN = 1e-4
"""The chance beyond which a group is no surer."""


def probability(score: Floats) -> Floats:
    """Log-odds as probabilities."""
    found: Floats = 1 / (1 + np.exp(-np.minimum(np.maximum(score, -30), 30)))
    return found


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
        found += share * np.log(share_of_group / (1 - share_of_group)).take(group)
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
