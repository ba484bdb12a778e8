"""What the model of ``auto`` predicts: the probability and choice of each block, a page's kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks, blocks_of
from winnow.document.document import Document, Mask
from winnow.extractors.auto.auto_model import PAGE_TYPES, AutoModel
from winnow.extractors.auto.decision import chance, decide
from winnow.extractors.auto.features import attribute_tokens, feature_matrix
from winnow.extractors.auto.features.page_tokens import page_tokens
from winnow.extractors.auto.features.prose_style import is_english, prose_style
from winnow.extractors.auto.page_runs import TEXT as FEWEST
from winnow.extractors.auto.page_runs import PageRuns, headlines_of, page_runs
from winnow.extractors.auto.trees import Forest, staged_sums, sums_of

Floats = npt.NDArray[Any]

TEXT, FEW_LINKS = 100, 0.1
"""Words of a run, and the share of them in links, from which and up to which it is a text."""
_LISTING, _ARTICLE = "listing", "article"
GAINS: Final = {_ARTICLE: 0.01, _LISTING: 0.01, None: 0.01, "forum": 0.05}
"""Of each page type that may be one stretch the log-odds of (1 + gain in F1) / 2 from which it is:
half of them is the gain, about. A manual goes on behind its tables and code, a collection and a
shop's page have several texts, and a thread mostly; an old news page is taken for a thread."""


class PageFeatures(NamedTuple):
    """``matrix``: of the blocks. ``kinds``: what its tokens say of the page's type. ``headlines``:
    the blocks that an ``h1`` begins with. ``style``: how its prose is written."""

    matrix: feature_matrix.Matrix
    kinds: npt.NDArray[np.float32]
    headlines: npt.NDArray[np.int32]
    style: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class PagePrediction:
    """What the model predicts of a page of n blocks.

    ``log_odds``: of each block being content, by its trees alone, (n,). ``probabilities``: averaged
    over blocks of the same path (``averaged``), (n,). ``is_content``: those above ``threshold``, or
    where one of ``runs`` gains more, those of it: of page_runs.STRETCHES that of the index
    ``stretch``, -1 if none. ``linked``: the share of linked words in these. ``page``: the features
    of the whole page, (1, k). ``confidence``: the probability of a good result
    (page_training.GOOD), 0..1.
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
    runs: PageRuns
    stretch: int = -1

    @property
    def rows(self) -> npt.NDArray[np.float32]:
        """The features of the blocks, (n, features)."""
        return self.features.matrix.rows


def predict(document: Document, model: AutoModel) -> PagePrediction | None:
    """The model's prediction of a page; None if it has no block."""
    blocks = blocks_of(document)
    if not blocks.words.size:
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
    runs = page_runs(blocks, found.probabilities, found.is_content, features.headlines)
    known = (rows[0, model.page_columns], found.page, features.kinds, runs.row, features.style)
    page = np.concatenate(known)[None]
    good, *votes = sums_of((model.good, *model.types), page)
    page_type = _most_votes(votes)
    good += model.offset(page_type, is_english=is_english(features.style))
    confidence = chance(good) if len(model.good.roots) else found.expected
    blockwise = PagePrediction(
        blocks, features, scores, found.probabilities, found.is_content, found.threshold,
        found.linked, page, confidence, page_type, runs,
    )  # fmt: skip
    return with_stretch(blockwise, sums_of(model.switch, runs.row[None]))


def with_stretch(found: PagePrediction, gains: Sequence[float]) -> PagePrediction:
    """The prediction of the stretch that gains most, if there is one and not so little is kept that
    no page learned from is like it. A listing that is one run of text is an article, whatever its
    menus.

    ``gains``: the sums of the model's ``switch``.
    """
    stretch, blocks = stretch_of(gains, found.page_type), found.blocks
    if stretch < 0 or int(blocks.words @ found.is_content) < FEWEST:
        return found
    mask = found.runs.masks[stretch]
    words = int(blocks.words @ mask)
    linked = float(blocks.linked_words @ mask) / max(words, 1)
    is_text = stretch > 0 and words >= TEXT and linked <= FEW_LINKS
    page_type = _ARTICLE if is_text and found.page_type == _LISTING else found.page_type
    return replace(found, is_content=mask, linked=linked, stretch=stretch, page_type=page_type)


def stretch_of(gains: Sequence[float], page_type: str | None) -> int:
    """The stretch that gains most, if it gains enough and a page of its type may be one; else -1.

    ``gains``: the sums of the model's ``switch``.
    """
    stretch = max(range(len(gains)), key=gains.__getitem__, default=-1)
    is_better = page_type in GAINS and stretch >= 0 and gains[stretch] > GAINS[page_type]
    return stretch if is_better else -1


def features_of(document: Document, blocks: Blocks, model: AutoModel) -> PageFeatures:
    """The features of each block, which blocks share a path, and those of the page's tokens."""
    tokens = attribute_tokens.element_tokens(document)
    of_blocks = attribute_tokens.block_tokens(document, blocks)
    block_scores = model.lexicon.score(of_blocks, blocks.words.size)
    element_scores = model.lexicon.score(tokens, document.elements.tag.size)
    matrix = feature_matrix.matrix_of(document, blocks, tokens, element_scores, block_scores)
    kinds = model.kinds.score(page_tokens(document, tokens, of_blocks))
    return PageFeatures(
        matrix, kinds, headlines_of(document, blocks), prose_style(document, blocks)
    )


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
