"""Flat trees: rows go left up to the threshold, and both programs give the same sums."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.programs import require_module
from winnow.extractors.auto.trees import (
    NODE,
    Forest,
    Packed,
    staged_sums,
    staged_sums_in_python,
    sums_of,
    sums_of_in_python,
)

STUMP = [(0, 0.5, 1, 2), (-1, -1.25, 1, 1), (-1, 2.5, 2, 2)]
DEEPER = [(1, 0.0, 4, 5), (-1, 0.1, 4, 4), (0, -1.0, 6, 7), (-1, 0.2, 6, 6), (-1, 0.3, 7, 7)]
FOREST = Forest(np.array(STUMP + DEEPER, dtype=NODE), np.array([0, 3], dtype=np.int32))
ROWS = arrays.arrays(
    np.float32,
    st.tuples(st.integers(0, 70), st.just(2)),
    elements=st.floats(-2, 2, width=32),
)


def _fast() -> Any:
    require_module("winnow.extractors.auto._fast", "a C compiler (gcc) and Python's headers")
    return import_module("winnow.extractors.auto._fast")


def test_a_row_at_the_threshold_goes_left() -> None:
    stump = Forest(np.array(STUMP, dtype=NODE), np.zeros(1, dtype=np.int32))

    found = stump.sum(np.array([[0.5, 0], [0.50001, 0]], dtype=np.float32))

    assert found.tolist() == [-1.25, 2.5]


def test_a_forest_is_the_sum_of_its_trees() -> None:
    rows = np.array([[-2.0, 1.0], [0.0, -1.0]], dtype=np.float32)

    alone = FOREST.of(np.array([0])).sum(rows) + FOREST.of(np.array([3])).sum(rows)

    assert FOREST.sum(rows).tolist() == alone.tolist()


def test_no_trees_say_nothing() -> None:
    none = Forest(np.zeros(0, dtype=NODE), np.zeros(0, dtype=np.int32))

    assert none.sum(np.ones((3, 2), dtype=np.float32)).tolist() == [0, 0, 0]


def test_a_tree_is_as_deep_as_its_deepest_leaf() -> None:
    assert FOREST.packed.depths.tolist() == [1, 2]


@given(ROWS)
def test_both_programs_give_the_same_sums(rows: npt.NDArray[np.float32]) -> None:
    some = np.arange(len(rows))[::3]

    assert FOREST.sum(rows).tolist() == FOREST.sum_in_python(rows).tolist()
    assert FOREST.sum(rows, some).tolist() == FOREST.sum_in_python(rows[some]).tolist()


@given(ROWS, st.floats(0, 4))
def test_both_programs_pass_the_same_rows_on(rows: npt.NDArray[np.float32], limit: float) -> None:
    none = FOREST.of(FOREST.roots[:0])
    stages = ((FOREST.of(FOREST.roots[:1]), limit), (none, limit / 2), (FOREST, 0.0))

    assert staged_sums(stages, rows).tolist() == staged_sums_in_python(stages, rows).tolist()


@given(ROWS.filter(len))
def test_both_programs_give_the_same_sums_of_one_row(rows: npt.NDArray[np.float32]) -> None:
    forests = (FOREST, FOREST.of(FOREST.roots[:0]), FOREST.of(FOREST.roots[1:]))

    assert sums_of(forests, rows[:1]) == sums_of_in_python(forests, rows[:1])


def test_a_decided_row_goes_through_no_further_trees() -> None:
    rows = np.array([[2.0, 0.0], [0.0, 0.0]], dtype=np.float32)
    stages = ((FOREST.of(FOREST.roots[:1]), 2.0), (FOREST.of(FOREST.roots[1:]), 0.0))

    assert staged_sums(stages, rows).tolist() == [2.5, pytest.approx(-1.25 + 0.1)]


def test_stages_without_limits_or_features_are_refused() -> None:
    fast = _fast()
    forest, sums = fast.forest(*FOREST.packed, 2), np.zeros(1)
    columns, row = np.zeros((2, 1), dtype=np.float32), np.zeros(1, dtype=np.float32)

    for limits, features in ((np.zeros(0), 2), (np.zeros(1), 1), (np.zeros(1), 3)):
        with pytest.raises(ValueError, match=r"a limit|that there are"):
            fast.staged((forest,), limits, columns, features, sums)
    with pytest.raises(ValueError, match="that there are"):
        fast.votes((forest,), row)


def test_trees_that_lead_out_of_themselves_are_refused() -> None:
    fast = _fast()
    packed = FOREST.packed
    astray = packed.nodes.copy()
    astray["left"][0] = len(astray)

    for wrong, features in (
        (packed._replace(nodes=astray), 2),
        (packed._replace(roots=packed.roots + 99), 2),
        (packed._replace(values=packed.values[1:]), 2),
        (packed, 1),
    ):
        with pytest.raises(ValueError, match="within their nodes"):
            fast.forest(*Packed(*wrong), features)
