"""IB1: the stored instances nearest to a new one, by weighted overlap (equations 3.1, 3.2, 3.6).

k counts distances, as
in TiMBL: all instances at the k smallest distances vote. ``_nearest.c``, where it could be built,
finds the same, some fifty times faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, Mask
from winnow.document.compiled import loop, optional_module
from winnow.extractors.memory.feature_weights import FeatureWeights, Floats
from winnow.extractors.memory.labelled_instances import LabelledInstances
from winnow.extractors.memory.voting import elected

if TYPE_CHECKING:
    from winnow.extractors.memory import _nearest as _compiled
else:
    _compiled = optional_module("winnow.extractors.memory._nearest")

FAR: Final = float(np.finfo(np.float64).max)
"""The distance of a neighbour that is not there."""
_EQUAL: Final = float(np.finfo(np.float64).eps)
_SAMPLE: Final = 24
_AT_ONCE: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The smallest distances of each query and the classes at each.

    ``distances``: shape (queries, bins), ascending, FAR where there is none. ``counts``: how many
    instances of each class, shape (queries, bins, classes).
    """

    distances: Floats
    counts: Ints


@dataclass(frozen=True, eq=False)
class InstanceBase:
    """Stored instances, equal ones as one row, sorted so that equal beginnings stand together.

    ``rows``: shape (rows, features); ``counts``: how many instances of each class a row stands for,
    shape (rows, classes); ``numeric``, ``weights``, ``scale``: of each feature. All are in the
    order of the search: symbols by weight, then numbers. ``permutation``: which feature stands
    there; ``order``: the places in the order in which TiMBL sums a distance.
    """

    rows: Ints
    counts: Ints
    numeric: Mask
    weights: Floats
    scale: Floats
    permutation: Ints
    order: Ints

    @classmethod
    def of(cls, instances: LabelledInstances, weighting: str = "gr") -> InstanceBase:
        """The base of instances, weighted as ``weighting`` names it (weights.WEIGHTS)."""
        feature_weights = FeatureWeights.of(*instances.expanded(), instances.numeric)
        return cls.weighted(instances, feature_weights.weights[weighting], feature_weights.order)

    @classmethod
    def weighted(cls, instances: LabelledInstances, weights: Floats, order: Ints) -> InstanceBase:
        """The base of instances with given weights; ``order``: TiMBL's of the features."""
        some = instances.values if len(instances) else np.zeros((1, len(weights)), np.int32)
        scale = np.ptp(some, axis=0).astype(np.float64)
        numeric = instances.numeric & (scale > 0)
        permutation = np.lexsort((-weights, numeric)).astype(np.int32)
        rows, counts = instances.grouped(permutation)
        places = np.argsort(permutation)[order].astype(np.int32)
        return cls(
            rows,
            counts,
            numeric[permutation],
            weights[permutation],
            scale[permutation],
            permutation,
            places,
        )

    def nearest(self, queries: Ints, bins: int) -> Neighbours:
        """The neighbours of queries, shape (queries, features), at the smallest distances."""
        permuted = np.ascontiguousarray(queries[:, self.permutation], dtype=np.int32)
        return self._nearest(permuted, bins)

    def _nearest_compiled(self, permuted: Ints, bins: int) -> Neighbours:
        classes = self.counts.shape[1]
        distances = np.full((len(permuted), bins), FAR)
        found = np.zeros((len(permuted), bins, classes), dtype=np.int32)
        if len(permuted) and len(self.rows):
            _compiled.nearest(
                len(self.permutation),
                bins,
                classes,
                self.rows,
                self.counts,
                self._shared,
                self._jump,
                self.numeric.view(np.uint8),
                self.weights,
                self.scale,
                self.order,
                permuted,
                distances,
                found,
            )
        return Neighbours(distances, found)

    def nearest_in_numpy(self, permuted: Ints, bins: int) -> Neighbours:
        """What ``nearest`` does, without the compiled search: its definition.

        ``permuted``: queries with their features in the order of the search.
        """
        distances = np.full((len(permuted), bins), FAR)
        found = np.zeros((len(permuted), bins, self.counts.shape[1]), dtype=np.int32)
        for index, query in enumerate(permuted):
            near = self._candidates(query, bins)
            sums = self._distances(near, query)
            for place, members in enumerate(_bins(sums, bins)):
                distances[index, place] = sums[members[0]]
                found[index, place] = self.counts[near[members]].sum(axis=0)
        return Neighbours(distances, found)

    _nearest = loop(_nearest_compiled if _compiled else None, nearest_in_numpy)

    def _candidates(self, query: Ints, bins: int) -> npt.NDArray[np.intp]:
        """The rows that may be among the nearest: those already too far are dropped."""
        limit = FAR
        candidates = np.arange(len(self.rows))
        sums = np.zeros(len(candidates))
        for start in range(0, len(query), _AT_ONCE):
            for feature in range(start, min(start + _AT_ONCE, len(query))):
                sums += self._cost(feature, self._columns[feature][candidates], query[feature])
            near_enough = sums <= limit
            candidates, sums = candidates[near_enough], sums[near_enough]
            limit = min(limit, self._limit(query, bins, candidates[np.argsort(sums)[:_SAMPLE]]))
        return candidates

    def _limit(self, query: Ints, bins: int, rows: npt.NDArray[np.intp]) -> float:
        """An upper bound of the wanted distances, from some rows."""
        sums = self._distances(rows, query)
        groups = list(_bins(sums, bins))
        return float(sums[groups[-1][0]]) * (1 + 1e-9) + 1e-12 if len(groups) == bins else FAR

    def _distances(self, rows: npt.NDArray[np.intp], query: Ints) -> Floats:
        """The exact distances to some rows, summed in TiMBL's order."""
        sums = np.zeros(len(rows))
        for feature in self.order.tolist():
            sums += self._cost(feature, self._columns[feature][rows], query[feature])
        return sums

    def _cost(self, feature: int, values: Ints, value: np.int32) -> Floats:
        if not self.numeric[feature]:
            return np.where(values == value, 0.0, self.weights[feature])
        distance = np.abs((np.float64(value) - values) / self.scale[feature])
        cost: Floats = distance * self.weights[feature]
        return cost

    @cached_property
    def _columns(self) -> Ints:
        return np.ascontiguousarray(self.rows.T)

    @cached_property
    def _shared(self) -> npt.NDArray[np.uint8]:
        """How many leading features each row shares with the one before it; shape (rows,)."""
        same = np.zeros((len(self.rows), len(self.permutation)), dtype=bool)
        same[1:] = self.rows[1:] == self.rows[:-1]
        leading = np.logical_and.accumulate(same, axis=1)
        counted: npt.NDArray[np.uint8] = np.sum(leading, axis=1, dtype=np.uint8)
        return counted

    @cached_property
    def _jump(self) -> Ints:
        """For each count the next row that shares less; shape (features + 1, rows)."""
        size = len(self.rows)
        jump = np.full((len(self.permutation) + 1, size), size, dtype=np.int32)
        for count in range(1, len(jump)):
            at = np.where(self._shared < count, np.arange(size, dtype=np.int32), size)
            jump[count, :-1] = np.minimum.accumulate(at[::-1])[::-1][1:]
        return jump


def predict(base: InstanceBase, queries: Ints, k: int, rank: Ints) -> Ints:
    """The class of each query by the votes of the neighbours at k distances; shape (queries,).

    ``rank``: classes in the order in which a tie is decided. In a tie one distance more counts.
    """
    return elected(base.nearest(queries, k + 1).counts, k, rank)


def _bins(sums: Floats, bins: int) -> Iterator[npt.NDArray[np.intp]]:
    """The places of the smallest distances, those at the same distance together."""
    order = np.argsort(sums, kind="stable")
    at = 0
    for _ in range(bins):
        if at == len(order):
            return
        equal = np.abs(sums[order[at:]] - sums[order[at]]) < _EQUAL
        end = at + int(equal.sum())
        yield order[at:end]
        at = end
