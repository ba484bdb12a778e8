"""Training of what ``auto`` says of whole pages: their type, and how sure it is of its result.

Learned from predictions of block models that never saw the page (auto_training.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.auto_model import PAGE_TYPES
from winnow.extractors.auto.prediction import PagePrediction, page_type, with_stretch
from winnow.extractors.auto.training.augmentation import FEWER_SCORES
from winnow.extractors.auto.training.confidence_training import ALL, ConfidenceTrainer, JudgedForm
from winnow.extractors.auto.training.fitting import AutoTrainingPlan, FittingRows, fit_trees
from winnow.extractors.auto.training.switch_training import Trial, chosen_f1, fit_switch
from winnow.extractors.auto.training.training_examples import FOLDS, AutoExample
from winnow.extractors.auto.trees import Forest, sums_of

TYPE_WEIGHT: Final = 0.1
"""What another form of a page weighs where types are learned: enough that they are recognised
without their language, not so much that they are recognised less with it."""
BARE_WEIGHT: Final = 0.5
"""What a page without its content weighs, against one with it."""

Score = Callable[[int, PagePrediction], float]
"""The word F1 of a prediction for the example of that index."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutPage:
    """What a fold's model says of one page that it never saw. ``page``, ``bare_page``: its row, and
    that of its bare form; ``f1``: word F1 of the extraction, not a number where its stretch is not
    chosen yet; ``trials``: it in each form, itself first, from which stretches and types are
    learned; ``others``: the F1 of what is chosen of each other form; ``kind``: the page type that
    it seems to have. The prediction has no rows of blocks any more."""

    example: int
    found: PagePrediction
    f1: float
    page: npt.NDArray[np.float32]
    bare_page: npt.NDArray[np.float32] | None
    trials: tuple[Trial, ...]
    others: tuple[float, ...] = ()
    kind: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PageTrainer:
    """Trains on the held-out pages of all folds."""

    examples: Sequence[AutoExample]
    held: Sequence[HeldOutPage]
    plan: AutoTrainingPlan

    def types(self, without: int = ALL) -> tuple[Forest, ...]:
        """Trees for each page type, by the pages that have a type, in all forms; one fold is left
        out."""
        typed = [
            (self._type(one), trial)
            for one in self._but(without)
            for trial in one.trials
            if self._type(one) in PAGE_TYPES
        ]
        if not typed:
            return ()
        pages = np.stack([trial.page for _, trial in typed])
        weights = np.array(
            [1 if trial.weight == 1 else TYPE_WEIGHT for _, trial in typed], dtype=np.float32
        )
        truths = (np.array([own == kind for own, _ in typed]) for kind in PAGE_TYPES)
        return tuple(
            fit_trees(FittingRows(pages, truth.astype(np.float32), weights), self.plan.types)
            for truth in truths
        )

    def switch(self, without: int = ALL) -> tuple[Forest, ...]:
        """Trees of each stretch of a page; one fold is left out."""
        trials = [trial for one in self._but(without) for trial in one.trials]
        return fit_switch(trials, self.plan.switch)

    def chosen(self, score: Score) -> tuple[HeldOutPage, ...]:
        """The pages with the type and the stretch that trees say which never saw the fold, and the
        F1 of that."""
        switches = [self.switch(fold) for fold in range(FOLDS)]
        return tuple(
            self._chosen(replace(one, kind=kind), switches[self._fold(one)], score)
            for one, kind in zip(self.held, self._kinds(), strict=True)
        )

    def _chosen(self, one: HeldOutPage, switch: Sequence[Forest], score: Score) -> HeldOutPage:
        found = replace(one.found, page_type=one.kind)
        best = with_stretch(found, sums_of(switch, found.runs.row[None]))
        others = tuple(chosen_f1(trial, switch, one.kind) for trial in one.trials[1:])
        return replace(one, found=best, f1=score(one.example, best), others=others)

    def _kinds(self) -> tuple[str | None, ...]:
        """The page type that each page seems to have to trees that never saw the fold."""
        forests = [self.types(fold) for fold in range(FOLDS)]
        return tuple(page_type(one.page[None], forests[self._fold(one)]) for one in self.held)

    def confidence(self) -> ConfidenceTrainer:
        """Trains how sure a result is, by the pages whose stretch is chosen."""
        forms = [form for one in self.held for form in self._forms(one)]
        return ConfidenceTrainer(forms, self.plan.good)

    def _forms(self, one: HeldOutPage) -> Iterator[JudgedForm]:
        fold, kind = self._fold(one), one.kind
        for at, (trial, f1) in enumerate(zip(one.trials, (one.f1, *one.others), strict=True)):
            known = kind in PAGE_TYPES and at <= len(FEWER_SCORES)  # lists are rare on real pages
            place = (int(trial.is_english), PAGE_TYPES.index(kind)) if known and kind else None
            itself = at == 0
            yield JudgedForm(trial.page, fold, f1, trial.weight, place, is_itself=itself)
            if itself and one.bare_page is not None:
                yield JudgedForm(one.bare_page, fold, 0.0, BARE_WEIGHT, place, is_bare=True)

    def _but(self, without: int) -> list[HeldOutPage]:
        return [one for one in self.held if self._fold(one) != without]

    def _fold(self, one: HeldOutPage) -> int:
        return self.examples[one.example].fold

    def _type(self, one: HeldOutPage) -> str | None:
        return self.examples[one.example].page_type
