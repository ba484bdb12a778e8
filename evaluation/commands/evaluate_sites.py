"""``winnow evaluate --regime leave-one-out``: methods that learn from sites, site by site."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from winnow.command_errors import UsageError
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.packages import Package, find, load
from winnow.evaluation.measuring.leave_one_out import SiteScores, by_site, leave_one_out, table
from winnow.evaluation.running.process_pool import spread
from winnow.evaluation.running.progress import watched
from winnow.extractors.registry import make

REGIME: Final = "leave-one-out"
DEFAULTS: Final = ("layout", "auto", "bte", "dsc", "simple-mss")

Task = tuple[Path, str, tuple[str, ...], int]
"""Package, site, methods, and n to measure every n-th page."""
SITE_SECONDS: Final = 3600.0
"""Deadline of a site; strict mode compares all pairs of its pages, repeatedly."""


def run(arguments: argparse.Namespace) -> int:
    """Print a table for each package, and write it to --out."""
    names = tuple(arguments.extractor) or DEFAULTS
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
        lines = [f"{package.name}: body F1, each page with a memory of the others of its site"]
        lines += table(rows, names)
        text = "\n".join(lines) + "\n"
        sys.stdout.write(text)
        if arguments.out is not None:
            (arguments.out / f"sites-{package.name}.txt").write_text(text, encoding="utf-8")
    return 0


def _measured(
    package: Package, names: tuple[str, ...], every: int, workers: int
) -> Iterator[SiteScores]:
    tasks: list[Task] = [(package.path, site, names, every) for site in by_site(package)]
    found = watched(spread(tasks, _site, _failed, workers, SITE_SECONDS), len(tasks), package.name)
    return iter(sorted(found, key=lambda row: row.site))


def _site(task: Task) -> SiteScores:
    path, site, names, every = task
    entries = by_site(load(path))[site][::every]
    return leave_one_out(site, entries, {name: make(name) for name in names})


def _failed(task: Task, why: str) -> SiteScores:
    raise EvaluationError(f"{task[1]} could not be measured: {why}")
