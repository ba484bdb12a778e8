"""``winnow evaluate --family``: a family of methods on all packages beside its paper's figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from winnow.command_errors import UsageError
from winnow.evaluation.errors import EvaluationError, PackageError
from winnow.evaluation.gold.packages import Package, find, load
from winnow.evaluation.mss import family as mss
from winnow.evaluation.mss.family_table import family_table

FAMILIES: Final = ("mss",)


def run(arguments: argparse.Namespace) -> int:
    """Print the family's table, and write it to ``family.txt`` in --out."""
    try:
        packages, missing = _packages(arguments.package)
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    out = arguments.out
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    plan = mss.FamilyPlan(packages, max(arguments.every, 1), arguments.workers, folder=out)
    table = family_table(plan, mss.scored(plan)) + "\n"
    table += "".join(f"{name}: not measured, the package is not installed.\n" for name in missing)
    sys.stdout.write(table)
    if out is not None:
        (out / "family.txt").write_text(table, encoding="utf-8")
    return 0


def _packages(names: Sequence[str]) -> tuple[list[Package], list[str]]:
    """Return the named packages, else the family's installed ones, and the missing names."""
    if names:
        return [load(find(name)) for name in names], []
    found, missing, first_error = [], [], ""
    for name in mss.PACKAGES:
        try:
            found.append(load(find(name)))
        except PackageError as error:
            missing.append(name)
            first_error = first_error or str(error)
    if not found:
        raise PackageError(first_error)
    return found, missing
