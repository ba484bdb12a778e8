"""Results as tables for people and files for programs: aligned text, tab-separated, JSON.

Knows rows and summaries; refuses to know how they were measured.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from evaluation.runs import Row, Summary

COLUMNS = (
    *("package", "type", "subject", "pages", "word F1", "P", "R", "dev"),
    *("ms/page", "x parse", "errors"),
)
ROW_COLUMNS = (
    *("package", "page", "type", "subject", "P", "R", "F1"),
    *("kB", "seconds", "parse_seconds", "error"),
)
_TEXT_COLUMNS = 3


def summary_table(summaries: Sequence[Summary]) -> str:
    """One line a summary, under a heading; columns aligned for a terminal."""
    return aligned(COLUMNS, [_cells(summary) for summary in summaries], _TEXT_COLUMNS)


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


def write_rows(rows: Sequence[Row], path: Path) -> None:
    """One tab-separated line a page, under a heading (Gottron 2007, section 4.3)."""
    lines = [ROW_COLUMNS, *([_plain(value) for value in _fields(row)] for row in rows)]
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")


def write_summaries(summaries: Sequence[Summary], path: Path) -> None:
    """The summaries as a JSON list."""
    listed = [asdict(summary) | {"ratio": summary.ratio} for summary in summaries]
    path.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def _cells(summary: Summary) -> list[str]:
    scores = (summary.f1, summary.precision, summary.recall, summary.deviation)
    return [
        summary.package,
        summary.page_type or "all",
        summary.subject,
        str(summary.pages),
        *(f"{value:.3f}" for value in scores),
        f"{summary.milliseconds:.2f}",
        f"{summary.ratio:.1f}",
        str(summary.errors),
    ]


def _fields(row: Row) -> tuple[object, ...]:
    word = row.word
    return (
        row.package, row.page, row.page_type, row.subject, word.precision, word.recall, word.f1,
        row.kilobytes, row.seconds, row.parse_seconds, row.error,
    )  # fmt: skip


def _plain(value: object) -> str:
    shown = f"{value:.6g}" if isinstance(value, float) else str(value)
    return " ".join(shown.split())
