"""Boosted trees as flat numbers, and their sum for many rows.

``staged`` and ``votes`` in ``_trees.c``, where it could be built, give the same sums, bit by bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module

_compiled: Any = optional_module("winnow.extractors.auto._trees")

NODE: Final = np.dtype(
    [("feature", "<i4"), ("threshold", "<f4"), ("left", "<i4"), ("right", "<i4")]
)
"""A node: rows whose feature is at most the threshold go left. A leaf has the feature -1, its value
as threshold and itself on both sides."""

PACKED: Final = np.dtype([("threshold", "<f4"), ("feature", "<u2"), ("left", "<u2")])
"""A node of 8 bytes: its right stands behind its left, which is counted from the tree's root. A
leaf has an infinite threshold and is its own left."""

Rows = npt.NDArray[np.float32]
Sums = npt.NDArray[np.float64]


class Packed(NamedTuple):
    """``nodes``: dtype PACKED, ``values``: of leaves, both (m,); ``roots``, ``depths``: where each
    tree begins and how many steps lead to its deepest leaf, (trees,)."""

    nodes: npt.NDArray[np.void]
    values: npt.NDArray[np.float32]
    roots: npt.NDArray[np.int32]
    depths: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Forest:
    """``nodes``: of all trees, dtype NODE, shape (m,); ``roots``: where each begins, (trees,)."""

    nodes: npt.NDArray[np.void]
    roots: npt.NDArray[np.int32]

    @cached_property
    def packed(self) -> Packed:
        """The same trees for the compiled loop."""
        levels = list(self._levels())
        trees = np.concatenate([tree for tree, _ in levels])
        order = np.argsort(trees, kind="stable")
        old, trees = np.concatenate([at for _, at in levels]).take(order), trees.take(order)
        roots = np.searchsorted(trees, np.arange(len(self.roots))).astype(np.int32)
        new = np.zeros(len(self.nodes), dtype=np.int32)
        new[old] = np.arange(len(old)) - roots.take(trees)
        found, nodes = self.nodes[old], np.empty(len(old), dtype=PACKED)
        is_leaf = found["feature"] < 0
        nodes["threshold"] = np.where(is_leaf, np.inf, found["threshold"])
        nodes["feature"] = np.maximum(found["feature"], 0)
        nodes["left"] = new.take(found["left"])
        depths = np.zeros(len(self.roots), dtype=np.int32)
        for depth, (tree, _) in enumerate(levels):
            depths[tree] = depth
        return Packed(nodes, found["threshold"].copy(), roots, depths)

    @cached_property
    def checked(self) -> object:
        """The packed trees as the compiled loops take them, which look at all nodes but once; None
        where there are none."""
        if not len(self.roots):
            return None
        most = int(self.packed.nodes["feature"].max()) + 1
        return _compiled.forest(*self.packed, most)

    def _levels(self) -> Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.int32]]]:
        """From the roots down: the tree and the index of each node; siblings side by side."""
        trees, at = np.arange(len(self.roots)), self.roots
        while len(at):
            yield trees, at
            inner = self.nodes["feature"][at] >= 0
            trees, at = np.repeat(trees[inner], 2), at[inner]
            at = np.stack([self.nodes["left"][at], self.nodes["right"][at]], axis=1).ravel()

    def sum(self, rows: Rows, chosen: npt.NDArray[np.integer] | None = None) -> Sums:
        """The sum of all trees' leaves for each row; ``rows``: (n, features), result: (n,).

        ``chosen``: the indices of the wanted rows, all if None; then the result is of their
        shape. It is quickest where a feature's values stand side by side (matrix.Matrix).
        """
        return staged_sums(((self, 0.0),), rows if chosen is None else rows[chosen])

    def sum_in_python(self, rows: Rows, chosen: npt.NDArray[np.integer] | None = None) -> Sums:
        """What ``sum`` does, without the compiled loop: its definition."""
        rows = rows if chosen is None else rows[chosen]
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


Stages = Sequence[tuple[Forest, float]]
"""Forests, each with the limit that ends the matter behind it."""


def _sums_of_compiled(forests: Sequence[Forest], row: Rows) -> list[float]:
    checked = tuple(map(_CHECKED, forests))
    found: list[float] = _compiled.votes(checked, np.ascontiguousarray(row, dtype=np.float32))
    return found


_CHECKED: Final = attrgetter("checked")


def sums_of_in_python(forests: Sequence[Forest], row: Rows) -> list[float]:
    """The sum of each forest's leaves for one row, (1, features)."""
    return [float(forest.sum_in_python(row)[0]) for forest in forests]


sums_of = loop(_compiled and _sums_of_compiled, sums_of_in_python)


def _staged_sums_compiled(stages: Stages, rows: Rows) -> Sums:
    sums, columns = np.zeros(len(rows)), np.ascontiguousarray(rows.T, dtype=np.float32)
    checked = tuple([forest.checked for forest, _ in stages])
    limits = np.array([limit for _, limit in stages])
    _compiled.staged(checked, limits, columns, len(columns), sums)
    return sums


def staged_sums_in_python(stages: Stages, rows: Rows) -> Sums:
    """The sum of the forests' leaves for each row, (n,); ``rows``: (n, features).

    A row whose sum is as far from 0 as a stage's limit is not passed to the next.
    """
    score, undecided = np.zeros(len(rows)), np.arange(len(rows))
    for forest, limit in stages:
        score[undecided] += forest.sum_in_python(rows, undecided)
        undecided = undecided[np.abs(score[undecided]) < limit]
    return score


staged_sums = loop(_compiled and _staged_sums_compiled, staged_sums_in_python)
