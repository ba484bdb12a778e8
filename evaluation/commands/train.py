"""``winnow train``: a model of one extractor from test packages. Knows options; no method."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from winnow.command_errors import CommandError, UsageError, local_path
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.packages import Package, find, load

TRAINERS: Final[Mapping[str, str]] = {
    "auto": "winnow.evaluation.training.train_auto:train",
    "crf": "winnow.evaluation.training.train_crf:train",
    "crunch": "winnow.evaluation.training.train_crunch:train",
    "memory": "winnow.evaluation.training.train_memory:train",
    "mss": "winnow.evaluation.training.train_mss:train",
}
"""Extractor to the function that trains it: takes a TrainRequest, returns a report."""


@dataclass(frozen=True, slots=True)
class TrainRequest:
    """Packages to train on and the folder of the model; ``update`` adds to a model that exists."""

    packages: tuple[Package, ...]
    out: Path
    types: tuple[str, ...] = ("article",)
    update: bool = False


def declare(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("extractor", choices=sorted(TRAINERS), metavar="EXTRACTOR", help=", ".join(TRAINERS))
    add("package", nargs="+", metavar="PACKAGE", help="a folder, or a name below $WINNOW_PACKAGES")
    add("--out", type=local_path, required=True, metavar="DIR", help="write the model there")
    add("--types", default="article", metavar="A,B", help="page types to train on (article)")
    add("--update", action="store_true", help="add to the model in DIR")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Train; wrong names are wrong use (2), a broken package is failed work (1)."""
    try:
        packages = tuple(load(find(name)) for name in arguments.package)
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    types = tuple(name.strip() for name in arguments.types.split(","))
    try:
        report = _trainer(arguments.extractor)(
            TrainRequest(packages, arguments.out, types, arguments.update)
        )
    except (EvaluationError, OSError) as error:
        raise CommandError(str(error)) from error
    sys.stdout.write(report + "\n")
    return 0


def _trainer(name: str) -> Callable[[TrainRequest], str]:
    module, _, attribute = TRAINERS[name].partition(":")
    trainer: Callable[[TrainRequest], str] = getattr(import_module(module), attribute)
    return trainer
