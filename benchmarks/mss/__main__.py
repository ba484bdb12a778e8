"""``python -m benchmarks.mss EXPERIMENT PACKAGE...``: the paper's experiments on our packages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.experiments import Experiments, loaded, parser_of
from benchmarks.mss import (
    cleaneval_choice,
    learning_curve,
    site_agreement,
    site_learning,
    site_sizes,
    tag_scores,
    training_sizes,
)

EXPERIMENTS: Final[Experiments] = {
    "sizes": training_sizes.report,
    "curve": learning_curve.report,
    "tag-scores": tag_scores.report,
    "sites": site_learning.report,
    "agreement": site_agreement.report,
    "pages": site_sizes.report,
    "cleaneval": cleaneval_choice.report,
}


def main(given: Sequence[str] | None = None) -> int:
    """Run one experiment and print its table."""
    arguments = _parser().parse_args(given)
    packages = loaded(arguments.package)
    if packages is None:
        return 2
    sys.stdout.write(EXPERIMENTS[arguments.experiment](packages, arguments) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = parser_of(EXPERIMENTS, "benchmarks.mss", __doc__)
    add = parser.add_argument
    add("--folds", type=int, default=5, metavar="N", help="by site (5)")
    add("--scored", type=int, default=20, metavar="N", help="pages: scored pages of a site (20)")
    add("--language", default="", metavar="L", help="curve: pages of this language alone")
    add("--subsets", type=int, default=8, metavar="N", help="curve: subsets of each size (8)")
    add("--svg", type=Path, metavar="FILE", help="curve: draw it there, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
