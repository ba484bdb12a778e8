"""Platt's scaling: what scores mean on pages that were not learned from."""

from __future__ import annotations

import numpy as np
import pytest

from winnow.extractors.auto.calibration import Calibration, calibrated, calibration, offset
from winnow.extractors.auto.trees import NODE, Forest

NODES = np.array([(0, 0.5, 1, 2), (-1, -1.25, 1, 1), (-1, 2.5, 2, 2)] * 2, dtype=NODE)
NODES["left"][3:] += 3
NODES["right"][3:] += 3
FOREST = Forest(NODES, np.array([0, 3], dtype=np.int32))
ROWS = np.array([[0.0], [1.0]], dtype=np.float32)


def test_true_log_odds_are_left_as_they_are() -> None:
    draw = np.random.default_rng(1)
    scores = draw.normal(0, 2, 20_000)
    truth = draw.random(20_000) < 1 / (1 + np.exp(-scores))

    assert calibration(scores, truth) == pytest.approx((1, 0), abs=0.05)


def test_scores_that_claim_too_much_are_brought_down() -> None:
    draw = np.random.default_rng(2)
    scores = draw.normal(0, 2, 20_000)
    truth = draw.random(20_000) < 1 / (1 + np.exp(-(scores / 2 - 1)))

    assert calibration(scores, truth) == pytest.approx((0.5, -1), abs=0.05)


def test_a_line_through_separated_scores_is_finite() -> None:
    found = calibration(np.array([-3.0, -2.0, 2.0, 3.0]), np.array([False, False, True, True]))

    assert np.isfinite(found).all()
    assert found.slope > 0


def test_the_sums_of_a_calibrated_forest_are_on_the_line() -> None:
    line = Calibration(0.5, -1.0)

    assert calibrated(FOREST, line).sum(ROWS) == pytest.approx(line(FOREST.sum(ROWS)))


def test_an_offset_makes_the_mean_true_and_is_shrunk_where_pages_are_few() -> None:
    truth = np.arange(1000) % 4 > 0
    scores, weights = np.zeros(1000), np.ones(1000)

    assert offset(scores, truth, weights) == pytest.approx(np.log(3), abs=0.05)
    assert 0 < offset(scores[:8], truth[:8], weights[:8]) < 0.4
    assert offset(scores[:0], truth[:0], weights[:0]) == 0
