"""``winnow evaluate --family``: a family of methods over all packages beside its paper's figures.

Knows which families there are and the options they take; refuses to know how they are measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from winnow.command_errors import UsageError
from winnow.evaluation.errors import EvaluationError, PackageError
from winnow.evaluation.mss import family as mss
from winnow.evaluation.mss.family_table import family_table
from winnow.evaluation.packages import Package, find, load

FAMILIES: Final = ("mss",)


def run(arguments: argparse.Namespace) -> int:
    """Print the family's table; with --out it is written there too, as ``family.txt``."""
    try:
        packages, missing = _packages(arguments.package)
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    out = arguments.out
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    plan = mss.FamilyPlan(packages, max(arguments.every, 1), arguments.workers, folder=out)
    table = family_table(plan, mss.scored(plan)) + "\n"
    table += "".join(f"{name}: not measured, it is not here.\n" for name in missing)
    sys.stdout.write(table)
    if out is not None:
        (out / "family.txt").write_text(table, encoding="utf-8")
    return 0


def _packages(names: Sequence[str]) -> tuple[list[Package], list[str]]:
    """The named packages, or those of the family that are here; and the names of the others."""
    if names:
        return [load(find(name)) for name in names], []
    found, missing, said = [], [], ""
    for name in mss.PACKAGES:
        try:
            found.append(load(find(name)))
        except PackageError as error:
            missing.append(name)
            said = said or str(error)
    if not found:
        raise PackageError(said)
    return found, missing
