"""Shares of confident and declined pages, and what is poor and good among them."""

from __future__ import annotations

import pytest

from winnow.evaluation.measuring.reliability import reliability, reliability_table

PAGES = [(0.95, 0.99), (0.9, 0.5), (0.85, 0.82), (0.5, 0.9), (0.1, 0.95), (0.05, 0.2)]


def is_shown(confidence: float) -> bool:
    return confidence >= 0.2


def test_pages_are_counted_by_confidence_and_by_f1() -> None:
    found = reliability(PAGES, is_shown)

    assert found.pages == 6
    assert found.confident == 0.5
    assert found.poor == pytest.approx(1 / 3, abs=1e-4)
    assert found.declined == pytest.approx(2 / 6, abs=1e-4)
    assert found.good == 0.5


def test_the_brier_score_is_0_of_true_certainty_and_1_of_false_one() -> None:
    assert reliability([(1.0, 0.85), (0.0, 0.849)], is_shown).brier == 0
    assert reliability([(0.0, 0.9), (1.0, 0.5)], is_shown).brier == 1


def test_nothing_is_poor_among_no_pages() -> None:
    found = reliability([(0.5, 0.1)], is_shown)

    assert (found.confident, found.poor, found.declined, found.good) == (0, 0, 0, 0)


def test_a_table_has_a_line_for_each_package() -> None:
    lines = reliability_table(
        [("a", reliability(PAGES, is_shown)), ("b", reliability(PAGES, is_shown))]
    )

    assert [line.split()[0] for line in lines.splitlines()] == ["package", "a", "b"]
