"""``make bench``: what every stateless method costs, beside the figures committed last."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import figures, generated_pages
from benchmarks.figures import Figure
from benchmarks.methods import BARE, Cost, Growth, Work, costs, growths, works
from winnow.evaluation.errors import PackageError
from winnow.evaluation.gold.packages import find, load
from winnow.evaluation.reporting.tables import aligned
from winnow.extractors.registry import BUILT_IN, make

PACKAGE = "wcxb-dev"
PAGES = 250
ROUNDS = 3
SIZES = (10_000, 31_600, 100_000, 316_000, 1_000_000, 3_160_000, 10_000_000)
LEARNED_PER_SITE = {"mss-site", "memory", "layout", "vips"}
NAME = "methods"


def main(arguments: Sequence[str] | None = None) -> int:
    """Time, print, compare, write."""
    options = _parser().parse_args(arguments)
    names = options.extractor or [name for name in BUILT_IN if name not in LEARNED_PER_SITE]
    timed = works({name: make(name) for name in names})
    source, pages = _pages(options.package)
    found = list(costs(pages, timed, options.rounds))
    print_costs(source, len(pages), found)
    grown = {} if options.no_growth else _grown(timed)
    new = [_figure(source, cost, grown.get(cost.method)) for cost in found]
    sys.stdout.write(compared(figures.read(NAME), new))
    folder = figures.FOLDER if options.save else Path(".run")
    merged = figures.merge(figures.read(NAME, folder), new, ("pages", "method"))
    sys.stdout.write(f"\nFigures written to {figures.write(NAME, merged, folder)}\n")
    return 0


def print_costs(source: str, pages: int, found: Sequence[Cost]) -> None:
    """The table of costs."""
    sys.stdout.write(f"CPU from bytes to spans, {pages} pages of {source}, one process\n\n")
    heading = ("method", "ms/page", "x parse", "least", "most", "median page")
    lines = [
        (cost.method, f"{cost.milliseconds:.3f}", *(f"{value:.2f}" for value in _ratios(cost)))
        for cost in found
    ]
    sys.stdout.write(aligned(heading, lines, 1) + "\n")


def compared(old: Sequence[Figure], new: Sequence[Figure]) -> str:
    """What changed since the committed figures, in bare parses, so that machines cancel out."""
    before = {(figure["pages"], figure["method"]): float(figure["ratio"]) for figure in old}
    lines = [
        f"  {figure['method']}: {float(figure['ratio']) / before[key]:.2f} of {before[key]:.2f}"
        for figure in new
        if (key := (figure["pages"], figure["method"])) in before and figure["method"] != BARE
    ]
    return "\nAgainst the committed figures (x parse)\n" + "\n".join(lines) + "\n" if lines else ""


def _grown(timed: Mapping[str, Work]) -> dict[str, Growth]:
    found = {
        growth.method: growth
        for growth in growths([generated_pages.page(size) for size in SIZES], timed)
    }
    heading = ("microseconds per kB", *(f"{size // 1000} kB" for size in SIZES), "exponent")
    lines = [
        (name, *(f"{spent:.2f}" for spent in growth.per_kilobyte), f"{growth.exponent:.3f}")
        for name, growth in found.items()
    ]
    sys.stdout.write("\n" + aligned(heading, lines, 1) + "\n")
    return found


def _pages(package: str) -> tuple[str, list[bytes]]:
    """The package's pages, thinned evenly, and what they are called."""
    try:
        loaded = load(find(package))
    except PackageError as error:
        sys.stderr.write(f"{error} Generated pages are timed instead.\n")
        return "generated", [generated_pages.page(4_000 * (1 + n % 75), n) for n in range(PAGES)]
    thinned = loaded.ids[:: max(len(loaded.ids) // PAGES, 1)][:PAGES]
    return loaded.name, [loaded.entry(name).body for name in thinned]


def _figure(source: str, cost: Cost, growth: Growth | None) -> Figure:
    grown = {"exponent": growth.exponent} if growth else {}
    return {"pages": source, **asdict(cost), **grown}


def _ratios(cost: Cost) -> tuple[float, ...]:
    return cost.ratio, cost.low, cost.high, cost.median_ratio


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("--package", default=PACKAGE, help=f"the test package to time (default: {PACKAGE})")
    add("--extractor", action="append", metavar="NAME", help="time these only; may be repeated")
    add("--rounds", type=int, default=ROUNDS, help=f"times over all pages (default: {ROUNDS})")
    add("--no-growth", action="store_true", help="leave out how the cost grows with the size")
    add("--save", action="store_true", help="write to benchmarks/figures_data, to be committed")
    return parser


if __name__ == "__main__":
    sys.exit(main())
