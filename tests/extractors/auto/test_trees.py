"""Flat trees: rows go left up to the threshold, and both programs give the same sums."""

from __future__ import annotations

from collections.abc import Sequence
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
SPLITS = st.tuples(st.integers(0, 1), st.floats(-2, 2, width=32), st.integers(0, 40))


def _grown(splits: Sequence[tuple[int, float, int]]) -> Forest:
    """A tree that has one leaf, and for each split two where one was: the feature, the threshold,
    and which of the leaves, in the order in which they came."""
    nodes, leaves = [(-1, 0.0, 0, 0)], [0]
    for feature, threshold, which in splits:
        left, at = len(nodes), leaves.pop(which % len(leaves))
        nodes[at] = (feature, threshold, left, left + 1)
        nodes += [(-1, 0.1 * (left + side), left + side, left + side) for side in (0, 1)]
        leaves += [left, left + 1]
    return Forest(np.array(nodes, dtype=NODE), np.zeros(1, dtype=np.int32))


def _trees() -> Any:
    require_module("winnow.extractors.auto._trees", "a C compiler (gcc) and Python's headers")
    return import_module("winnow.extractors.auto._trees")


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


@given(ROWS, st.lists(SPLITS, max_size=40))
def test_both_programs_give_the_same_sums_of_trees_of_any_form(
    rows: npt.NDArray[np.float32], splits: list[tuple[int, float, int]]
) -> None:
    tree = _grown(splits)

    assert tree.sum(rows).tolist() == tree.sum_in_python(rows).tolist()


@pytest.mark.parametrize("leaves", [31, 32, 33, 34])
def test_trees_have_as_many_leaves_as_they_like(leaves: int) -> None:
    rows = np.linspace(-1, leaves + 1, 500, dtype=np.float32)[:, None]
    for last in (0, -1):  # a chain to the left, a chain to the right
        tree = _grown([(0, float(number), last) for number in range(leaves - 1)])

        assert tree.sum(rows).tolist() == tree.sum_in_python(rows).tolist()


def test_a_node_may_have_two_parents() -> None:
    shared = [(0, 0.0, 1, 2), (1, 0.5, 3, 4), (1, -0.5, 3, 4), *[(-1, 0.25, 3, 3), (-1, 4.0, 4, 4)]]
    forest = Forest(np.array(shared, dtype=NODE), np.zeros(1, dtype=np.int32))
    rows = np.array([[x, y] for x in (-1, 1) for y in (-1, 0, 1)], dtype=np.float32)

    assert forest.sum(rows).tolist() == forest.sum_in_python(rows).tolist()


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
    compiled = _trees()
    forest, sums = compiled.forest(*FOREST.packed, 2), np.zeros(1)
    columns, row = np.zeros((2, 1), dtype=np.float32), np.zeros(1, dtype=np.float32)

    for limits, features in ((np.zeros(0), 2), (np.zeros(1), 1), (np.zeros(1), 3)):
        with pytest.raises(ValueError, match=r"a limit|that there are"):
            compiled.staged((forest,), limits, columns, features, sums)
    with pytest.raises(ValueError, match="that there are"):
        compiled.votes((forest,), row)


def test_trees_that_lead_out_of_themselves_are_refused() -> None:
    compiled = _trees()
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
            compiled.forest(*Packed(*wrong), features)
