"""The compiled search finds what its definition finds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extractors.memory.made import elements, few
from tests.programs import require_module
from winnow.extractors.memory.labelled_instances import LabelledInstances
from winnow.extractors.memory.nearest import FAR, InstanceBase
from winnow.extractors.memory.voting import elected, ranked

SYMBOL = np.zeros(1, dtype=bool)


@given(st.sampled_from([few, elements]), st.integers(0, 99), st.sampled_from(["gr", "nw", "x2"]))
@settings(max_examples=12, deadline=None)
def test_compiled_and_defined_agree(
    make: Callable[[int, int], LabelledInstances], seed: int, weighting: str
) -> None:
    require_module("winnow.extractors.memory._nearest", "a C compiler (gcc) and Python's headers")
    base = InstanceBase.of(make(150, seed), weighting)
    queries = make(20, seed + 1).values
    fast = base.nearest(queries, 4)
    plain = base.nearest_in_numpy(np.ascontiguousarray(queries[:, base.permutation]), 4)
    assert np.array_equal(fast.distances, plain.distances)
    assert np.array_equal(fast.counts, plain.counts)


def test_all_instances_at_a_distance_vote_and_k_counts_distances() -> None:
    values = np.array([[0], [2], [2], [9]], dtype=np.int32)
    classes = np.array([0, 1, 1, 2], dtype=np.int32)
    base = InstanceBase.of(LabelledInstances(values, classes, np.array([True]), 3), "nw")
    found = base.nearest(np.array([[0]], dtype=np.int32), 5)
    assert found.distances[0].tolist() == [0, 2 / 9, 1, FAR, FAR]
    assert found.counts[0].tolist() == [[1, 0, 0], [0, 2, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_a_tie_asks_one_distance_more_then_the_most_frequent_class() -> None:
    rank = np.array([1, 0], dtype=np.int32)
    undecided, decided = [[1, 1], [1, 1]], [[1, 1], [1, 0]]
    counts = np.array([undecided, decided], dtype=np.int32)
    assert elected(counts, 1, rank).tolist() == [1, 0]


def test_classes_rank_by_frequency_the_first_of_equals_first() -> None:
    assert ranked(np.array([2, 5, 2], dtype=np.int32)).tolist() == [1, 0, 2]


def test_nothing_stored_gives_nobody() -> None:
    empty = LabelledInstances(np.zeros((0, 1), np.int32), np.zeros(0, np.int32), SYMBOL, 2)
    base = InstanceBase.weighted(empty, np.ones(1), np.zeros(1, dtype=np.int32))
    assert base.nearest(np.zeros((1, 1), dtype=np.int32), 2).counts.sum() == 0
