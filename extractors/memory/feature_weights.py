"""Feature weights: none, gain ratio, information gain, chi-square, shared variance.

The thesis's equations 3.3 to
3.7, and TiMBL's way with numbers: their distinct values are split, in order, into twenty classes
with as many values each (tests/extractors/memory/test_timbl.py holds both against the program).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from winnow.document.arrays import Ints, Mask

Floats = npt.NDArray[np.float64]

BINS: Final = 20
"""Classes into which a number's values are split (TiMBL's -B)."""
_MANY: Final = 1 << 17
"""Values from here on are replaced by their ranks before they are counted."""
_EPSILON: Final = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class WeightTable:
    """How often each value came with each class; ``counts`` has the shape (values, classes).

    ``distinct``: how many values there were, before a number's were split.
    """

    counts: npt.NDArray[np.int64]
    distinct: int

    @classmethod
    def of(cls, values: Ints, classes: Ints, numeric: bool) -> WeightTable:
        """Count a column; a number's values are split into bins first."""
        number = int(classes.max()) + 1
        if len(values) and int(values.max()) >= _MANY:
            values = np.unique(values, return_inverse=True)[1].astype(np.int32)
        counts = np.bincount(values.astype(np.int64) * number + classes)
        counts = np.pad(counts, (0, -len(counts) % number)).reshape(-1, number)
        counts = counts[counts.sum(axis=1) > 0]
        distinct = len(counts)
        if numeric:
            sizes = [len(part) for part in np.array_split(np.arange(distinct), BINS)]
            first = np.cumsum([0, *sizes])[: min(BINS, distinct)]
            counts = np.add.reduceat(counts, first, axis=0)
        return cls(counts[:, counts.sum(axis=0) > 0], distinct)

    @property
    def gain(self) -> float:
        """Information gain (equation 3.3), in bits."""
        rows, total = self.counts.sum(axis=1), self.counts.sum()
        conditional = sum(
            _entropy(row) * weight for row, weight in zip(self.counts, rows / total, strict=True)
        )
        return _entropy(self.counts.sum(axis=0)) - float(conditional)

    @property
    def split(self) -> float:
        """The entropy of the values themselves (equation 3.5)."""
        return _entropy(self.counts.sum(axis=1))

    @property
    def chi_square(self) -> float:
        """Pearson's statistic of values against classes."""
        rows, columns = self.counts.sum(axis=1), self.counts.sum(axis=0)
        expected = np.outer(rows, columns) / self.counts.sum()
        return float(((self.counts - expected) ** 2 / expected).sum())


def _gain(table: WeightTable) -> float:
    return max(table.gain, 0.0) if table.split > _EPSILON else 0.0


def _gain_ratio(table: WeightTable) -> float:
    return _gain(table) / table.split if table.split > _EPSILON else 0.0


def _shared_variance(table: WeightTable) -> float:
    """Equation 3.7."""
    freedom = min(table.counts.shape) - 1
    return table.chi_square / (int(table.counts.sum()) * freedom) if freedom else 0.0


WEIGHTS: Final[Mapping[str, Callable[[WeightTable], float]]] = MappingProxyType(
    {
        "nw": lambda table: 1.0,
        "gr": _gain_ratio,
        "ig": _gain,
        "x2": lambda table: table.chi_square,
        "sv": _shared_variance,
    }
)
"""By TiMBL's names."""


@dataclass(frozen=True, slots=True, eq=False)
class FeatureWeights:
    """Each feature's weight by weighting, arrays of the shape (features,), and its values."""

    weights: Mapping[str, Floats]
    distinct: Ints

    @classmethod
    def of(cls, values: Ints, classes: Ints, numeric: Mask) -> FeatureWeights:
        """Weigh the columns of ``values``, shape (n, features)."""
        tables = [
            WeightTable.of(column, classes, number)
            for column, number in zip(values.T, numeric.tolist(), strict=True)
        ]
        distinct = np.array([table.distinct for table in tables], dtype=np.int32)
        found = {
            kind: np.array([weigh(table) for table in tables]) for kind, weigh in WEIGHTS.items()
        }
        return cls(found, distinct)

    @property
    def order(self) -> Ints:
        """The features as TiMBL sums a distance: by gain ratio through the number of values."""
        worth = self.weights["gr"] / np.maximum(self.distinct, 1)
        return np.argsort(-worth, kind="stable").astype(np.int32)


def _entropy(counts: npt.NDArray[np.int64]) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())
