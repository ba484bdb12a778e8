"""``winnow evaluate --regime``: memory-based labelling taught and tested on the packages.

Knows options; refuses to know how anything is measured.
"""

from __future__ import annotations

import argparse
import sys
from typing import Final

from winnow.command_errors import CommandError, UsageError
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.memory.experiments import ExperimentPlan, chosen, report
from winnow.evaluation.memory.label_selection import worth
from winnow.evaluation.memory.regimes import REGIMES
from winnow.evaluation.packages import find, load
from winnow.extractors.errors import ExtractorError
from winnow.extractors.memory.memory_extractor import Memory
from winnow.extractors.registry import make

NAMES: Final = (*REGIMES, "all")


def run(arguments: argparse.Namespace) -> int:
    """Print the tables as they are made; with --out they and the images are written there."""
    folder = arguments.out
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    told = []
    try:
        for table in report(_plan(arguments)):
            sys.stdout.write(table + "\n\n")
            sys.stdout.flush()
            told.append(table)
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    if folder is not None:
        (folder / "regimes.txt").write_text("\n\n".join(told) + "\n", encoding="utf-8")
    return 0


def worth_labelling(arguments: argparse.Namespace) -> int:
    """Print the pages of folders that are most worth a person's labels, the worst first."""
    try:
        folders = [find(name) for name in arguments.package]
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    for found in worth(folders, _methods(arguments)[0])[: arguments.worth_labelling]:
        told = ", ".join(found.reasons) or "well-formed"
        sys.stdout.write(f"{found.confidence:.2f}  {found.page}  {told}\n")
    return 0


def _methods(arguments: argparse.Namespace) -> list[Memory]:
    try:
        made = [make(name) for name in arguments.extractor or ["memory"]]
    except ExtractorError as error:
        raise UsageError(str(error)) from error
    methods = [one for one in made if isinstance(one, Memory)]
    if len(methods) != len(made):
        raise UsageError("This is for memory alone: name memory, memory:k=7,w=x2, ...")
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
