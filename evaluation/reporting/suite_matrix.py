"""The suite as one Markdown table: a line a package, a column a subject, for the documentation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from statistics import median
from typing import Final

from winnow.evaluation.measuring.statistic import bootstrap
from winnow.evaluation.reporting.suite_table import OURS
from winnow.evaluation.running.runs import ResultRow

_UNKNOWN: Final = ""


def suite_matrix(rows: Sequence[ResultRow], cross_validated: Mapping[str, float | None]) -> str:
    """Word F1 of each subject on each package with half its 95 % bootstrap interval.

    ``cross_validated``: of packages that ours learned from the F1 on all their pages by models that
    saw none of the page's site, None where it is not known; their row has it in place of ours. The
    last two lines: CPU milliseconds of the median page, and those in bare parses of that page.
    """
    subjects = list(dict.fromkeys(row.subject for row in rows))
    lines = [["package", "pages", *subjects], ["---"] * (2 + len(subjects))]
    for package, group in groupby(rows, key=lambda row: row.package):
        found = _by_subject(list(group))
        cells = [_cell(package, subject, found, cross_validated) for subject in subjects]
        lines.append([package, str(max(map(len, found.values()))), *cells])
    every = _by_subject([row for row in rows if not row.error])
    lines.append(["CPU of the median page, ms", "", *(_time(every[name]) for name in subjects)])
    lines.append(["the same in bare parses", "", *(_parses(every[name]) for name in subjects)])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _by_subject(rows: Sequence[ResultRow]) -> dict[str, list[ResultRow]]:
    found: dict[str, list[ResultRow]] = defaultdict(list)
    for row in rows:
        found[row.subject].append(row)
    return found


def _cell(
    package: str,
    subject: str,
    found: Mapping[str, Sequence[ResultRow]],
    cross_validated: Mapping[str, float | None],
) -> str:
    if subject not in found:
        return _UNKNOWN
    if subject == OURS and package in cross_validated:
        known = cross_validated[package]
        return _UNKNOWN if known is None else f"{_short(known)} *"
    estimate = bootstrap([row.values["word.f1"] for row in found[subject]])
    return f"{_short(estimate.mean)} ± {_short(estimate.plus_minus)}"


def _short(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def _time(rows: Sequence[ResultRow]) -> str:
    return f"{1000 * median(row.seconds for row in rows):.1f}" if rows else _UNKNOWN


def _parses(rows: Sequence[ResultRow]) -> str:
    known = [row.seconds / row.parse_seconds for row in rows if row.parse_seconds]
    return f"{median(known):.0f}" if known else _UNKNOWN
