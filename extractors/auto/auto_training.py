"""Training of ``auto``: folds by domain, token scores, trees of blocks, then of whole pages.

No feature of a training page comes from its own domain: token scores are those of the other folds,
and the models of whole pages are trained on predictions of block models that never saw the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.document.blocks import Blocks
from winnow.document.document import Document
from winnow.extractors.auto import feature_matrix, prediction
from winnow.extractors.auto.attribute_tokens import BITS, AttributeTokens, Lexicon, scores_from
from winnow.extractors.auto.auto_model import PAGE_TYPES, AutoModel
from winnow.extractors.auto.fitting import AutoTrainingPlan, FittingRows, fit_trees  # fmt: skip
from winnow.extractors.auto.prediction import log_odds, page_features, page_type
from winnow.extractors.auto.training_examples import (
    FOLDS,
    AutoExample,
    add_votes,
    f1,
    sampled_blocks,
    tokens_of,
)
from winnow.extractors.auto.trees import NODE, Forest

STEP, PATIENCE = 20, 100
"""Trees between two looks at F1, and trees that may bring nothing before growing stops."""
ALL: Final = -1
"""The fold that leaves nothing out: what ships."""

Confidences = npt.NDArray[np.float64]
INDEXES: Final = frozenset({"collection", "listing"})
"""Page types whose content is entries that lead elsewhere."""
INDEX_WEIGHT: Final = 0.1

Floats = npt.NDArray[Any]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutPage:
    """What a fold's model says of one page that it never saw. ``page``: the page's row."""

    example: int
    is_content: npt.NDArray[np.bool_]
    page: npt.NDArray[np.float32]
    bare_page: npt.NDArray[np.float32] | None


@dataclass(frozen=True, slots=True, eq=False)
class TrainedAuto:
    """The model that ships, and the folds' models' predictions of their held-out pages.

    ``confidences``: that each of these pages has content, and that it has without it; (held, 2),
    not a number where there is no bare form. ``kinds``: the page type each seems to have."""

    model: AutoModel
    held: tuple[HeldOutPage, ...]
    confidences: Confidences
    kinds: tuple[str | None, ...] = ()


def learn(examples: Sequence[AutoExample], plan: AutoTrainingPlan, say: Say) -> TrainedAuto:
    """Train FOLDS models and one of everything; ``say`` is called with each step."""
    trainer = _FoldTrainer(examples, plan, say)
    trainer.choose_size()
    held = [answer for fold in range(FOLDS) for answer in trainer.hold_out(fold)]
    return TrainedAuto(
        trainer.final_model(held), tuple(held), trainer.confidences(held), trainer.kinds(held)
    )


def grown(f1_by_size: Iterable[tuple[int, float]]) -> int:
    """The size with the best F1 among those up to PATIENCE trees behind it."""
    best_size, best = 0, -1.0
    for size, found in f1_by_size:
        if found > best:
            best_size, best = size, found
        elif size - best_size >= PATIENCE:
            break
    return best_size


class _FoldTrainer:
    """What all folds share: tokens and votes of the examples."""

    def __init__(self, examples: Sequence[AutoExample], plan: AutoTrainingPlan, say: Say) -> None:
        self.examples, self.plan, self.say = examples, plan, say
        self.votes = np.zeros((FOLDS, 2, 1 << BITS), dtype=np.float32)
        self.tokens = [tokens_of(example.document, example.blocks) for example in examples]
        for example, tokens in zip(examples, self.tokens, strict=True):
            if example.gold_words and len(example.blocks):
                add_votes(self.votes[example.fold], example, *tokens)

    def lexicon(self, *without: int) -> Lexicon:
        """What tokens are worth by the votes of all folds but some."""
        folds = [fold for fold in range(FOLDS) if fold not in without]
        content, rest = self.votes[folds].sum(axis=0, dtype=np.float64)
        return Lexicon(scores_from(content, rest))

    def choose_size(self) -> None:
        """Choose the number of trees, once for all folds: by the F1 that trees of all folds but the
        first two have on the second's pages. Growing stops where PATIENCE trees brought nothing.

        The reported figures of one fold in five know that one number. (The loss would stop at a
        third of the trees, where F1 is still .003 lower.)
        """
        without = (0, 1)
        forest = fit_trees(self._training_rows(without, range(2, FOLDS)), self.plan.trees)
        size = grown(self._f1_by_size(forest, without))
        self.plan = replace(self.plan, trees=replace(self.plan.trees, trees=size))
        self.say(f"{size} trees")

    def _f1_by_size(self, forest: Forest, without: tuple[int, int]) -> Iterator[tuple[int, float]]:
        """Mean F1 of the second fold's pages after each STEP of trees."""
        lexicon = self.lexicon(*without)
        pages = [
            (example, *self._rows(example.document, example.blocks, lexicon, tokens))
            for example, tokens in zip(self.examples, self.tokens, strict=True)
            if example.fold == without[1] and len(example.blocks)
        ]
        score = np.zeros(sum(len(rows) for _, rows, _ in pages))
        ends = np.cumsum([len(rows) for _, rows, _ in pages])
        every = np.concatenate([rows for _, rows, _ in pages])
        for start in range(0, len(forest.roots), STEP):
            some = forest.of(forest.roots[start : start + STEP])
            score += some.sum(every)
            found = [
                f1(example, prediction.averaged(own, example.blocks.words, alike))
                for own, (example, _, alike) in zip(np.split(score, ends[:-1]), pages, strict=True)
            ]
            yield min(start + STEP, len(forest.roots)), float(np.mean(found))

    def hold_out(self, fold: int) -> Iterator[HeldOutPage]:
        """Train without one fold and say what that model says of its pages."""
        model = self.block_model(fold)
        for index, example in enumerate(self.examples):
            if example.fold == fold:
                yield self._held_out(index, example, model)

    def block_model(self, fold: int) -> AutoModel:
        """A model of blocks trained without one fold (ALL: with everything)."""
        self.say("everything" if fold == ALL else f"fold {fold + 1} of {FOLDS}")
        training_rows = self._training_rows((fold,), [own for own in range(FOLDS) if own != fold])
        none = Forest(np.zeros(0, dtype=NODE), np.zeros(0, dtype=np.int32))
        return AutoModel(
            self.lexicon(fold), fit_trees(training_rows, self.plan.trees), (), none,
            np.median(training_rows.rows, axis=0), feature_matrix.names(), "",
        )  # fmt: skip

    def final_model(self, held: Sequence[HeldOutPage]) -> AutoModel:
        """The model of everything, with the page features of the held-out pages."""
        model = self.block_model(ALL)
        return AutoModel(
            model.lexicon, model.forest, self.types(held), self.sure(held),
            model.typical, model.names, "",
        )  # fmt: skip

    def types(self, held: Sequence[HeldOutPage], without: int = ALL) -> tuple[Forest, ...]:
        """Trees for each page type, by the pages that have a type; one fold is left out."""
        typed = [
            answer for answer in held
            if self.examples[answer.example].page_type in PAGE_TYPES
            and self.examples[answer.example].fold != without
        ]  # fmt: skip
        if not typed:
            return ()
        kinds = [self.examples[answer.example].page_type for answer in typed]
        pages = np.stack([answer.page for answer in typed])
        return tuple(
            fit_trees(_plain(pages, np.array([kind == one for one in kinds])), self.plan.types)
            for kind in PAGE_TYPES
        )

    def kinds(self, held: Sequence[HeldOutPage]) -> tuple[str | None, ...]:
        """The page type that each page seems to have to trees that never saw the fold."""
        forests = [self.types(held, fold) for fold in range(FOLDS)]
        folds = [self.examples[answer.example].fold for answer in held]
        return tuple(
            page_type(answer.page[None], forests[fold])
            for fold, answer in zip(folds, held, strict=True)
        )

    def sure(self, held: Sequence[HeldOutPage], without: int = ALL) -> Forest:
        """Trees that separate pages with main content from others; one fold is left out.

        Without are pages of empty gold and those whose content was taken away. Collections and
        listings count little for those with: much of what makes them is on front pages too.
        """
        rows, truth, weights = [], [], []
        for answer in held:
            example = self.examples[answer.example]
            if example.fold == without:
                continue
            rows.append(answer.page)
            truth.append(float(example.gold_words > 0))
            index = example.page_type in INDEXES and example.gold_words > 0
            weights.append(INDEX_WEIGHT if index else 1.0)
            if answer.bare_page is not None:
                rows.append(answer.bare_page)
                truth.append(0.0)
                weights.append(1.0)
        training_rows = FittingRows(
            np.stack(rows).astype(np.float32),
            np.array(truth, dtype=np.float32),
            np.array(weights, dtype=np.float32),
        )
        return fit_trees(training_rows, self.plan.sure)

    def confidences(self, held: Sequence[HeldOutPage]) -> Confidences:
        """How sure a model is, that never saw the fold, of each page and of its bare form."""
        found = np.full((len(held), 2), np.nan)
        for fold in range(FOLDS):
            sure = self.sure(held, fold)
            for index, answer in enumerate(held):
                if self.examples[answer.example].fold == fold:
                    found[index, 0] = sure.sum(answer.page[None])[0]
                    if answer.bare_page is not None:
                        found[index, 1] = sure.sum(answer.bare_page[None])[0]
        return prediction.probability(found)

    def _training_rows(self, without: Collection[int], folds: Collection[int]) -> FittingRows:
        """The blocks of some folds' pages; tokens' worth by neither their own nor those without."""
        lexicons = {own: self.lexicon(*without, own) for own in folds}
        rows, shares, weights = [], [], []
        for example, tokens in zip(self.examples, self.tokens, strict=True):
            if example.fold not in folds or not len(example.blocks):
                continue
            found, _ = self._rows(example.document, example.blocks, lexicons[example.fold], tokens)
            some, weight = sampled_blocks(example, self.plan.blocks_a_page)
            rows.append(found[some])
            shares.append(example.shares[some])
            weights.append(weight)
        return FittingRows(
            np.concatenate(rows), np.concatenate(shares), np.concatenate(weights).astype(np.float32)
        )

    def _rows(
        self,
        document: Document,
        blocks: Blocks,
        lexicon: Lexicon,
        tokens: tuple[AttributeTokens, AttributeTokens],
    ) -> feature_matrix.Matrix:
        of_elements, of_blocks = tokens
        element_scores = lexicon.score(of_elements, len(document.elements))
        block_scores = lexicon.score(of_blocks, len(blocks))
        return feature_matrix.matrix_of(document, blocks, of_elements, element_scores, block_scores)

    def _held_out(self, index: int, example: AutoExample, model: AutoModel) -> HeldOutPage:
        is_content, page = self._answer(example.document, example.blocks, model, self.tokens[index])
        bare = None
        if example.bare is not None:
            _, bare = self._answer(*example.bare, model, tokens_of(*example.bare))
        return HeldOutPage(index, is_content, page, bare)

    def _answer(
        self,
        document: Document,
        blocks: Blocks,
        model: AutoModel,
        tokens: tuple[AttributeTokens, AttributeTokens],
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float32]]:
        if not len(blocks):
            none = np.zeros(0)
            empty = np.zeros((1, len(feature_matrix.names())), dtype=np.float32)
            return none > 0, page_features(empty, model, np.zeros(1), np.zeros(1), 0.0)[0]
        rows, alike = self._rows(document, blocks, model.lexicon, tokens)
        chances = prediction.probability(
            prediction.averaged(log_odds(rows, model), blocks.words, alike)
        )
        expected = prediction.expected_f1(chances, blocks.words)
        is_content = prediction.fill_silent(chances > prediction.threshold(expected), blocks.words)
        return is_content, page_features(rows, model, chances, blocks.words, expected)[0]


def _plain(rows: npt.NDArray[np.floating], truth: npt.NDArray[np.generic]) -> FittingRows:
    return FittingRows(
        rows.astype(np.float32), truth.astype(np.float32), np.ones(len(rows), dtype=np.float32)
    )
