"""A small network of layers, run over many rows. Knows matrices; no page, no training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]

SINGLE_THREADED: Final = 1_000_000
"""Multiplications up to which OpenBLAS works alone (262144 times its threshold of 4)."""
REACH: Final = 4.0
"""Standard deviations from the mean beyond which a feature counts as just far off."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """``centre``, ``spread``: of each feature, (features,); ``skewed``: the columns of features
    that are taken as logarithms; ``weights``, ``biases``: a pair a layer, (inputs, outputs) and
    (outputs,). Between layers what is below 0 becomes 0; the last layer has one output."""

    centre: Matrix
    spread: Matrix
    skewed: npt.NDArray[np.int32]
    weights: tuple[Matrix, ...]
    biases: tuple[Matrix, ...]

    def sum(self, rows: Matrix) -> Matrix:
        """The output for each row; ``rows``: (n, features), result: (n,)."""
        found = self.scaled(rows)
        for weights, biases in zip(self.weights[:-1], self.biases[:-1], strict=True):
            found = product(found, weights)
            found += biases
            np.maximum(found, 0, out=found)
        out: Matrix = (found @ self.weights[-1] + self.biases[-1])[:, 0]
        return out

    def scaled(self, rows: Matrix) -> Matrix:
        """Each feature around 0 and of like spread; same shape."""
        found = even(rows, self.skewed)
        found -= self.centre
        found /= self.spread
        return np.clip(found, -REACH, REACH, out=found)


def product(rows: Matrix, weights: Matrix) -> Matrix:
    """``rows @ weights``, a slice of rows at a time.

    OpenBLAS shares a larger product out among threads, whose waking costs more CPU time on a page's
    few hundred rows than the product itself.
    """
    step = max(SINGLE_THREADED // weights.size, 1)
    found = np.empty((len(rows), weights.shape[1]), dtype=np.float32)
    for start in range(0, len(rows), step):
        np.matmul(rows[start : start + step], weights, out=found[start : start + step])
    return found


def even(rows: Matrix, skewed: npt.NDArray[np.int32]) -> Matrix:
    """A copy of the rows in which skewed features are logarithms that keep their sign."""
    found = rows.astype(np.float32, copy=True)
    some = found[:, skewed]
    found[:, skewed] = np.copysign(np.log1p(np.abs(some)), some)
    return found
