"""The table of a suite: each set's subjects with intervals, the best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import median
from typing import Final

from winnow.evaluation.measuring.statistic import bootstrap, paired
from winnow.evaluation.reporting.tables import aligned
from winnow.evaluation.running.runs import ResultRow, summarise

OURS: Final = "auto"
COLUMNS: Final = (
    "set",
    "subject",
    "pages",
    "word F1",
    "±",
    "less auto",
    "±",
    "median ms",
    "x parse",
)


def suite_table(rows: Sequence[ResultRow]) -> str:
    """A line for each subject of each set.

    ``±``: half a 95 % bootstrap interval. ``less auto``: the F1 above that of ``auto``, the same
    pages drawn for both; a number within its interval of 0 is no difference. ``median ms``: CPU
    of the median page.
    """
    lines: list[list[str]] = []
    for _, group in groupby(rows, key=lambda row: row.package):
        of_set = list(group)
        ours = _scores([row for row in of_set if row.subject == OURS])
        by_subject = {row.subject: list[ResultRow]() for row in of_set}
        for row in of_set:
            by_subject[row.subject].append(row)
        found = [_line(rows_of_one, ours) for rows_of_one in by_subject.values()]
        lines += [cells for _, cells in sorted(found, key=lambda one: -one[0])]
    return aligned(COLUMNS, lines, 2)


def _line(rows: Sequence[ResultRow], ours: Mapping[str, float]) -> tuple[float, list[str]]:
    """The mean word F1, and the cells."""
    scores, summary = _scores(rows), summarise(rows)
    estimate = bootstrap(list(scores.values()))
    more = paired(scores, ours)
    apart = ["", ""] if rows[0].subject == OURS or not ours else _cells(more.mean, more.plus_minus)
    cells = [
        rows[0].package,
        rows[0].subject,
        str(len(rows)),
        f"{estimate.mean:.3f}",
        f"{estimate.plus_minus:.3f}",
        *apart,
        f"{_median(rows):.2f}",
        f"{summary.ratio:.1f}",
    ]
    return estimate.mean, cells


def _median(rows: Sequence[ResultRow]) -> float:
    """Milliseconds of the median page that was answered."""
    return 1000 * median([row.seconds for row in rows if not row.error] or [0.0])


def _cells(difference: float, plus_minus: float) -> list[str]:
    return [f"{difference:+.3f}", f"{plus_minus:.3f}"]


def _scores(rows: Sequence[ResultRow]) -> dict[str, float]:
    return {row.page: row.values["word.f1"] for row in rows}
