"""Quantiles, slopes and memory as they are printed. Pure."""

from __future__ import annotations

from collections.abc import Sequence


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which that share of them lies; 0 of none."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


def slope(values: Sequence[float]) -> float:
    """By how much a straight line through them rises from the first to the last, of their mean."""
    size = len(values)
    if size < 2:
        return 0.0
    middle, mean = (size - 1) / 2, sum(values) / size
    above = sum((at - middle) * (value - mean) for at, value in enumerate(values))
    below = sum((at - middle) ** 2 for at in range(size))
    return above / below * (size - 1) / mean if mean else 0.0


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"
