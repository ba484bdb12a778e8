"""What the model of ``auto`` predicts: of each block its probability, of a page its kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document, Mask
from winnow.extractors.auto import attribute_tokens, decision, feature_matrix
from winnow.extractors.auto.auto_model import PAGE_TYPES, AutoModel
from winnow.extractors.auto.trees import Forest

Floats = npt.NDArray[Any]

LIKELY: Final = 0.4
"""The probability from which a block counts as content in the features of a whole page."""


@dataclass(frozen=True, slots=True, eq=False)
class PagePrediction:
    """What the model predicts of a page of n blocks.

    ``log_odds``: of each block being content, by its trees alone, (n,). ``probabilities``: averaged
    over blocks of the same path (decision.averaged), (n,). ``kept``: those above ``threshold``.
    ``confidence``: the probability that the page has main content, 0..1.
    """

    blocks: Blocks
    matrix: feature_matrix.Matrix
    log_odds: Floats
    probabilities: Floats
    kept: Mask
    threshold: float
    confidence: float
    page_type: str | None

    @property
    def rows(self) -> npt.NDArray[np.float32]:
        """The features, (n, features)."""
        return self.matrix.rows


def predict(document: Document, model: AutoModel) -> PagePrediction | None:
    """The model's prediction of a page; None if it has no block."""
    blocks = blocks_of(document)
    if not len(blocks):
        return None
    matrix = features_of(document, blocks, model)
    return prediction(blocks, matrix, log_odds(matrix.rows, model), model)


def prediction(
    blocks: Blocks,
    matrix: feature_matrix.Matrix,
    scores: Floats,
    model: AutoModel,
    shift: Floats | None = None,
) -> PagePrediction:
    """What follows from the log-odds of each block, at least one.

    ``shift``: what pages of the same site add to those log-odds; after the average over blocks of
    the same path, since static and varying ones may share one.
    """
    rows, alike = matrix
    averaged = decision.averaged(scores, blocks.words, alike)
    probabilities = decision.probability(averaged if shift is None else averaged + shift)
    expected = decision.expected_f1(probabilities, blocks.words)
    threshold = decision.threshold(expected)
    page = page_features(rows, model, probabilities, blocks.words, expected)
    kept = decision.fill_silent(probabilities > threshold, blocks.words)
    has_forest = len(model.sure.roots) > 0
    confidence = float(decision.probability(model.sure.sum(page))[0]) if has_forest else expected
    kind = page_type(page, model.types)
    return PagePrediction(blocks, matrix, scores, probabilities, kept, threshold, confidence, kind)


def features_of(document: Document, blocks: Blocks, model: AutoModel) -> feature_matrix.Matrix:
    """The features of each block, and which blocks share a path."""
    tokens = attribute_tokens.element_tokens(document)
    of_blocks = attribute_tokens.block_tokens(document, blocks)
    block_scores = model.lexicon.score(of_blocks, len(blocks))
    element_scores = model.lexicon.score(tokens, len(document.elements))
    return feature_matrix.matrix_of(document, blocks, tokens, element_scores, block_scores)


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
    """The features of the whole page as one row: its own, and aggregates of its blocks."""
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
    return np.concatenate([rows[0, model.page_columns], aggregates]).astype(np.float32)[None]


def page_type(page: npt.NDArray[np.float32], types: Sequence[Forest]) -> str | None:
    """The page type of a page's row by the trees of each; None where there are none."""
    votes = [forest.sum(page)[0] for forest in types]
    return PAGE_TYPES[int(np.argmax(votes))] if votes else None
