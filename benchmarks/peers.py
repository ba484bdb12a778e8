"""``make bench-peers``: our extractors beside the peers, word F1 per package and page type."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from benchmarks import figures
from benchmarks.figures import Figure
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.packages import Package, find, load
from winnow.evaluation.measuring.measures import Values
from winnow.evaluation.peers.catalogue import PEERS
from winnow.evaluation.peers.process import Process
from winnow.evaluation.reporting.tables import aligned
from winnow.evaluation.running.progress import watched
from winnow.evaluation.running.runs import ResultRow, Summary, by_type, measure, summarise
from winnow.evaluation.subjects.subject import Direct, Subject
from winnow.evaluation.subjects.subject_specs import peer
from winnow.extractors.auto.auto_model import manifest
from winnow.extractors.errors import ExtractorError
from winnow.extractors.registry import DEFAULT, make

PACKAGES = ("wcxb-dev", "newspaper4k-424", "fundus-publishers", "zh-69")
OURS = (DEFAULT, "plain", "largest-block", "simple-mss", "bte", "dsc", "lqf", "crunch")
TYPES = ("article", "documentation", "service", "forum", "collection", "listing", "product")
COSTS = (("deviation", ".3f"), ("milliseconds", ".2f"), ("ratio", ".1f"), ("errors", "d"))
KEYS = ("package", "page_type", "subject")
NAME = "peers"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, store the figures, print the table of all that are stored; 1 where one is
    missing."""
    options = _parser().parse_args(arguments)
    missing: list[str] = []
    for name, package in _packages(options.package or PACKAGES, missing):
        for subject in _subjects(options, missing):
            _keep(_run(name, package, subject, options.every))
            if isinstance(subject, Process):
                subject.close()
    sys.stdout.write(table([*figures.read(NAME), *held_out(manifest())]) + "\n")
    sys.stderr.writelines(f"Not measured: {reason}\n" for reason in dict.fromkeys(missing))
    return 1 if missing else 0


HELD_OUT = "auto, cross-validated"


def held_out(manifest: Mapping[str, Any]) -> list[Figure]:
    """What ``auto``'s manifest says of pages whose domain its folds' models never saw.

    ``auto`` itself was trained on these packages, so its own line on them flatters it.
    """
    scores: Mapping[str, float] = manifest["word_f1"]
    return [
        {"package": package, "subject": HELD_OUT, "page_type": kind, "f1": scores[name]}
        for package in manifest["packages"]
        for kind in ("", *TYPES)
        if (name := f"{package} {kind}".strip()) in scores
    ]


def table(figures_found: Iterable[Figure]) -> str:
    """One line a package and subject: F1 over all pages, then per page type, then the cost."""
    heading = ("package", "subject", "all", *TYPES, "dev", "ms/page", "x parse", "errors")
    lines: dict[tuple[str, str], dict[str, Figure]] = {}
    for figure in figures_found:
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
        *(_told(total, name, form) for name, form in COSTS),
    ]


def _told(figure: Figure, name: str, form: str) -> str:
    return format(figure[name], form) if name in figure else ""


def _packages(names: Iterable[str], missing: list[str]) -> Iterator[tuple[str, Package]]:
    for name in names:
        try:
            yield name, load(find(name))
        except EvaluationError as error:
            missing.append(str(error))


def _subjects(options: argparse.Namespace, missing: list[str]) -> Iterator[Subject]:
    ours = options.extractor or (OURS if options.ours else ())
    theirs = options.peer or ([peer.name for peer in PEERS] if options.peers else ())
    makers: list[Callable[[], Subject]] = [partial(_direct, name) for name in ours]
    makers += [partial(peer, name) for name in theirs]
    for maker in makers:
        try:
            yield maker()
        except (EvaluationError, ExtractorError) as error:
            missing.append(str(error))


def _direct(name: str) -> Subject:
    return Direct(name, make(name))


def _run(name: str, package: Package, subject: Subject, every: int) -> list[ResultRow]:
    ids = package.ids[::every]
    entries = (package.entry(page) for page in watched(ids, len(ids), f"{name} {subject.name}"))
    return [measure(name, entry, subject) for entry in entries]


def _keep(rows: Sequence[ResultRow]) -> None:
    found = [_figure(summary) for summary in (summarise(rows), *by_type(rows))]
    figures.write(NAME, figures.merge(figures.read(NAME), found, KEYS))


def _figure(summary: Summary) -> Figure:
    fields = {name: value for name, value in asdict(summary).items() if name != "values"}
    return {**fields, **_scores(summary.values), "ratio": summary.ratio}


def _scores(values: Values) -> Figure:
    return {name: values[f"word.{name}"] for name in ("f1", "precision", "recall")}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    add = parser.add_argument
    add("package", nargs="*", help=f"test packages (default: {' '.join(PACKAGES)})")
    add("--extractor", action="append", metavar="NAME", help="one of ours; may be repeated")
    add("--peer", action="append", metavar="NAME", help="one of theirs; may be repeated")
    add("--ours", action="store_true", help=f"all of ours: {' '.join(OURS)}")
    add("--peers", action="store_true", help="all peers")
    add("--every", type=int, default=1, metavar="N", help="only every Nth page")
    return parser


if __name__ == "__main__":
    sys.exit(main())
