"""Fits trees and networks to rows with a share of content and a weight each. Knows no page.

Trees are LightGBM's (the extra ``train``, imported when they are grown), written down as flat
numbers; the network is learned with Adam (Kingma & Ba, ICLR 2015) in plain NumPy. Seeds are fixed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from extractors.auto.network import Matrix, Network, even
from extractors.auto.trees import NODE, Forest

Progress = Callable[[int, int], None]
"""Called with what is done and what is to do."""


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """``rows``: (n, features); ``share``: how much of each row is content, 0..1, (n,); ``weight``:
    how much each counts, (n,)."""

    rows: Matrix
    share: Matrix
    weight: Matrix


@dataclass(frozen=True, slots=True)
class TreePlan:
    """How many trees are grown, and how each."""

    trees: int = 220
    leaves: int = 31
    rate: float = 0.09
    rows_in_leaf: int = 60
    weight_in_leaf: float = 0.2
    features_tried: float = 0.4
    seed: int = 1


@dataclass(frozen=True, slots=True)
class NetworkPlan:
    """The network's shape and how long it learns."""

    layers: tuple[int, ...] = (64, 32)
    epochs: int = 8
    batch: int = 512
    rate: float = 2e-3
    decay: float = 1e-4
    dropout: float = 0.1
    seed: int = 1


def fit_trees(lesson: Lesson, plan: TreePlan, progress: Progress | None = None) -> Forest:
    """Grow trees whose sum is the log-odds of a row being content."""
    lightgbm = import_module("lightgbm")
    parameters = {
        "objective": "cross_entropy", "learning_rate": plan.rate, "num_leaves": plan.leaves,
        "min_data_in_leaf": plan.rows_in_leaf, "min_sum_hessian_in_leaf": plan.weight_in_leaf,
        "lambda_l2": 1, "feature_fraction": plan.features_tried, "bagging_fraction": 0.8,
        "bagging_freq": 1, "max_bin": 127, "num_threads": 1, "deterministic": True,
        "verbose": -1, "seed": plan.seed,
    }  # fmt: skip
    data = lightgbm.Dataset(lesson.rows, lesson.share, weight=lesson.weight)
    seen = [lambda state: progress(state.iteration + 1, plan.trees)] if progress else []
    booster = lightgbm.train(parameters, data, plan.trees, callbacks=seen)
    return flat(booster.dump_model()["tree_info"])


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


_BETA: Final = (0.9, 0.999)


def fit_network(lesson: Lesson, plan: NetworkPlan, progress: Progress | None = None) -> Network:
    """Learn a network whose output is the log-odds of a row being content."""
    random = np.random.default_rng(plan.seed)
    network = _untaught(lesson.rows, plan, random)
    rows = network.scaled(lesson.rows)
    state = _Adam([*network.weights, *network.biases])
    steps = plan.epochs * -(-len(rows) // plan.batch)
    for step, batch in enumerate(_batches(len(rows), plan, random)):
        rate = plan.rate * 0.5 * (1 + np.cos(np.pi * step / steps))
        weight = lesson.weight[batch]
        some = Lesson(rows[batch], lesson.share[batch], weight / weight.mean())
        slopes = _slopes(network, some, plan.dropout, random)
        state.step(slopes, rate, plan.decay)
        if progress and step % 100 == 0:
            progress(step, steps)
    return network


def _untaught(rows: Matrix, plan: NetworkPlan, random: np.random.Generator) -> Network:
    reach = np.quantile(rows[:: max(len(rows) // 20000, 1)], [0.5, 0.99], axis=0)
    skewed = np.flatnonzero(np.abs(reach[1]) > 8 * np.abs(reach[0]) + 4).astype(np.int32)
    scaled = even(rows, skewed)
    sizes = (rows.shape[1], *plan.layers, 1)
    weights = tuple(
        (random.standard_normal((a, b)) * np.sqrt(2 / a)).astype(np.float32)
        for a, b in pairwise(sizes)
    )
    biases = tuple(np.zeros(b, dtype=np.float32) for b in sizes[1:])
    spread = scaled.std(axis=0, dtype=np.float64) + 1e-3
    centre = scaled.mean(axis=0, dtype=np.float64)
    return Network(centre.astype(np.float32), spread.astype(np.float32), skewed, weights, biases)


def _batches(n: int, plan: NetworkPlan, random: np.random.Generator) -> Iterator[npt.NDArray[Any]]:
    for _ in range(plan.epochs):
        order = random.permutation(n)
        for start in range(0, n, plan.batch):
            yield order[start : start + plan.batch]


def _slopes(
    network: Network, lesson: Lesson, dropout: float, random: np.random.Generator
) -> list[Matrix]:
    """The slopes of the weighted cross entropy, in the order of weights and biases."""
    inputs, kept = [lesson.rows], 1 - dropout
    for weights, biases in zip(network.weights[:-1], network.biases[:-1], strict=True):
        found = np.maximum(inputs[-1] @ weights + biases, 0)
        found *= (random.random(found.shape, dtype=np.float32) < kept) / np.float32(kept)
        inputs.append(found)
    out = (inputs[-1] @ network.weights[-1] + network.biases[-1])[:, 0]
    error = (1 / (1 + np.exp(-out)) - lesson.share) * lesson.weight / len(out)
    error = error[:, None]
    of_weights, of_biases = [], []
    for layer in range(len(network.weights) - 1, -1, -1):
        of_weights.append(inputs[layer].T @ error)
        of_biases.append(error.sum(axis=0))
        if layer:
            error = (error @ network.weights[layer].T) * (inputs[layer] > 0) / np.float32(kept)
    return [*of_weights[::-1], *of_biases[::-1]]


class _Adam:
    """Moments of the slopes of parameters that it changes in place."""

    def __init__(self, parameters: list[Matrix]) -> None:
        self.parameters = parameters
        self.first = [np.zeros_like(values) for values in parameters]
        self.second = [np.zeros_like(values) for values in parameters]
        self.steps = 0

    def step(self, slopes: list[Matrix], rate: float, decay: float) -> None:
        """One step down; ``decay`` shrinks matrices (Loshchilov & Hutter, ICLR 2019)."""
        self.steps += 1
        tempered = rate * np.sqrt(1 - _BETA[1] ** self.steps) / (1 - _BETA[0] ** self.steps)
        for index, slope in enumerate(slopes):
            first, second = self.first[index], self.second[index]
            np.add(first, (1 - _BETA[0]) * (slope - first), out=first)
            np.add(second, (1 - _BETA[1]) * (slope * slope - second), out=second)
            values = self.parameters[index]
            kept = 1 - rate * decay if values.ndim > 1 else 1
            change = tempered * first / (np.sqrt(second) + 1e-8)
            np.subtract(values * np.float32(kept), change.astype(np.float32), out=values)
