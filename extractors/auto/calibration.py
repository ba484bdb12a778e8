"""Platt's scaling: log-odds that are true probabilities on pages that a forest never saw.

Platt, "Probabilistic outputs for support vector machines" (1999), with the targets of its section
2.2 and Newton's method as in Lin, Lin & Weng (2007).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.extractors.auto.trees import Forest

Floats = npt.NDArray[Any]
STEPS, RIDGE = 50, 1e-9
SHRUNK = 20


class Calibration(NamedTuple):
    """Log-odds become ``slope * score + offset``."""

    slope: float
    offset: float

    def __call__(self, scores: Floats) -> Floats:
        """The true log-odds."""
        found: Floats = self.slope * scores + self.offset
        return found


def calibration(scores: Floats, truth: npt.NDArray[np.bool_]) -> Calibration:
    """The line with the highest likelihood. ``scores``: log-odds, (n,); ``truth``: of each."""
    right, wrong = int(truth.sum()), int((~truth).sum())
    target = np.where(truth, (right + 1) / (right + 2), 1 / (wrong + 2))
    columns = np.stack([scores, np.ones_like(scores)], axis=1)
    line = np.array([1.0, 0.0])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-np.clip(columns @ line, -30, 30)))
        gradient = columns.T @ (chances - target)
        weighted = columns * (chances * (1 - chances))[:, None]
        line = line - np.linalg.solve(columns.T @ weighted + RIDGE * np.eye(2), gradient)
    return Calibration(float(line[0]), float(line[1]))


def offset(scores: Floats, truth: npt.NDArray[np.bool_], weights: Floats) -> float:
    """What is to be added to log-odds of some pages, with the highest likelihood, shrunk to 0 as by
    SHRUNK pages of even odds; 0 of none."""
    found = 0.0
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-np.clip(scores + found, -30, 30)))
        slope = float(weights @ (truth - chances)) - SHRUNK / 4 * found
        found += slope / (float(weights @ (chances * (1 - chances))) + SHRUNK / 4)
    return found


def calibrated(forest: Forest, line: Calibration) -> Forest:
    """The forest whose sums are calibrated."""
    nodes, is_leaf = forest.nodes.copy(), forest.nodes["feature"] < 0
    share = line.offset / max(len(forest.roots), 1)
    nodes["threshold"][is_leaf] = forest.nodes["threshold"][is_leaf] * line.slope + share
    return Forest(nodes, forest.roots)
