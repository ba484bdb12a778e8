"""Training of ``auto``: folds by domain, token scores, trees of blocks, then of whole pages.

No feature of a training page comes from its own domain: token scores are those of the other folds,
and the models of whole pages (page_training.py) are trained on predictions of block models that
never saw the page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.document import Document
from winnow.extractors.auto import prediction
from winnow.extractors.auto.auto_model import NO_OFFSETS, PAGE_TYPES, AutoModel
from winnow.extractors.auto.features import feature_matrix
from winnow.extractors.auto.features.attribute_tokens import (
    BITS,
    AttributeTokens,
    Lexicon,
    scores_from,
)
from winnow.extractors.auto.features.page_tokens import TypeLexicon, page_tokens, type_lexicon
from winnow.extractors.auto.features.prose_style import prose_style
from winnow.extractors.auto.page_runs import headlines_of
from winnow.extractors.auto.prediction import PageFeatures, PagePrediction, log_odds
from winnow.extractors.auto.training.augmentation import (
    EVERY_SCORE,
    FEWER_SCORES,
    WEIGHT,
    VisibleScores,
    copy_of,
)
from winnow.extractors.auto.training.confidence_training import ALL, ConfidenceTrainer
from winnow.extractors.auto.training.fitting import AutoTrainingPlan, FittingRows, fit_trees
from winnow.extractors.auto.training.page_training import HeldOutPage, PageTrainer, Score
from winnow.extractors.auto.training.switch_training import OTHER_WEIGHT, trial
from winnow.extractors.auto.training.training_examples import (
    FOLDS,
    AutoExample,
    add_votes,
    sampled_blocks,
    tokens_of,
)
from winnow.extractors.auto.trees import NODE, Forest

Floats = npt.NDArray[Any]
Confidences = npt.NDArray[np.float64]
Say = Callable[[str], None]
_Tokens = tuple[AttributeTokens, AttributeTokens]


@dataclass(frozen=True, slots=True, eq=False)
class TrainedAuto:
    """The model that ships, and the folds' models' predictions of their held-out pages.

    ``confidences``: that each of these pages' results is good, and that of its bare form; (held,
    2), not a number where there is none."""

    model: AutoModel
    held: tuple[HeldOutPage, ...]
    confidences: Confidences


def learn(
    examples: Sequence[AutoExample], plan: AutoTrainingPlan, score: Score, say: Say
) -> TrainedAuto:
    """Train FOLDS models and one of everything; ``say`` is called with each step."""
    trainer = _FoldTrainer(examples, plan, say)
    held = trainer.hold_all_out(score)
    pages = PageTrainer(examples, held, plan)
    sure = pages.confidence()
    model = replace(
        trainer.block_model(ALL),
        types=pages.types(), switch=pages.switch(), good=sure.good(), offsets=sure.offsets(),
    )  # fmt: skip
    return TrainedAuto(model, held, confidences_of(sure))


def confidences_of(sure: ConfidenceTrainer) -> Confidences:
    """Of each held-out page and of its bare form; (held, 2), not a number where there is none."""
    found = list[list[float]]()
    for form, confidence in zip(sure.forms, sure.confidences().tolist(), strict=True):
        if form.is_itself:
            found.append([confidence, math.nan])
        elif form.is_bare:
            found[-1][1] = confidence
    return np.array(found)


def held_out(
    examples: Sequence[AutoExample], plan: AutoTrainingPlan, score: Score, say: Say
) -> tuple[HeldOutPage, ...]:
    """What each fold's model says of the fold's pages, of which it saw no domain."""
    return _FoldTrainer(examples, plan, say).hold_all_out(score)


class _FoldTrainer:
    """What all folds share: tokens and votes of the examples."""

    def __init__(self, examples: Sequence[AutoExample], plan: AutoTrainingPlan, say: Say) -> None:
        self.examples, self.plan, self.say = examples, plan, say
        self.votes = np.zeros((FOLDS, 2, 1 << BITS), dtype=np.float32)
        self.tokens = [tokens_of(example.document, example.blocks) for example in examples]
        for example, tokens in zip(examples, self.tokens, strict=True):
            if example.gold_words and len(example.blocks):
                add_votes(self.votes[example.fold], example, *tokens)
        self.page_tokens = [
            page_tokens(example.document, *tokens)
            for example, tokens in zip(examples, self.tokens, strict=True)
        ]

    def lexicon(self, *without: int) -> Lexicon:
        """What tokens are worth by the votes of all folds but some."""
        folds = [fold for fold in range(FOLDS) if fold not in without]
        content, rest = self.votes[folds].sum(axis=0, dtype=np.float64)
        return Lexicon(scores_from(content, rest))

    def kinds(self, without: int) -> TypeLexicon:
        """What tokens say of page types by the pages of all folds but one."""
        typed = (
            (PAGE_TYPES.index(example.page_type), groups)
            for example, groups in zip(self.examples, self.page_tokens, strict=True)
            if example.page_type in PAGE_TYPES and example.fold != without
        )
        return type_lexicon(typed, len(PAGE_TYPES))

    def hold_all_out(self, score: Score) -> tuple[HeldOutPage, ...]:
        """Every fold's pages, each with its best stretch, and the type that each seems to have."""
        held = tuple(answer for fold in range(FOLDS) for answer in self.hold_out(fold))
        return PageTrainer(self.examples, held, self.plan).chosen(score)

    def hold_out(self, fold: int) -> Iterator[HeldOutPage]:
        """Train without one fold and say what that model says of its pages that have text."""
        model = self.block_model(fold)
        for index, example in enumerate(self.examples):
            if example.fold == fold and len(example.blocks):
                yield self._held_out(index, example, model)

    def block_model(self, fold: int) -> AutoModel:
        """A model of blocks trained without one fold (ALL: with everything)."""
        self.say("everything" if fold == ALL else f"fold {fold + 1} of {FOLDS}")
        training_rows = self._training_rows((fold,), [own for own in range(FOLDS) if own != fold])
        none = Forest(np.zeros(0, dtype=NODE), np.zeros(0, dtype=np.int32))
        forest = fit_trees(training_rows, self.plan.trees)
        return AutoModel(
            self.lexicon(fold), self.kinds(fold), forest, (), none, (), NO_OFFSETS,
            np.median(training_rows.rows, axis=0), feature_matrix.names(), "",
        )  # fmt: skip

    def _training_rows(self, without: Collection[int], folds: Collection[int]) -> FittingRows:
        """The blocks of some folds' pages; tokens' worth by neither their own nor those without."""
        lexicons = {own: self.lexicon(*without, own) for own in folds}
        rows, shares, weights = [], [], []
        for example, tokens in zip(self.examples, self.tokens, strict=True):
            if example.fold not in folds or not len(example.blocks):
                continue
            page, lexicon = (example.document, example.blocks), lexicons[example.fold]
            some, weight = sampled_blocks(example, self.plan.blocks_a_page)
            for visible, share in ((EVERY_SCORE, 1.0), (copy_of(example), WEIGHT)):
                if visible is None:
                    continue
                found, _ = self._rows(*page, lexicon, tokens, visible)
                rows.append(found[some])
                shares.append(example.shares[some])
                weights.append(weight * share)
        return FittingRows(
            np.concatenate(rows), np.concatenate(shares), np.concatenate(weights).astype(np.float32)
        )

    def _rows(
        self,
        document: Document,
        blocks: Blocks,
        lexicon: Lexicon,
        tokens: _Tokens,
        visible: VisibleScores = EVERY_SCORE,
    ) -> feature_matrix.Matrix:
        of_elements, of_blocks = tokens
        element_scores = lexicon.score(of_elements, len(document.elements)) * visible.of_elements
        block_scores = lexicon.score(of_blocks, len(blocks)) * visible.of_texts
        return feature_matrix.matrix_of(document, blocks, of_elements, element_scores, block_scores)

    def _held_out(self, index: int, example: AutoExample, model: AutoModel) -> HeldOutPage:
        page = example.document, example.blocks
        found = self._answer(*page, model, self.tokens[index])
        bare = None
        if example.bare is not None and len(example.bare[1]):
            bare = self._answer(*example.bare, model, tokens_of(*example.bare)).page[0]
        others = self._others(example, model, self.tokens[index])
        trials = (
            trial(found, example.shares, 1.0),
            *(
                trial(other, shares, OTHER_WEIGHT, has_texts=visible.of_texts)
                for other, shares, visible in others
            ),
        )
        rows, alike = found.features.matrix
        matrix = feature_matrix.Matrix(rows[:0], alike[:, :0])
        light = replace(found, features=found.features._replace(matrix=matrix))
        return HeldOutPage(index, light, math.nan, found.page[0], bare, trials)

    def _others(
        self, example: AutoExample, model: AutoModel, tokens: _Tokens
    ) -> Iterator[tuple[PagePrediction, Floats, VisibleScores]]:
        """Predictions of the page with fewer scores, and of its other forms with some or all, with
        the share of content in each block, and these scores."""
        for visible in FEWER_SCORES:
            page = example.document, example.blocks
            yield self._answer(*page, model, tokens, visible), example.shares, visible
        visible = copy_of(example) or EVERY_SCORE
        for document, blocks, shares in example.forms():
            if len(blocks):
                of_form = tokens_of(document, blocks)
                yield self._answer(document, blocks, model, of_form, visible), shares, visible

    def _answer(
        self,
        document: Document,
        blocks: Blocks,
        model: AutoModel,
        tokens: _Tokens,
        visible: VisibleScores = EVERY_SCORE,
    ) -> PagePrediction:
        matrix = self._rows(document, blocks, model.lexicon, tokens, visible)
        kinds = model.kinds.score(page_tokens(document, *tokens)) * visible.of_types
        features = PageFeatures(
            matrix, kinds, headlines_of(document, blocks), prose_style(document, blocks)
        )
        return prediction.prediction(blocks, features, log_odds(matrix.rows, model), model)
