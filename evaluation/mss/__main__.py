"""``python -m evaluation.mss EXPERIMENT PACKAGE...``: the paper's experiments on our packages.

Knows which experiments there are and their options; refuses to know how each is done.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from evaluation.errors import EvaluationError
from evaluation.mss import curve, sites, sizes, tag_scores
from evaluation.packages import Package, find, load

EXPERIMENTS: Final[Mapping[str, Callable[[Sequence[Package], argparse.Namespace], str]]] = {
    "sizes": sizes.report,
    "curve": curve.report,
    "tag-scores": tag_scores.report,
    "sites": sites.report,
}


def main(given: Sequence[str] | None = None) -> int:
    """Run one experiment and print its table."""
    arguments = _parser().parse_args(given)
    try:
        packages = [load(find(name)) for name in arguments.package]
    except EvaluationError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(EXPERIMENTS[arguments.experiment](packages, arguments) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation.mss", description=__doc__)
    add = parser.add_argument
    add("experiment", choices=EXPERIMENTS)
    add("package", nargs="+", metavar="PACKAGE")
    add("--folds", type=int, default=5, metavar="N", help="by site (5)")
    add("--language", default="", metavar="L", help="curve: pages of this language alone")
    add("--subsets", type=int, default=8, metavar="N", help="curve: subsets of each size (8)")
    add("--svg", type=Path, metavar="FILE", help="curve: draw it there, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
