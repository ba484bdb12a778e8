"""Means, deviations, intervals and paired differences."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.evaluation.measuring.statistic import (
    bootstrap,
    bootstrap_shingles,
    deviation,
    mean,
    means,
    paired,
)


@given(st.lists(st.floats(0, 1), min_size=2))
def test_mean_and_deviation_are_the_statistician_s(values: list[float]) -> None:
    assert mean(values) == statistics.fmean(values)
    assert deviation(values) == statistics.stdev(values)


def test_mean_and_deviation_of_too_little() -> None:
    assert (mean([]), deviation([]), deviation([0.3])) == (0.0, 0.0, 0.0)


def test_a_mean_is_over_the_pages_that_have_the_value() -> None:
    pages = [{"word.f1": 1.0, "with": 0.5}, {"word.f1": 0.0}]
    assert means(pages) == {"word.f1": 0.5, "with": 0.5}


def test_the_f1_of_shingles_is_that_of_the_means() -> None:
    pages = [{"shingles.precision": 1.0, "shingles.recall": 0.5}, {"shingles.recall": 0.0}]
    assert means(pages)["shingles.f1"] == pytest.approx(2 * 1 * 0.25 / 1.25)


def test_an_interval_is_near_the_one_of_the_normal_distribution() -> None:
    values = [0.2, 0.8] * 200
    found = bootstrap(values)
    assert found.mean == pytest.approx(0.5)
    assert found.plus_minus == pytest.approx(1.96 * 0.3 / 400**0.5, rel=0.15)


def test_intervals_are_repeatable_and_empty_of_nothing() -> None:
    assert bootstrap([0.1, 0.9, 0.4]) == bootstrap([0.1, 0.9, 0.4])
    assert bootstrap([]).plus_minus == 0


def test_a_difference_is_of_the_pages_that_both_have() -> None:
    left = {"a": 0.9, "b": 0.5, "only": 0.0}
    found = paired(left, {"a": 0.8, "b": 0.4})
    assert (found.mean, found.plus_minus) == pytest.approx((0.1, 0.0))


def test_pairing_cancels_what_is_hard_for_both() -> None:
    left = {str(page): page / 100 for page in range(100)}
    right = {page: value - 0.01 for page, value in left.items()}
    assert paired(left, right).plus_minus < 0.001 < bootstrap(list(left.values())).plus_minus


def test_shingles_are_drawn_by_whole_pages() -> None:
    pages = [{"shingles.precision": 1.0, "shingles.recall": 1.0}, {"shingles.recall": 0.0}] * 20
    found = bootstrap_shingles(pages, samples=200)
    assert found.mean == pytest.approx(2 / 3)
    assert 0.02 < found.plus_minus < 0.3
