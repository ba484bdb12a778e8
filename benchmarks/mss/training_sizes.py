"""A model's size against its accuracy: how many slots the table of trigrams needs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from winnow.evaluation.mss.folds import Result, articles, fold_of, opened, scored, trained, without
from winnow.evaluation.packages import Package
from winnow.evaluation.statistic import mean
from winnow.evaluation.tables import aligned
from winnow.extractors.mss.mss_training import BITS

FULL: Final = 24
"""Bits with which every trigram finds a place: the table that others are held against."""
SIZES: Final = (FULL, 21, 20, 19, 18, 17, 16)


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """Word F1 of mss, cross-validated by site, for each size of its table."""
    trainings = trained((entry for _, entry in articles(packages)), arguments.folds)
    results: list[Result] = []
    with TemporaryDirectory() as folder:
        for fold in range(arguments.folds):
            training = without(trainings, fold)
            extractors = {}
            for bits in SIZES:
                where = Path(folder, f"{fold}-{bits}")
                made = opened(["mss"], training, where, {**BITS, "trigrams": bits})
                extractors[str(bits)] = made["mss"]
            for package, entry in articles(packages):
                if fold_of(entry, arguments.folds) == fold:
                    results += scored(package, entry, extractors)
    return aligned(("slots", "MB", "word F1", "lost"), [_line(results, bits) for bits in SIZES], 1)


def _line(results: Sequence[Result], bits: int) -> tuple[str, ...]:
    full, found = (_f1(results, each) for each in (FULL, bits))
    return (f"2^{bits}", f"{2 * 2**bits / 1e6:.2f}", f"{found:.2f}", f"{full - found:.2f}")


def _f1(results: Sequence[Result], bits: int) -> float:
    return 100 * mean([each.score.f1 for each in results if each.extractor == str(bits)])
