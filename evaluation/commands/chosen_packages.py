"""The test packages that a command names, or one half of each."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from winnow.command_errors import UsageError
from winnow.evaluation.gold.halves import Half, halved
from winnow.evaluation.gold.packages import Package, found, load

_SHOWS_PAGES: Final = ("agreement", "check", "out", "regime", "screens", "worth_labelling")
"""Options whose output names single pages, or shows them; a suite's does not (evaluate_suite)."""


def chosen(arguments: argparse.Namespace, paths: Sequence[Path] | None = None) -> list[Package]:
    """The packages of these folders, else of all that are named; ``--half``: one half of each.

    Raises EvaluationError; UsageError where pages would be shown that are scored only.
    """
    packages = [load(path) for path in (found(arguments.package) if paths is None else paths)]
    if arguments.half is None:
        return packages
    halves = [halved(package, arguments.half) for package in packages]
    return [package for package in halves if package.ids]


def refuse_to_show(arguments: argparse.Namespace) -> None:
    """Raises UsageError where an option would show pages that are scored only."""
    shown = [option for option in _SHOWS_PAGES if getattr(arguments, option)]
    if arguments.half is Half.SCORED and shown and not arguments.suite:
        option = shown[0].replace("_", "-")
        raise UsageError(f"--half scored prints means alone: leave out --{option}.")
