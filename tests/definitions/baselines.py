"""BTE, the maximum subsequence and the document slope curve over a row of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate


def best_bte(bits: Sequence[int]) -> int:
    """The highest T_ij over all i <= j, tried one by one (Gottron 2007, section 5.2). O(n^2).

    ``bits``: 1 for a tag, 0 for a word. T_ij counts the tags before i, the words in i..j and the
    tags behind j: all tags, and from i to j one more for a word and one less for a tag.
    """
    gains = [1 - 2 * bit for bit in bits]
    return sum(bits) + max((max(accumulate(gains[i:])) for i in range(len(bits))), default=0)


def bte_value(bits: Sequence[int], i: int, j: int) -> int:
    """T_ij."""
    return sum(bits[:i]) + sum(1 - bit for bit in bits[i : j + 1]) + sum(bits[j + 1 :])


def figure_1(scores: Sequence[float]) -> tuple[int, int]:
    """The maximum subsequence, as figure 1 of Pasternack & Roth 2009 has it; half-open."""
    start, total, best, found = 0, 0.0, 0.0, (0, 0)
    for i, score in enumerate(scores):
        total = total + score
        if total > best:
            best, found = total, (start, i + 1)
        if total < 0:
            start, total = i + 1, 0.0
    return found


def slope_areas(bits: Sequence[int], window: int, patience: int = 3) -> list[int]:
    """The tokens of all low-slope areas (Gottron 2007, section 5.3).

    Windows overlap by half; a window is low below half the slope of the document. Three low ones
    in a row open an area, three that are not low close it behind its last low one.
    """
    limit = sum(bits) / max(len(bits), 1) / 2
    kept: list[int] = []
    lows = highs = opening = closing = 0
    is_open = False
    for start in range(0, max(len(bits) - window // 2, 1), window // 2):
        part = bits[start : start + window]
        is_low = sum(part) / max(len(part), 1) < limit
        lows, highs = (lows + 1, 0) if is_low else (0, highs + 1)
        if not is_open and lows == patience:
            is_open, opening = True, start - (patience - 1) * (window // 2)
        if is_open and is_low:
            closing = start + len(part)
        if is_open and highs == patience:
            kept += range(opening, closing)
            is_open = False
    return [*kept, *range(opening, closing)] if is_open else kept
