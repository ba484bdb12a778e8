"""Maximum and maximal subsequences against their definitions."""

from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.programs import require_module
from winnow.extractors import subsequence
from winnow.extractors.subsequence import (
    EMPTY,
    Run,
    maximal_subsequences,
    maximum_run,
    maximum_run_in_python,
    maximum_subsequence,
)

SCORES = st.lists(st.integers(-4, 4), max_size=30)


def every_run(scores: list[int]) -> list[Run]:
    sums = [0, *accumulate(scores)]
    size = len(scores)
    return [Run(i, j, sums[j] - sums[i]) for i in range(size) for j in range(i + 1, size + 1)]


@given(SCORES)
def test_the_maximum_subsequence_is_the_best_of_all_runs(scores: list[int]) -> None:
    best = max([EMPTY, *every_run(scores)], key=lambda run: run.total)
    found = maximum_subsequence(scores)
    assert found.total == best.total == sum(scores[found.start : found.end])


def test_the_first_of_equals_is_taken() -> None:
    assert maximum_subsequence([1, -1, 1]) == Run(0, 1, 1)
    assert maximum_subsequence([-1, 0]) == EMPTY


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=30))
def test_alternating_costs_and_gains_are_the_same_sequence_written_shorter(
    pairs: list[tuple[int, int]],
) -> None:
    scores = [score for cost, gain in pairs for score in (-cost, gain)]
    costs, gains = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    found = maximum_run(costs, gains)
    assert found.total == maximum_subsequence(scores).total
    if found.total:
        assert sum(scores[2 * found.start + 1 : 2 * found.end]) == found.total


@given(st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), max_size=30))
def test_the_compiled_run_is_that_of_the_definition(pairs: list[tuple[float, float]]) -> None:
    costs, gains = np.array(pairs, dtype=np.float64).reshape(-1, 2).T

    assert maximum_run(costs, gains) == maximum_run_in_python(costs, gains)


def test_costs_without_gains_are_refused() -> None:
    require_module("winnow.extractors.mss._loops", "a C compiler (gcc) and Python's headers")

    with pytest.raises(ValueError, match="for each cost"):
        subsequence._maximum_run_compiled(np.ones(2), np.ones(1))


def maximal_by_definition(scores: list[int], start: int, end: int) -> list[tuple[int, int]]:
    """Ruzzo & Tompa, section 2: the best run (shortest, first), recursively."""
    runs = [run for run in every_run(scores[start:end]) if run.total > 0]
    if not runs:
        return []
    best = min(runs, key=lambda run: (-run.total, run.end - run.start, run.start))
    left, right = best.start + start, best.end + start
    return [
        *maximal_by_definition(scores, start, left),
        (left, right),
        *maximal_by_definition(scores, right, end),
    ]


@given(SCORES)
def test_maximal_subsequences_are_those_of_the_recursive_definition(scores: list[int]) -> None:
    found = [run for run in maximal_subsequences(scores) if run.total > 0]
    assert [(run.start, run.end) for run in found] == maximal_by_definition(scores, 0, len(scores))
    assert all(run.total == sum(scores[run.start : run.end]) for run in found)


@given(SCORES)
def test_maximal_subsequences_are_disjoint_in_order_and_hold_every_gain(scores: list[int]) -> None:
    found = maximal_subsequences(scores)
    assert all(left.end <= right.start for left, right in pairwise(found))
    inside = {index for run in found for index in range(run.start, run.end)}
    assert {index for index, score in enumerate(scores) if score > 0} <= inside


class Counted(float):
    """A score that counts how often it is compared or added."""

    uses = 0

    def __add__(self, other: float) -> "Counted":
        Counted.uses += 1
        return Counted(float(self) + other)

    def __radd__(self, other: float) -> "Counted":
        return self.__add__(other)

    def __ge__(self, other: float) -> bool:
        Counted.uses += 1
        return float(self) >= other


def uses(scores: list[float]) -> int:
    Counted.uses = 0
    maximal_subsequences([Counted(score) for score in scores])
    return Counted.uses


def test_maximal_subsequences_take_linear_time_whatever_the_scores() -> None:
    patterns: list[list[float]] = [[1, -1], [1, -2], [2, -1], [3, -1, -1, 1, -2]]
    for pattern in patterns:
        small, large = uses(pattern * 100), uses(pattern * 1000)
        assert large <= 11 * small
        assert large <= 12 * len(pattern) * 1000
    falling = [float(size - i) * (-1) ** i for size in [2000] for i in range(size)]
    assert uses(falling) <= 12 * len(falling)
