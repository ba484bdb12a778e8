"""Results as tables for people and files for programs: aligned text, tab-separated, JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from winnow.evaluation.running.runs import ResultRow, Summary

COLUMNS = (
    *("package", "type", "subject", "pages", "word F1", "P", "R", "dev"),
    *("ms/page", "s/kB", "x parse", "errors"),
)
ROW_COLUMNS = (*("package", "page", "type", "subject", "kB", "seconds", "parse_seconds", "error"),)
MORE = (
    *("set", "sequence", "characters", "cleaneval", "best", "shingles", "with", "without"),
    *("voice.start", "voice.end", "voice.all", "title", "heading", "body"),
    *("repeated", "repeated.gold"),
)
_TEXT_COLUMNS = 3
_WORD = ("word.f1", "word.precision", "word.recall")


def summary_table(summaries: Sequence[Summary]) -> str:
    """One line a summary, under a heading; columns aligned for a terminal."""
    more = [name for name in MORE if any(_value(summary, name) for summary in summaries)]
    lines = [[*_cells(summary), *(_value(summary, name) for name in more)] for summary in summaries]
    return aligned([*COLUMNS, *more], lines, _TEXT_COLUMNS)


def aligned(heading: Sequence[str], lines: Sequence[Sequence[str]], text_columns: int) -> str:
    """A table whose first ``text_columns`` columns stand left, the others right."""
    table = [heading, *lines]
    widths = [max(len(line[column]) for line in table) for column in range(len(heading))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column < text_columns else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in table
    )


def failures(rows: Sequence[ResultRow]) -> list[str]:
    """A sentence for each subject that failed: on how many pages, and what the first error was."""
    failed: dict[str, list[ResultRow]] = {}
    for row in rows:
        if row.error:
            failed.setdefault(row.subject, []).append(row)
    pages = Counter(row.subject for row in rows)
    return [
        f"{name} failed on {len(some)} of {pages[name]} pages, first on {some[0].package} "
        f"{some[0].page}: {some[0].error}"
        for name, some in failed.items()
    ]


def write_rows(rows: Sequence[ResultRow], path: Path) -> None:
    """One tab-separated line a page, under a heading (Gottron 2007, section 4.3)."""
    names = list(dict.fromkeys(name for row in rows for name in row.values))
    lines = [(*ROW_COLUMNS, *names)]
    for row in rows:
        values = [row.values.get(name, "") for name in names]
        lines.append(tuple(_plain(value) for value in (*_fields(row), *values)))
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")


def write_summaries(summaries: Sequence[Summary], path: Path) -> None:
    """The summaries as a JSON list."""
    listed = [asdict(summary) | {"ratio": summary.ratio} for summary in summaries]
    path.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def _cells(summary: Summary) -> list[str]:
    scores = (*(summary.values[name] for name in _WORD), summary.deviation)
    return [
        summary.package,
        summary.page_type or "all",
        summary.subject,
        str(summary.pages),
        *(f"{value:.3f}" for value in scores),
        f"{summary.milliseconds:.2f}",
        f"{summary.seconds_per_kilobyte:.1e}",
        f"{summary.ratio:.1f}",
        str(summary.errors),
    ]


def _value(summary: Summary, name: str) -> str:
    value = summary.values.get(f"{name}.f1", summary.values.get(name))
    return "" if value is None else f"{value:.3f}"


def _fields(row: ResultRow) -> tuple[object, ...]:
    cost = (row.kilobytes, row.seconds, row.parse_seconds)
    return (row.package, row.page, row.page_type, row.subject, *cost, row.error)


def _plain(value: object) -> str:
    shown = f"{value:.6g}" if isinstance(value, float) else str(value)
    return " ".join(shown.split())
