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
from winnow.extractors.auto.trees import NODE, Forest, Packed

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


def test_rows_and_features_that_there_are_not_are_refused() -> None:
    fast = _fast()
    forest, sums = fast.forest(*FOREST.packed, 2), np.zeros(1)
    columns = np.zeros((2, 3), dtype=np.float32)

    for features, row in ((1, 0), (2, 3), (2, -1)):
        with pytest.raises(ValueError, match="rows that there are"):
            fast.add_trees(forest, columns, features, np.array([row], dtype=np.int32), sums)
