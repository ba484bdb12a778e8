"""``python -m benchmarks.layout EXPERIMENT PACKAGE...``: learned layouts measured on packages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from benchmarks.experiments import Experiments, loaded, parser_of
from benchmarks.layout import constants, cost, webstemmer
from winnow.evaluation.packages import Package


def _cost(packages: Sequence[Package], _: argparse.Namespace) -> str:
    return cost.report(packages)


def _constants(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    return constants.report(packages, arguments.by)


def _webstemmer(packages: Sequence[Package], _: argparse.Namespace) -> str:
    return webstemmer.report(packages)


EXPERIMENTS: Final[Experiments] = {
    "constants": _constants,
    "cost": _cost,
    "webstemmer": _webstemmer,
}


def main(given: Sequence[str] | None = None) -> int:
    """Run one experiment and print its table."""
    parser = parser_of(EXPERIMENTS, "benchmarks.layout", __doc__)
    add = parser.add_argument
    add("--every", type=int, default=1, metavar="N", help="every N-th page (1)")
    add("--by", choices=constants.FOLDS, default="package", help="constants: what is held back")
    arguments = parser.parse_args(given)
    packages = loaded(arguments.package)
    if packages is None:
        return 2
    sampled = [replace(each, ids=each.ids[:: arguments.every]) for each in packages]
    sys.stdout.write(EXPERIMENTS[arguments.experiment](sampled, arguments) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
