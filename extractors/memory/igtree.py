"""IGTREE: stored instances as a decision tree, its features tested in the order of their weights.

Numbers are symbols here, as in
TiMBL: two lengths are equal or not. A query walks down as long as its values are stored; where it
stops, the class most frequent below wins (the thesis, section 3.2.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, Mask
from winnow.extractors.memory.feature_weights import Floats
from winnow.extractors.memory.labelled_instances import LabelledInstances

Keys = npt.NDArray[np.int64]

_SHIFT: Final = 32


@dataclass(frozen=True, slots=True, eq=False)
class IgtreeLevel:
    """The nodes of one depth, sorted by key: number of the parent * 2**32 + value."""

    keys: Keys
    classes: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Igtree:
    """``order``: the features by depth; ``default``: the class where no value is stored."""

    order: Ints
    levels: Sequence[IgtreeLevel]
    default: int

    @classmethod
    def of(cls, instances: LabelledInstances, weights: Floats, rank: Ints) -> Igtree:
        """The tree of instances; among equal weights the first feature is tested first."""
        order = np.argsort(-weights, kind="stable").astype(np.int32)
        rows, counts = instances.grouped(order)
        return cls(order, _pruned(list(_levels(rows, counts, rank)), int(rank[0])), int(rank[0]))

    def predict(self, queries: Ints) -> Ints:
        """The class of each query, shape (queries, features); shape (queries,)."""
        found = np.full(len(queries), self.default, dtype=np.int32)
        node = np.zeros(len(queries), dtype=np.int64)
        active = np.arange(len(queries))
        for feature, level in zip(self.order.tolist(), self.levels, strict=False):
            if not len(active) or not len(level.keys):
                break
            keys = (node[active] << _SHIFT) + queries[active, feature]
            at = np.minimum(np.searchsorted(level.keys, keys), len(level.keys) - 1)
            is_stored = level.keys[at] == keys
            active, at = active[is_stored], at[is_stored]
            node[active], found[active] = at, level.classes[at]
        return found


@dataclass(slots=True)
class _UnprunedLevel:
    """A level before pruning."""

    values: Ints
    parents: Keys
    classes: Ints


def _levels(rows: Ints, counts: Ints, rank: Ints) -> Iterator[_UnprunedLevel]:
    """The tree of sorted rows, level by level; a node of one class alone needs nothing below it."""
    above = np.zeros(len(rows), dtype=np.int64)
    for depth in range(rows.shape[1]):
        if not len(rows):
            return
        is_first = np.ones(len(rows), dtype=bool)
        is_first[1:] = (np.diff(above) != 0) | (np.diff(rows[:, depth]) != 0)
        first = np.flatnonzero(is_first)
        votes = np.add.reduceat(counts, first, axis=0)[:, rank]
        yield _UnprunedLevel(rows[first, depth], above[first], rank[np.argmax(votes, axis=1)])
        node = np.cumsum(is_first) - 1
        mixed = ((votes > 0).sum(axis=1) > 1)[node]
        rows, counts, above = rows[mixed], counts[mixed], node[mixed]


def _pruned(levels: list[_UnprunedLevel], default: int) -> list[IgtreeLevel]:
    """Without the leaves that have the class of their parent, from the bottom up."""
    pruned: list[IgtreeLevel] = []
    needed: Mask = np.zeros(len(levels[-1].values) if levels else 0, dtype=bool)
    retained: list[Mask] = []
    for depth in range(len(levels) - 1, -1, -1):
        level = levels[depth]
        above = levels[depth - 1].classes[level.parents] if depth else default
        keep = needed | (level.classes != above)
        retained.append(keep)
        needed = np.zeros(len(levels[depth - 1].values) if depth else 1, dtype=bool)
        needed[level.parents[keep]] = True
    number: Keys = np.zeros(1, dtype=np.int64)
    for level, keep in zip(levels, reversed(retained), strict=True):
        if not keep.any():
            break
        keys = (number[level.parents[keep]] << _SHIFT) + level.values[keep]
        pruned.append(IgtreeLevel(keys, level.classes[keep]))
        number = np.cumsum(keep) - 1
    return pruned
