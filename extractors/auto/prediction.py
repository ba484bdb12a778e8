"""What the model of ``auto`` predicts: the probability and choice of each block, a page's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document, Mask
from winnow.extractors.auto import attribute_tokens, feature_matrix
from winnow.extractors.auto.auto_model import PAGE_TYPES, AutoModel
from winnow.extractors.auto.decision import chance, decide
from winnow.extractors.auto.page_tokens import page_tokens
from winnow.extractors.auto.trees import Forest, staged_sums, sums_of

Floats = npt.NDArray[Any]


class PageFeatures(NamedTuple):
    """``matrix``: of the blocks. ``kinds``: what its tokens say of the page's type."""

    matrix: feature_matrix.Matrix
    kinds: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class PagePrediction:
    """What the model predicts of a page of n blocks.

    ``log_odds``: of each block being content, by its trees alone, (n,). ``probabilities``: averaged
    over blocks of the same path (``averaged``), (n,). ``is_content``: those above ``threshold``.
    ``linked``: the share of linked words in these. ``page``: the features of the whole page, (1,
    k). ``confidence``: the probability of a good result (page_training.GOOD), 0..1.
    """

    blocks: Blocks
    features: PageFeatures
    log_odds: Floats
    probabilities: Floats
    is_content: Mask
    threshold: float
    linked: float
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
    found = decide(blocks, scores, alike, shift)
    page = np.concatenate([rows[0, model.page_columns], found.page, features.kinds])[None]
    good, *votes = sums_of((model.good, *model.types), page)
    confidence = chance(good) if len(model.good.roots) else found.expected
    return PagePrediction(
        blocks, features, scores, found.probabilities, found.is_content, found.threshold,
        found.linked, page, confidence, _most_votes(votes),
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
    return staged_sums(model.stages, rows)


def page_type(page: npt.NDArray[np.float32], types: Sequence[Forest]) -> str | None:
    """The page type of a page's row by the trees of each; None where there are none."""
    return _most_votes(sums_of(types, page))


def _most_votes(votes: Sequence[float]) -> str | None:
    return PAGE_TYPES[votes.index(max(votes))] if votes else None
