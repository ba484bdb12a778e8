"""Maximum and maximal subsequences of scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.document.compiled import loop, optional_module

_compiled: Any = optional_module("winnow.extractors.mss._loops")

Scores = npt.NDArray[np.float64]


class Run(NamedTuple):
    """A contiguous run ``[start, end)`` of a sequence of scores and their sum."""

    start: int
    end: int
    total: float


EMPTY = Run(0, 0, 0.0)


def maximum_subsequence(scores: Iterable[float]) -> Run:
    """The run with the highest sum, in one pass (Pasternack & Roth 2009, section 6.1, figure 1).

    Of runs with equal sums the one that ends first; of those, the one that starts first. Where no
    score is above 0 the run is empty. O(n).
    """
    best, start, total = EMPTY, 0, 0.0
    for index, score in enumerate(scores):
        total += score
        if total > best.total:
            best = Run(start, index + 1, total)
        elif total < 0:
            start, total = index + 1, 0.0
    return best


def _maximum_run_compiled(costs: Scores, gains: Scores) -> Run:
    columns = (np.ascontiguousarray(row, dtype=np.float64) for row in (costs, gains))
    return Run(*_compiled.maximum_run(*columns))


def maximum_run_in_python(costs: Scores, gains: Scores) -> Run:
    """``maximum_subsequence`` of ``-costs[0], gains[0], -costs[1], gains[1], ...`` by array.

    ``costs`` and ``gains`` are not negative, of one shape (n,). The run is given in pairs: it
    starts with gains[start] and ends with gains[end - 1], as a best run must. O(n).
    """
    after = np.cumsum(gains - costs)
    before = after - gains
    lowest = np.minimum.accumulate(before)
    if not len(after) or not (after - lowest).max() > 0:
        return EMPTY
    end = int(np.argmax(after - lowest))
    start = int(np.argmin(before[: end + 1]))
    return Run(start, end + 1, float(after[end] - before[start]))


maximum_run = loop(_compiled and _maximum_run_compiled, maximum_run_in_python)


def best_run(scores: Scores) -> Run:
    """``maximum_subsequence`` by array; of runs with equal sums any that starts above 0. O(n)."""
    gains = np.maximum(scores, 0)
    run = maximum_run(gains - scores, gains)
    if not run.end:
        return EMPTY
    return run._replace(start=run.start + int(np.argmax(gains[run.start : run.end] > 0)))


def maximal_subsequences(scores: Sequence[float]) -> list[Run]:
    """All maximal scoring runs, disjoint and in order (Ruzzo & Tompa, ISMB 1999). O(n).

    Each is the best run of what is left between the others; the k best are the k highest totals.
    The candidates stand on a stack; each is linked to the last one before it whose left sum is
    smaller, so that every candidate is passed over at most once.
    """
    stack: list[_Candidate] = []
    total = 0.0
    for index, score in enumerate(scores):
        left, total = total, total + score
        if score > 0:
            _join(stack, _Candidate(index, index + 1, left, total, -1))
    return [Run(found.start, found.end, found.right - found.left) for found in stack]


def maximal_runs(scores: Scores) -> list[Run]:
    """``maximal_subsequences`` by array: neighbours on one side of 0 are summed first. O(n)."""
    gains = scores > 0
    edges = np.append(True, gains[1:] != gains[:-1])
    first = np.flatnonzero(edges[: len(scores)])
    if not len(first):
        return []
    bounds = np.append(first, len(scores)).tolist()
    sums = np.add.reduceat(scores, first).tolist()
    return [
        Run(bounds[run.start], bounds[run.end], run.total) for run in maximal_subsequences(sums)
    ]


class _Candidate(NamedTuple):
    start: int
    end: int
    left: float
    right: float
    smaller: int  # index on the stack of the nearest candidate with a smaller left sum


def _join(stack: list[_Candidate], new: _Candidate) -> None:
    """Put a candidate on the stack, merged with those that it extends (steps 1 to 4)."""
    while True:
        at = len(stack) - 1
        while at >= 0 and stack[at].left >= new.left:
            at = stack[at].smaller
        if at < 0 or stack[at].right >= new.right:
            stack.append(new._replace(smaller=at))
            return
        new = new._replace(start=stack[at].start, left=stack[at].left)
        del stack[at:]
