"""Fits trees to rows with a share of content and a weight each.

Trees are LightGBM's (the extra ``train``, imported when they are grown), written down as flat
numbers. Seeds are fixed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.page_runs import monotone_signs
from winnow.extractors.auto.trees import NODE, Forest

Matrix = npt.NDArray[np.float32]
Progress = Callable[[int, int], None]
"""Called with what is done and what is to do."""


@dataclass(frozen=True, slots=True, eq=False)
class FittingRows:
    """``rows``: (n, features); ``share``: how much of each row is content, 0..1, (n,); ``weight``:
    how much each counts, (n,)."""

    rows: Matrix
    share: Matrix
    weight: Matrix


@dataclass(frozen=True, slots=True)
class TreePlan:
    """How many trees are grown, and how each."""

    trees: int = 260
    leaves: int = 31
    depth: int = 8
    rate: float = 0.08
    rows_in_leaf: int = 60
    weight_in_leaf: float = 0.2
    features_tried: float = 0.4
    seed: int = 1
    monotone: tuple[int, ...] = ()
    """Of each feature 1 or -1 if the sum may only rise or fall with it, else 0; () for none."""


def fit_trees(lesson: FittingRows, plan: TreePlan, progress: Progress | None = None) -> Forest:
    """Grow trees whose sum is the log-odds of a row being content."""
    lightgbm = import_module("lightgbm")
    data = lightgbm.Dataset(lesson.rows, lesson.share, weight=lesson.weight)
    seen = [lambda state: progress(state.iteration + 1, plan.trees)] if progress else []
    booster = lightgbm.train(_parameters(plan), data, plan.trees, callbacks=seen)
    return flat(booster.dump_model()["tree_info"])


def _parameters(plan: TreePlan) -> dict[str, Any]:
    monotone: dict[str, Any] = {}
    if plan.monotone:
        monotone = {
            "monotone_constraints": list(plan.monotone),
            "monotone_constraints_method": "intermediate",
        }
    return {
        **monotone,
        "objective": "cross_entropy", "learning_rate": plan.rate, "num_leaves": plan.leaves,
        "max_depth": plan.depth, "min_data_in_leaf": plan.rows_in_leaf,
        "min_sum_hessian_in_leaf": plan.weight_in_leaf,
        "lambda_l2": 1, "feature_fraction": plan.features_tried, "bagging_fraction": 0.8,
        "bagging_freq": 1, "max_bin": 127, "num_threads": 1, "deterministic": True,
        "verbose": -1, "seed": plan.seed,
    }  # fmt: skip


def flat(trees: list[dict[str, Any]]) -> Forest:
    """LightGBM's nested trees as flat nodes."""
    nodes: list[tuple[int, float, int, int]] = []
    roots = [_write(tree["tree_structure"], nodes) for tree in trees]
    return Forest(np.array(nodes, dtype=NODE), np.array(roots, dtype=np.int32))


def _write(node: dict[str, Any], nodes: list[tuple[int, float, int, int]]) -> int:
    index = len(nodes)
    if "leaf_value" in node:
        nodes.append((-1, node["leaf_value"], index, index))
        return index
    nodes.append((0, 0, 0, 0))
    left = _write(node["left_child"], nodes)
    right = _write(node["right_child"], nodes)
    nodes[index] = (node["split_feature"], _not_above(node["threshold"]), left, right)
    return index


def _not_above(threshold: float) -> float:
    """The largest single-precision number that is not above: rows are compared with that."""
    single = np.float32(threshold)
    return float(single if single <= threshold else np.nextafter(single, np.float32(-np.inf)))


@dataclass(frozen=True, slots=True)
class AutoTrainingPlan:
    """The plans of all forests. ``blocks_a_page``: at most so many are drawn from each page at
    random."""

    trees: TreePlan = field(default_factory=TreePlan)
    types: TreePlan = field(
        default_factory=lambda: TreePlan(
            trees=80, leaves=6, rate=0.08, rows_in_leaf=15, weight_in_leaf=0.001, features_tried=0.4
        )
    )
    good: TreePlan = field(
        default_factory=lambda: TreePlan(
            trees=150,
            leaves=8,
            rate=0.05,
            rows_in_leaf=20,
            weight_in_leaf=0.001,
            features_tried=0.5,
        )
    )
    switch: TreePlan = field(
        default_factory=lambda: TreePlan(
            trees=200,
            leaves=8,
            rate=0.05,
            rows_in_leaf=20,
            weight_in_leaf=0.001,
            features_tried=0.5,
            monotone=monotone_signs(),
        )
    )
    blocks_a_page: int = 400
