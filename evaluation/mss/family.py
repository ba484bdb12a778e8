"""The family cross-validated by site: simple, supervised, constrained (sections 7.2-7.4, 7.7)."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from evaluation.mss.folds import Result, articles, fold_of, opened, scored, trained, without
from evaluation.mss.tabling import table
from evaluation.packages import Package

FAMILY: Final = (
    *("largest-block", "simple-mss", "mss", "mss-hr", "mss:shapes=true", "mss:clean=true"),
    *("mss:mrut=false", "mss-cleaneval", "mss-cleaneval:mrut=false"),
)

PAPER: Final = (
    ("the paper, overall, short", "largest-block", "450", "61.9", "-", "-"),
    ("the paper, overall, short", "simple-mss", "450", "90.9", "-", "-"),
    ("the paper, overall, short", "mss", "450", "94.9", "93.0", "99.2"),
    ("the paper, overall, short", "mss-hr", "450", "96.2", "95.1", "98.9"),
    ("the paper, overall, best", "largest-block", "450", "63.8", "52.0", "94.8"),
    ("the paper, overall, best", "simple-mss", "450", "91.1", "90.1", "95.8"),
    ("the paper, overall, best", "mss", "450", "95.4", "94.0", "99.0"),
    ("the paper, overall, best", "mss-hr", "450", "96.7", "96.1", "98.7"),
    ("the paper, CleanEval", "mss-cleaneval", "674", "92.0", "90.3", "96.5"),
)
"""Sections 7.1 to 7.4 and 7.7; its words are distinct by position, ours are bags."""


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """The family's table; every page is scored by a model that saw no page of its site."""
    results = list(cross_validated(packages, arguments.folds))
    return table(results, lambda result: result.package, PAPER)


def cross_validated(packages: Sequence[Package], folds: int) -> Iterator[Result]:
    """Two passes over the pages: one that counts, one that scores."""
    trainings = trained((entry for _, entry in articles(packages)), folds)
    with TemporaryDirectory() as folder:
        extractors = [
            opened(FAMILY, without(trainings, fold), Path(folder, str(fold)))
            for fold in range(folds)
        ]
        for package, entry in articles(packages):
            yield from scored(package, entry, extractors[fold_of(entry, folds)])
