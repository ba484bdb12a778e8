"""``winnow evaluate --regime leave-one-out``: methods that sites teach, a line for each site.

Knows options; refuses to know how anything is taught or scored.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from winnow.command_errors import UsageError
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.leave_one_out import SiteScores, by_site, leave_one_out, table
from winnow.evaluation.packages import Package, find, load
from winnow.evaluation.process_pool import spread
from winnow.evaluation.progress import watched
from winnow.extractors.registry import make

REGIME: Final = "leave-one-out"
USUAL: Final = ("layout", "auto", "bte", "dsc", "simple-mss")

Task = tuple[Path, str, tuple[str, ...], int]
"""A package, a site, methods, and of which pages (every so manyth)."""
PATIENCE: Final = 3600.0
"""Seconds for a site: strict mode compares all pairs of its pages, over and over."""


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each package; with --out it is written there too."""
    names = tuple(arguments.extractor) or USUAL
    for name in names:
        make(name)
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
    for given in arguments.package:
        try:
            package = load(find(given))
        except EvaluationError as error:
            raise UsageError(str(error)) from error
        rows = _measured(package, names, max(arguments.every, 1), arguments.workers)
        lines = [f"{package.name}: body F1, each page by what the others of its site teach"]
        lines += table(rows, names)
        told = "\n".join(lines) + "\n"
        sys.stdout.write(told)
        if arguments.out is not None:
            (arguments.out / f"sites-{package.name}.txt").write_text(told, encoding="utf-8")
    return 0


def _measured(
    package: Package, names: tuple[str, ...], every: int, workers: int
) -> Iterator[SiteScores]:
    tasks: list[Task] = [(package.path, site, names, every) for site in by_site(package)]
    found = watched(spread(tasks, _site, _lost, workers, PATIENCE), len(tasks), package.name)
    return iter(sorted(found, key=lambda row: row.site))


def _site(task: Task) -> SiteScores:
    path, site, names, every = task
    entries = by_site(load(path))[site][::every]
    return leave_one_out(site, entries, {name: make(name) for name in names})


def _lost(task: Task, why: str) -> SiteScores:
    raise EvaluationError(f"{task[1]} could not be measured: {why}")
