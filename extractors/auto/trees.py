"""Boosted trees as flat numbers, and their sum for many rows. Knows arrays; no page, no training.

``add_trees`` in ``_fast.c``, where it could be built, gives the same sums, bit by bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Final

import numpy as np
import numpy.typing as npt

_compiled: ModuleType | None
try:
    from extractors.auto import _fast as _compiled
except ImportError:  # no C compiler where Winnow was installed: the definition below does the work
    _compiled = None

NODE: Final = np.dtype(
    [("feature", "<i4"), ("threshold", "<f4"), ("left", "<i4"), ("right", "<i4")]
)
"""A node: rows whose feature is at most the threshold go left. A leaf has the feature -1, its value
as threshold and itself on both sides."""

Rows = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Forest:
    """``nodes``: of all trees, dtype NODE, shape (m,); ``roots``: where each begins, (trees,)."""

    nodes: npt.NDArray[np.void]
    roots: npt.NDArray[np.int32]

    @cached_property
    def depths(self) -> npt.NDArray[np.int32]:
        """How many steps lead to each tree's deepest leaf; shape (trees,)."""
        depths = np.zeros(len(self.roots), dtype=np.int32)
        trees, at, steps = np.arange(len(self.roots)), self.roots, 0
        while len(at):
            depths[trees] = steps
            inner = self.nodes["feature"][at] >= 0
            trees, at = np.tile(trees[inner], 2), at[inner]
            at = np.concatenate([self.nodes["left"][at], self.nodes["right"][at]])
            steps += 1
        return depths

    def sum(self, rows: Rows) -> npt.NDArray[np.float64]:
        """The sum of all trees' leaves for each row; ``rows``: (n, features), result: (n,).

        It is quickest where a feature's values stand side by side (extractor.matrix).
        """
        if _compiled is None:
            return self.sum_in_python(rows)
        sums = np.zeros(len(rows))
        columns = np.ascontiguousarray(rows.T, dtype=np.float32)
        _compiled.add_trees(self.nodes, self.roots, self.depths, columns, sums)
        return sums

    def sum_in_python(self, rows: Rows) -> npt.NDArray[np.float64]:
        """What ``sum`` does, without the compiled loop: its definition."""
        sums = np.zeros(len(rows))
        for root in self.roots:
            sums += self.nodes["threshold"][self._leaves(rows, int(root))]
        return sums

    def _leaves(self, rows: Rows, root: int) -> npt.NDArray[np.intp]:
        """The leaf of one tree that each row falls into."""
        at, every = np.full(len(rows), root), np.arange(len(rows))
        feature = self.nodes["feature"]
        while (inner := feature[at] >= 0).any():
            node = self.nodes[at]
            left = rows[every, np.maximum(node["feature"], 0)] <= node["threshold"]
            at = np.where(inner, np.where(left, node["left"], node["right"]), at)
        return at

    def of(self, roots: npt.NDArray[np.int32]) -> Forest:
        """Some of its trees, by their roots."""
        return Forest(self.nodes, roots.astype(np.int32))
