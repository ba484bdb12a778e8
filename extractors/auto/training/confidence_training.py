"""Training of how sure ``auto`` is of its result, on pages that no block model saw.

A forest orders the pages; Platt's scaling makes log-odds of its sums that are true on pages that it
never saw; what pages of each type, in English and in other languages, lie above or below that line
is added to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.auto_model import PAGE_TYPES
from winnow.extractors.auto.calibration import Calibration, calibrated, calibration, offset
from winnow.extractors.auto.decision import probability
from winnow.extractors.auto.training.fitting import FittingRows, TreePlan, fit_trees
from winnow.extractors.auto.training.training_examples import FOLDS
from winnow.extractors.auto.trees import Forest

ALL: Final = -1
"""The fold that leaves nothing out: what ships."""
GOOD: Final = 0.85
"""The word F1 from which a result is good: the confidence is the probability of that."""
RANKED: Final = 0.9
"""The word F1 that the trees learn to find. Learning 0.85 itself, they rank held-out pages worse:
of the best 60 % of wcxb-dev 4.0 % had an F1 below 0.8, instead of 3.1 % to 3.5 %."""
Floats = npt.NDArray[Any]


class JudgedForm(NamedTuple):
    """A held-out page in one form. ``page``: its features; ``f1``: of its result, 0 of a page
    without its content; ``weight``: how much it counts; ``place``: (is English, index of its page
    type), None if that is unknown; ``is_itself``: it is the page as it is; ``is_bare``: without its
    content."""

    page: npt.NDArray[np.float32]
    fold: int
    f1: float
    weight: float
    place: tuple[int, int] | None
    is_itself: bool = False
    is_bare: bool = False


@dataclass(frozen=True, eq=False)
class ConfidenceTrainer:
    """Trains on the forms of all folds' pages."""

    forms: Sequence[JudgedForm]
    plan: TreePlan

    def good(self) -> Forest:
        """Trees whose sum is the log-odds of a good result, but for ``offsets``."""
        return calibrated(self._ranking(), self._line())

    def offsets(self, without: int = ALL) -> npt.NDArray[np.float32]:
        """What each language and type adds to the log-odds, (2, types); one fold is left out."""
        log_odds, found = self._line(without)(self._scores), np.zeros((2, len(PAGE_TYPES)))
        for place in np.ndindex(found.shape):
            some = [
                at
                for at, form in enumerate(self.forms)
                if form.place == place and not form.is_bare and form.fold != without
            ]
            weights = np.array([self.forms[at].weight for at in some])
            found[place] = offset(log_odds[some], self._is_good[some], weights)
        return found.astype(np.float32)

    def confidences(self) -> Floats:
        """How sure a model is, that never saw the fold, of each form."""
        found = np.empty(len(self.forms))
        for fold in range(FOLDS):
            line, offsets = self._line(fold), np.maximum(self.offsets(fold), 0)
            for at, form in enumerate(self.forms):
                if form.fold == fold:
                    more = offsets[form.place] if form.place else 0.0
                    found[at] = line(self._scores[at]) + more
        return probability(found)

    def _line(self, without: int = ALL) -> Calibration:
        some = [at for at, form in enumerate(self.forms) if form.is_itself and form.fold != without]
        return calibration(self._scores[some], self._is_good[some])

    @cached_property
    def _is_good(self) -> npt.NDArray[np.bool_]:
        return np.array([form.f1 >= GOOD for form in self.forms])

    @cached_property
    def _scores(self) -> Floats:
        """The sum of trees that never saw the fold, of each form."""
        found = np.empty(len(self.forms))
        for fold in range(FOLDS):
            some = [at for at, form in enumerate(self.forms) if form.fold == fold]
            if some:
                rows = np.stack([self.forms[at].page for at in some])
                found[some] = self._ranking(fold).sum(rows)
        return found

    def _ranking(self, without: int = ALL) -> Forest:
        """Trees that separate good results from others, and from those of pages without content."""
        some = [form for form in self.forms if form.fold != without]
        truth = np.array([form.f1 >= RANKED for form in some], dtype=np.float32)
        weights = np.array([form.weight for form in some], dtype=np.float32)
        return fit_trees(
            FittingRows(np.stack([form.page for form in some]), truth, weights), self.plan
        )
