"""How sure a result is: by features of the page, and by its language and type."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.programs import require_module
from winnow.extractors.auto.auto_model import PAGE_TYPES
from winnow.extractors.auto.training.confidence_training import ConfidenceTrainer, JudgedForm
from winnow.extractors.auto.training.fitting import TreePlan
from winnow.extractors.auto.training.training_examples import FOLDS

PLAN = TreePlan(trees=20, leaves=4, rows_in_leaf=10, weight_in_leaf=0.001)
ARTICLE, LISTING = PAGE_TYPES.index("article"), PAGE_TYPES.index("listing")


def forms() -> Iterator[JudgedForm]:
    """Pages whose first feature says how good they are; half the listings in other languages that
    look good are not."""
    draw = np.random.default_rng(5)
    for at in range(1200):
        page = draw.random(3).astype(np.float32)
        place = (at % 2, LISTING if at % 3 else ARTICLE)
        is_foreign_list = place == (0, LISTING)
        f1 = 1.0 if page[0] > 0.3 and not (is_foreign_list and draw.random() < 0.5) else 0.2
        yield JudgedForm(page, at % FOLDS, f1, 1.0, place, is_itself=True)
        if at % 4 == 0:
            bare = np.array([0.1, *page[1:]], dtype=np.float32)
            yield JudgedForm(bare, at % FOLDS, 0.0, 0.5, place, is_bare=True)


@pytest.fixture(scope="module")
def trainer() -> ConfidenceTrainer:
    require_module("lightgbm", "pip install '.[train]'")
    return ConfidenceTrainer(tuple(forms()), PLAN)


def test_what_is_good_more_seldom_in_a_language_and_type_is_believed_less(
    trainer: ConfidenceTrainer,
) -> None:
    offsets = trainer.offsets()

    assert offsets[0, LISTING] < -0.5 < offsets[0, ARTICLE]
    assert offsets[1, LISTING] > 0
    assert not offsets[:, PAGE_TYPES.index("forum")].any()


def test_confidences_are_true_of_each_language_and_type(trainer: ConfidenceTrainer) -> None:
    confidences = trainer.confidences()

    for place in ((1, LISTING), (0, ARTICLE), (1, ARTICLE)):
        some = [
            at
            for at, form in enumerate(trainer.forms)
            if form.place == place and form.is_itself and form.page[0] > 0.3
        ]
        good = np.mean([trainer.forms[at].f1 > 0.85 for at in some])
        assert confidences[some].mean() == pytest.approx(good, abs=0.08)
    bare = [at for at, form in enumerate(trainer.forms) if form.is_bare]
    assert confidences[bare].mean() < 0.1
