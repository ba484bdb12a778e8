"""The thesis's equations on tables small enough to be reckoned by hand."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from winnow.extractors.memory.feature_weights import FeatureWeights


def weights(values: list[int], classes: list[int], numeric: bool = False) -> dict[str, float]:
    column = np.array(values, dtype=np.int32)[:, None]
    feature_weights = FeatureWeights.of(
        column, np.array(classes, dtype=np.int32), np.array([numeric])
    )
    return {kind: float(found[0]) for kind, found in feature_weights.weights.items()}


def test_a_feature_that_is_the_class_tells_all_of_it() -> None:
    found = weights([0, 0, 1, 1], [0, 0, 1, 1])
    assert found == pytest.approx({"nw": 1, "gr": 1, "ig": 1, "x2": 4, "sv": 1})


def test_a_feature_with_a_value_for_each_instance_gains_by_its_ratio_less() -> None:
    found = weights([0, 1, 2, 3], [0, 0, 1, 1])
    assert found["ig"] == pytest.approx(1)
    assert found["gr"] == pytest.approx(1 / 2)


def test_a_feature_that_says_nothing_weighs_nothing() -> None:
    found = weights([0, 1, 0, 1], [0, 0, 1, 1])
    assert found["ig"] == found["gr"] == found["x2"] == found["sv"] == 0


def test_a_constant_feature_weighs_nothing() -> None:
    assert weights([7, 7, 7], [0, 1, 0], numeric=True)["gr"] == 0


def test_a_number_is_parted_into_twenty_classes_of_as_many_values() -> None:
    """Forty values, two a class: the halves tell the class, no value alone is looked at."""
    found = weights(list(range(40)), [0] * 20 + [1] * 20, numeric=True)
    assert found["ig"] == pytest.approx(1)
    assert found["gr"] == pytest.approx(1 / log2(20))
