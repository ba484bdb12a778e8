"""Training of the choice among a page's stretches (page_runs.py): trees that predict the F1 gained.

What is learned from are predictions of block models that never saw the page: of the page itself, of
the page as if its texts, its classes or both were unknown, as they are on pages in other languages
and of other times (augmentation.py), and of other forms of it that its example has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.features.prose_style import is_english
from winnow.extractors.auto.page_runs import STRETCHES
from winnow.extractors.auto.prediction import PagePrediction, stretch_of
from winnow.extractors.auto.training.fitting import FittingRows, TreePlan, fit_trees
from winnow.extractors.auto.trees import Forest, sums_of

Floats = npt.NDArray[Any]

OTHER_WEIGHT: Final = 0.33
"""What another form of a page weighs, against the page itself."""


class Trial(NamedTuple):
    """A page in one form. ``row``: the features of its stretches; ``page``: those of the whole
    page. ``f1``: of its blocks, and of each stretch. ``weight``: how much it counts.
    ``is_english``: whether it seems to be in the language that most was learned from."""

    row: npt.NDArray[np.float32]
    page: npt.NDArray[np.float32]
    f1: Floats
    weight: float
    is_english: bool = True

    @property
    def gains(self) -> Floats:
        """Of each stretch the F1 above that of the blocks."""
        gains: Floats = self.f1[1:] - self.f1[0]
        return gains


def trial(found: PagePrediction, shares: Floats, weight: float, *, has_texts: bool = True) -> Trial:
    """What each stretch of a page is worth. ``found``: by a model that has no switch; ``shares``:
    how much of each block is content, (n,); ``has_texts``: whether its texts have scores."""
    words = found.blocks.words.astype(np.float64)
    content = words * shares
    masks = np.stack([found.is_content, *found.runs.masks])
    f1 = 2 * (masks @ content) / np.maximum(masks @ words + content.sum(), 1)
    in_english = has_texts and is_english(found.features.style)
    return Trial(found.runs.row, found.page[0], f1, weight, in_english)


def chosen_f1(one: Trial, switch: Sequence[Forest], page_type: str | None) -> float:
    """The F1 of what trees choose of a page of that type."""
    return float(one.f1[1 + stretch_of(sums_of(switch, one.row[None]), page_type)])


def fit_switch(trials: Sequence[Trial], plan: TreePlan) -> tuple[Forest, ...]:
    """Trees of each stretch: the sum is the log-odds of (1 + gain) / 2."""
    rows = np.stack([one.row for one in trials])
    gains = np.stack([one.gains for one in trials])
    weights = np.array([one.weight for one in trials], dtype=np.float32)
    return tuple(
        fit_trees(FittingRows(rows, ((1 + gains[:, at]) / 2).astype(np.float32), weights), plan)
        for at in range(len(STRETCHES))
    )
