"""Training of what ``auto`` says of whole pages: their type, and how sure it is of its result.

Learned from predictions of block models that never saw the page (auto_training.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.auto_model import PAGE_TYPES
from winnow.extractors.auto.calibration import calibrated, calibration
from winnow.extractors.auto.decision import probability
from winnow.extractors.auto.fitting import AutoTrainingPlan, FittingRows, fit_trees
from winnow.extractors.auto.prediction import page_type
from winnow.extractors.auto.training_examples import FOLDS, AutoExample
from winnow.extractors.auto.trees import Forest

ALL: Final = -1
"""The fold that leaves nothing out: what ships."""
GOOD: Final = 0.85
"""The word F1 from which a result is good: the confidence is the probability of that."""
RANKED: Final = 0.9
"""The word F1 that the trees learn to find. Learning 0.85 itself, they rank held-out pages worse:
of the best 60 % of wcxb-dev 4.0 % had an F1 below 0.8, instead of 3.1 % to 3.5 %."""
BARE_WEIGHT: Final = 0.5
"""What a page without its content weighs, against one with it."""

Confidences = npt.NDArray[np.float64]
Rows = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutPage:
    """What a fold's model says of one page that it never saw. ``page``, ``bare_page``: its row, and
    that of its bare form; ``f1``: word F1 of the extraction."""

    example: int
    is_content: npt.NDArray[np.bool_]
    f1: float
    page: npt.NDArray[np.float32]
    bare_page: npt.NDArray[np.float32] | None


@dataclass(frozen=True, slots=True, eq=False)
class PageTrainer:
    """Trains on the held-out pages of all folds."""

    examples: Sequence[AutoExample]
    held: Sequence[HeldOutPage]
    plan: AutoTrainingPlan

    def types(self, without: int = ALL) -> tuple[Forest, ...]:
        """Trees for each page type, by the pages that have a type; one fold is left out."""
        typed = [one for one in self._but(without) if self._type(one) in PAGE_TYPES]
        if not typed:
            return ()
        kinds = [self._type(one) for one in typed]
        pages = np.stack([one.page for one in typed])
        return tuple(
            fit_trees(_plain(pages, np.array([kind == one for one in kinds])), self.plan.types)
            for kind in PAGE_TYPES
        )

    def kinds(self) -> tuple[str | None, ...]:
        """The page type that each page seems to have to trees that never saw the fold."""
        forests = [self.types(fold) for fold in range(FOLDS)]
        return tuple(page_type(one.page[None], forests[self._fold(one)]) for one in self.held)

    def good(self) -> Forest:
        """Trees whose sum is the log-odds of a good result."""
        line = calibration(self._scores()[:, 0], self._is_good())
        return calibrated(self._ranking(), line)

    def confidences(self) -> Confidences:
        """How sure a model is, that never saw the fold, of each page and of its bare form; (held,
        2), not a number where there is no bare form."""
        scores, folds, is_good = self._scores(), self._folds(), self._is_good()
        found = np.full_like(scores, np.nan)
        for fold in range(FOLDS):
            line = calibration(scores[folds != fold, 0], is_good[folds != fold])
            found[folds == fold] = probability(line(scores[folds == fold]))
        return found

    def _scores(self) -> Confidences:
        """The sums of trees that never saw the fold: of each page and of its bare form."""
        found = np.full((len(self.held), 2), np.nan)
        for fold in range(FOLDS):
            forest = self._ranking(fold)
            for index, one in enumerate(self.held):
                if self._fold(one) == fold:
                    found[index, 0] = forest.sum(one.page[None])[0]
                    if one.bare_page is not None:
                        found[index, 1] = forest.sum(one.bare_page[None])[0]
        return found

    def _ranking(self, without: int = ALL) -> Forest:
        """Trees that separate good results from others, and from those of pages without content."""
        rows, truth, weights = [], [], []
        for one in self._but(without):
            rows.append(one.page)
            truth.append(one.f1 >= RANKED)
            weights.append(1.0)
            if one.bare_page is not None:
                rows.append(one.bare_page)
                truth.append(False)
                weights.append(BARE_WEIGHT)
        weight = np.array(weights, dtype=np.float32)
        lesson = FittingRows(np.stack(rows), np.array(truth, dtype=np.float32), weight)
        return fit_trees(lesson, self.plan.good)

    def _but(self, without: int) -> list[HeldOutPage]:
        return [one for one in self.held if self._fold(one) != without]

    def _fold(self, one: HeldOutPage) -> int:
        return self.examples[one.example].fold

    def _folds(self) -> npt.NDArray[np.intp]:
        return np.array([self._fold(one) for one in self.held])

    def _is_good(self) -> npt.NDArray[np.bool_]:
        return np.array([one.f1 >= GOOD for one in self.held])

    def _type(self, one: HeldOutPage) -> str | None:
        return self.examples[one.example].page_type


def _plain(rows: Rows, truth: npt.NDArray[np.generic]) -> FittingRows:
    return FittingRows(
        rows.astype(np.float32), truth.astype(np.float32), np.ones(len(rows), dtype=np.float32)
    )
