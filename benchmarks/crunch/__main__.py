"""``python -m benchmarks.crunch EXPERIMENT PACKAGE...``: Crunch and DSC measured on packages."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.crunch import advertisements, genres, levels, thresholds, windows
from benchmarks.experiments import Experiments, loaded, parser_of
from winnow.evaluation.packages import Package


def _levels(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    by_level, peers = levels.found(packages)
    _draw(arguments.svg, levels.chart(by_level))
    fell = levels.falls(by_level)
    trend = f"fall at {', '.join(map(str, fell))}" if fell else "do not fall"
    return f"{levels.table(by_level, peers)}\n\nWithout the check the words kept {trend} from 3 on."


def _thresholds(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    return thresholds.report(packages, arguments.level)


def _ads(packages: Sequence[Package], _: argparse.Namespace) -> str:
    return advertisements.report(packages)


def _genres(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    return genres.report(packages, arguments.out)


def _windows(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    curves, others = windows.found(packages)
    _draw(arguments.svg, windows.chart(curves))
    return windows.table(curves, others)


def _draw(file: Path | None, chart: str) -> None:
    if file is not None:
        file.write_text(chart + "\n", encoding="utf-8")


EXPERIMENTS: Final[Experiments] = {
    "ads": _ads,
    "genres": _genres,
    "levels": _levels,
    "thresholds": _thresholds,
    "windows": _windows,
}


def main(given: Sequence[str] | None = None) -> int:
    """Run one experiment and print its table."""
    arguments = _parser().parse_args(given)
    packages = loaded(arguments.package)
    if packages is None:
        return 2
    sampled = [replace(each, ids=each.ids[:: arguments.every]) for each in packages]
    sys.stdout.write(EXPERIMENTS[arguments.experiment](sampled, arguments) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = parser_of(EXPERIMENTS, "benchmarks.crunch", __doc__)
    add = parser.add_argument
    add("--every", type=int, default=1, metavar="N", help="measure every N-th page alone (1)")
    add("--level", type=int, default=2, metavar="N", help="thresholds: the level (2)")
    add("--svg", type=Path, metavar="FILE", help="levels, windows: draw the chart there, too")
    add("--out", type=Path, metavar="FOLDER", help="genres: write the sites there")
    return parser


if __name__ == "__main__":
    sys.exit(main())
