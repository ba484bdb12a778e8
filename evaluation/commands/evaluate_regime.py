"""``winnow evaluate --regime``: memory-based labelling trained and tested on the packages."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from winnow.command_errors import CommandError, UsageError
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.packages import find, load
from winnow.evaluation.memory.experiments import ExperimentPlan, chosen, report
from winnow.evaluation.memory.label_selection import worth
from winnow.evaluation.memory.regimes import REGIMES
from winnow.extractors.errors import ExtractorError
from winnow.extractors.memory.memory_extractor import Memory
from winnow.extractors.registry import make

NAMES: Final = (*REGIMES, "all")


def run(arguments: argparse.Namespace) -> int:
    """Print each table once it is ready; write tables and images to --out."""
    folder = arguments.out
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    tables = []
    try:
        for table in report(_plan(arguments)):
            sys.stdout.write(table + "\n\n")
            sys.stdout.flush()
            tables.append(table)
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    if folder is not None:
        (folder / "regimes.txt").write_text("\n\n".join(tables) + "\n", encoding="utf-8")
    return 0


def worth_labelling(arguments: argparse.Namespace) -> int:
    """Print the pages that are most worth labelling, those with the least confidence first."""
    try:
        folders = [find(name) for name in arguments.package]
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    for found in worth(folders, _methods(arguments)[0])[: arguments.worth_labelling]:
        reasons = ", ".join(found.reasons) or "well-formed"
        sys.stdout.write(f"{found.confidence:.2f}  {found.page}  {reasons}\n")
    return 0


def _methods(arguments: argparse.Namespace) -> list[Memory]:
    try:
        extractors = [make(name) for name in arguments.extractor or ["memory"]]
    except ExtractorError as error:
        raise UsageError(str(error)) from error
    methods = [one for one in extractors if isinstance(one, Memory)]
    if len(methods) != len(extractors):
        raise UsageError("this works with memory alone: name memory, memory:k=7,w=x2, ...")
    return methods


def _plan(arguments: argparse.Namespace) -> ExperimentPlan:
    try:
        packages = [load(find(name)) for name in arguments.package]
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    methods = _methods(arguments)
    return ExperimentPlan(
        packages,
        chosen(arguments.regime),
        methods,
        grid=arguments.grid,
        sample=max(arguments.every, 1),
        curves=arguments.curves,
        folder=arguments.out,
    )
