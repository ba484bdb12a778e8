"""What many pages' values say together: means, deviations, how sure, and which of two is better."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from winnow.evaluation.measuring.measures import Values

Floats = npt.NDArray[np.float64]

SAMPLES = 1000
SURE = 1.96  # standard deviations that hold 95 % of a normal distribution


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and half the width of its 95 % confidence interval."""

    mean: float
    plus_minus: float


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean; 0 of nothing, so that an empty row prints."""
    return statistics.fmean(values) if values else 0.0


def deviation(values: Sequence[float]) -> float:
    """The estimated (n - 1) standard deviation: how steady a method is (Gottron, section 3)."""
    return statistics.stdev(values) if len(values) > 1 else 0.0


def means(pages: Iterable[Values]) -> dict[str, float]:
    """The mean of each value over the pages that have it.

    ``shingles.f1`` is that of the mean precision and recall, as article-extraction-benchmark has
    it; every other F1 is a mean of pages' F1.
    """
    columns: dict[str, list[float]] = {}
    for values in pages:
        for name, value in values.items():
            columns.setdefault(name, []).append(value)
    found = {name: mean(column) for name, column in columns.items()}
    return found | _shingles_f1(found)


def bootstrap(values: Sequence[float], samples: int = SAMPLES, seed: int = 0) -> Estimate:
    """The mean with a bootstrap interval: 1.96 deviations of the means of resampled pages."""
    if not values:
        return Estimate(0.0, 0.0)
    column = np.asarray(values)
    drawn = _draws(len(column), samples, seed)
    return Estimate(float(column.mean()), SURE * _spread(column[drawn].mean(axis=1)))


def paired(
    left: Mapping[str, float],
    right: Mapping[str, float],
    samples: int = SAMPLES,
    seed: int = 0,
) -> Estimate:
    """How much better left is than right on the pages both have, keyed by page.

    The same pages are drawn for both, so what makes a page hard for both cancels out; a mean
    farther from 0 than its interval is a difference.
    """
    common = sorted(left.keys() & right.keys())
    return bootstrap([left[page] - right[page] for page in common], samples, seed)


def bootstrap_shingles(pages: Sequence[Values], samples: int = SAMPLES, seed: int = 0) -> Estimate:
    """``shingles.f1`` with its interval, pages drawn whole (article-extraction-benchmark)."""
    whole = means(pages).get("shingles.f1", 0.0)
    if not pages:
        return Estimate(0.0, 0.0)
    columns = (
        np.array([page.get(name, np.nan) for page in pages])
        for name in ("shingles.precision", "shingles.recall")
    )
    drawn = _draws(len(pages), samples, seed)
    precision, recall = (_means_where_known(column[drawn]) for column in columns)
    both = np.maximum(precision + recall, np.finfo(float).tiny)
    return Estimate(whole, SURE * _spread(2 * precision * recall / both))


def _means_where_known(drawn: Floats) -> Floats:
    """The mean of each row's numbers, 0 where it has none; shape (samples, pages) to (samples,)."""
    is_number = ~np.isnan(drawn)
    found: Floats = np.where(is_number, drawn, 0.0).sum(axis=1) / np.maximum(
        is_number.sum(axis=1), 1
    )
    return found


def _shingles_f1(found: Mapping[str, float]) -> dict[str, float]:
    if not {"shingles.precision", "shingles.recall"} <= found.keys():
        return {}
    precision, recall = found["shingles.precision"], found["shingles.recall"]
    both = precision + recall
    return {"shingles.f1": 2 * precision * recall / both if both else 0.0}


def _draws(pages: int, samples: int, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.random.default_rng(seed).integers(0, max(pages, 1), (samples, pages))


def _spread(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    return float(np.std(values, ddof=1))
