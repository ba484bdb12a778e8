"""``winnow train``: a model of one extractor from test packages. Knows options; no method."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from winnow.command_errors import CommandError, UsageError, local_path
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.packages import Package, find, load
from winnow.feature import loaded


@dataclass(frozen=True, slots=True)
class TrainRequest:
    """Packages to train on and the folder of the model; ``update`` adds to a model that exists."""

    packages: tuple[Package, ...]
    out: Path
    types: tuple[str, ...] = ("article",)
    update: bool = False


def declare(parser: argparse.ArgumentParser) -> None:
    add, found = parser.add_argument, trainers()
    add("extractor", choices=sorted(found), metavar="EXTRACTOR", help=", ".join(found))
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
        report: str = loaded(trainers()[arguments.extractor])(
            TrainRequest(packages, arguments.out, types, arguments.update)
        )
    except (EvaluationError, OSError) as error:
        raise CommandError(str(error)) from error
    sys.stdout.write(report + "\n")
    return 0


def trainers() -> Mapping[str, str]:
    """What trains, by method: of the features that the settings name. Raises ConfigError."""
    # Lists all features, which nothing else here knows of.
    from winnow.command_settings import load_settings  # noqa: PLC0415
    from winnow.feature_list import known  # noqa: PLC0415

    chosen = load_settings(None, {}).settings.features
    return {each.name: each.trainer for each in known(chosen) if each.trainer}
