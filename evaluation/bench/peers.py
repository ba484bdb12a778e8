"""``make bench-peers``: our extractors beside the peers, word F1 per package and page type.

Knows which packages and columns the comparison has; refuses to know how anything is measured.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from evaluation.bench import figures
from evaluation.bench.figures import Figure
from evaluation.packages import Package, find, load
from evaluation.peers.catalogue import named
from evaluation.peers.environments import command
from evaluation.peers.process import Process
from evaluation.progress import watched
from evaluation.runs import Row, Summary, by_type, measure, summarise
from evaluation.subjects import Direct, Subject
from evaluation.tables import aligned
from extractors.catalogue import make

PACKAGES = ("wcxb-dev", "newspaper4k-424", "fundus-publishers", "zh-69")
TYPES = ("article", "documentation", "service", "forum", "collection", "listing", "product")
KEYS = ("package", "page_type", "subject")
NAME = "peers"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, keep the figures, print the table of all that are kept."""
    asked = _parser().parse_args(arguments)
    for name in asked.package or PACKAGES:
        package = load(find(name))
        for specification in asked.extractor or ():
            _keep(_run(package, Direct(specification, make(specification)), asked.every))
        for peer in asked.peer or ():
            process = Process(peer, command(named(peer)))
            _keep(_run(package, process, asked.every))
            process.close()
    sys.stdout.write(table(figures.read(NAME)) + "\n")
    return 0


def table(known: Iterable[Figure]) -> str:
    """One line a package and subject: F1 over all pages, then per page type, then the cost."""
    heading = ("package", "subject", "all", *TYPES, "dev", "ms/page", "x parse", "errors")
    lines: dict[tuple[str, str], dict[str, Figure]] = {}
    for figure in known:
        line = lines.setdefault((str(figure["package"]), str(figure["subject"])), {})
        line[str(figure["page_type"])] = figure
    ranked = sorted(lines.items(), key=lambda item: (item[0][0], -float(item[1][""]["f1"])))
    return aligned(heading, [_line(*key, line) for key, line in ranked], 2)


def _line(package: str, subject: str, figures_by_type: dict[str, Figure]) -> list[str]:
    total = figures_by_type[""]
    scores = [figures_by_type.get(kind) for kind in ("", *TYPES)]
    return [
        package,
        subject,
        *(f"{figure['f1']:.3f}" if figure else "" for figure in scores),
        f"{total['deviation']:.3f}",
        f"{total['milliseconds']:.2f}",
        f"{total['ratio']:.1f}",
        str(total["errors"]),
    ]


def _run(package: Package, subject: Subject, every: int) -> list[Row]:
    ids = package.ids[::every]
    label = f"{package.name} {subject.name}"
    entries = (package.entry(name) for name in watched(ids, len(ids), label))
    return [measure(package.name, entry, subject) for entry in entries]


def _keep(rows: Sequence[Row]) -> None:
    found = [_figure(summary) for summary in (summarise(rows), *by_type(rows))]
    figures.write(NAME, figures.merge(figures.read(NAME), found, KEYS))


def _figure(summary: Summary) -> Figure:
    return {**asdict(summary), "ratio": summary.ratio}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation.bench.peers", description=__doc__)
    add = parser.add_argument
    add("package", nargs="*", help=f"test packages (default: {' '.join(PACKAGES)})")
    add("--extractor", action="append", metavar="NAME", help="one of ours; may be repeated")
    add("--peer", action="append", metavar="NAME", help="one of theirs; may be repeated")
    add("--every", type=int, default=1, metavar="N", help="only every Nth page")
    return parser


if __name__ == "__main__":
    sys.exit(main())
