"""``winnow evaluate``: measures extractors, proxies and programs on test packages."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, groupby, product
from pathlib import Path
from typing import Final

from winnow.command_errors import CommandError, UsageError, local_path
from winnow.evaluation.commands import (
    evaluate_confidence,
    evaluate_family,
    evaluate_fidelity,
    evaluate_packages,
    evaluate_regime,
    evaluate_sites,
    evaluate_steps,
    evaluate_suite,
    evaluate_tasks,
    evaluate_tidied,
)
from winnow.evaluation.commands.chosen_packages import chosen, refuse_to_show
from winnow.evaluation.conversion.formats import FORMATS
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.fidelity.counting import TABLES as FIDELITY_TABLES
from winnow.evaluation.gold.halves import Half
from winnow.evaluation.gold.packages import PackageEntry, found_with_gold, load
from winnow.evaluation.measuring.measures import MEASURES
from winnow.evaluation.peers.catalogue import PEERS, named
from winnow.evaluation.reporting.atlas import write_atlas
from winnow.evaluation.reporting.page import hardest, write
from winnow.evaluation.reporting.tables import failures, summary_table, write_rows, write_summaries
from winnow.evaluation.running.answer_journal import AnswerFiles
from winnow.evaluation.running.progress import watched
from winnow.evaluation.running.runs import ResultRow, Summary, by_type, summarise
from winnow.evaluation.running.task_runner import CampaignTask, run_tasks, tasks
from winnow.evaluation.running.training_overlap import remarks
from winnow.evaluation.subjects.subject_specs import WHOLE, Spec, SubjectKind
from winnow.extractors.registry import DEFAULT, names

ALL = "all"
EXTRACTOR = "or all, or winnow: what its readers get; may be repeated"
VIEWS = "show only the N hardest pages of each package in the report (default: all)"
PACKAGE = "a folder, a name below $WINNOW_PACKAGES, or all that are there"
HALF = "only the half of each package's sites that may be read, or that is scored only"
LIMIT = "measure at most N pages of each package, evenly spaced"
SCREENS = "count the screens of N pages, as they are and through --through"
KEEP = "store the answers of extractors and peers there, and measure only what is not stored yet"
FIGURES = "draw all packages and subjects as Gottron's figures 1 to 3, with tables, into DIR"
VARY = "each of these values is sent to it and measured in turn, 'Name: a | b'; several: a grid"
REGIME = (
    "train and test memory on the packages: within each site, all merged, or across sites; "
    "leave-one-out: any method, each page with a memory of the other pages of its site"
)
WORTH = "list the N pages from which memory would learn most: ill-formed ones, low confidence"
FAMILY = "a family of methods beside its paper's figures, on all its packages or the named ones"
UNTAUGHT, TAUGHT = KNOWLEDGE = ("untaught", "taught")
KNOWLEDGE_HELP = (
    "whether what a site taught counts (untaught): for --extractor its other pages in the package "
    "(--regime leave-one-out), for --through what the proxy learned until then"
)
PARENT = (
    "with --through and --knowledge taught: where the proxy's parent proxy (upstream.proxy) is, "
    "which serves each page under its own address (127.0.0.1:8119)"
)
BARE = "extractors read all text, hidden or not, as the papers do: the bare token stream"
SUITE = "auto and the installed peers in one table: on the public sets in a folder, or on packages"
BARE_ALONE = "--bare measures extractors by measures of their texts, and nothing else."
JOURNAL = "unfinished.jsonl"


Work = Callable[[argparse.Namespace], int]


def declare(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("package", nargs="*", metavar="PACKAGE", help=PACKAGE)
    add("--extractor", action="append", default=[], metavar="NAME", help=EXTRACTOR)
    add("--peer", action="append", default=[], metavar="NAME", help="another project's, or all")
    add("--through", action="append", default=[], metavar="URL", help="a proxy, http://host:port")
    add("--bare", action="store_true", help=BARE)
    add("--header", action="append", default=[], metavar="LINE", help="sent to it, 'Name: value'")
    add("--vary", action="append", default=[], metavar="LINE", help=VARY)
    add("--command", action="append", default=[], metavar="PROGRAM", help="HTML in, text out")
    measures = (ALL, *MEASURES, *_TABLES)
    add("--measure", action="append", default=[], choices=measures, help="beside word F1")
    add("--every", type=_positive, default=1, metavar="N", help="measure only every Nth page")
    add("--limit", type=_positive, default=sys.maxsize, metavar="N", help=LIMIT)
    add("--half", type=Half, choices=tuple(Half), help=HALF)
    add("--types", action="store_true", help="a line for each page type, too")
    add("--workers", type=_positive, default=os.cpu_count(), metavar="N", help="processes")
    add("--out", type=local_path, metavar="DIR", help="write the results there, or continue them")
    add("--keep", type=local_path, metavar="FILE", help=KEEP)
    add("--figures", type=local_path, metavar="DIR", help=FIGURES)
    add("--views", type=_positive, default=sys.maxsize, metavar="N", help=VIEWS)
    add("--check", action="store_true", help="report faults of the packages, measure nothing")
    add("--agreement", action="store_true", help="print the agreement of two annotators' packages")
    add("--screens", type=_positive, metavar="N", help=SCREENS)
    add("--convert", choices=tuple(FORMATS), help="make a package in --out from published gold")
    _declare_suites(add)
    parser.set_defaults(run=run)


def _declare_suites(add: Callable[..., object]) -> None:
    add("--suite", choices=(evaluate_suite.HELD_OUT, evaluate_suite.PACKAGES), help=SUITE)
    add("--languages", action="store_true", help="with --suite: lines of each language, too")
    add("--halves", action="store_true", help="with --suite: lines of each half, too")
    add("--family", choices=evaluate_family.FAMILIES, help=FAMILY)
    add("--regime", choices=(*evaluate_regime.NAMES, evaluate_sites.REGIME), help=REGIME)
    add("--knowledge", choices=KNOWLEDGE, default=UNTAUGHT, help=KNOWLEDGE_HELP)
    add("--parent", default="127.0.0.1:8119", metavar="HOST:PORT", help=PARENT)
    add("--grid", action="store_true", help="with --regime: every k and weighting, too")
    add("--curves", action="store_true", help="with --regime: learning curves, too")
    add("--worth-labelling", type=_positive, metavar="N", help=WORTH)


def run(arguments: argparse.Namespace) -> int:
    """Measure; wrong names are wrong use (2), a broken package is failed work (1)."""
    is_other = arguments.family or _instead(arguments) or WHOLE.name in arguments.extractor
    if arguments.bare and (is_other or arguments.peer or arguments.through or arguments.command):
        raise UsageError(BARE_ALONE)
    if arguments.family:
        return evaluate_family.run(arguments)
    if not arguments.package:
        raise UsageError("name a PACKAGE: a folder, or a name below $WINNOW_PACKAGES.")
    refuse_to_show(arguments)
    if other_work := _instead(arguments):
        return other_work(arguments)
    try:
        wanted = _tasks(arguments)
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    try:
        _report(arguments, wanted)
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(_write_error(error)) from error
    return 0


def _instead(arguments: argparse.Namespace) -> Work | None:
    """What is done in place of measuring subjects, if anything."""
    tables = (_TABLES[name] for name in arguments.measure if name in _TABLES)
    others = (work for option, work in _INSTEAD.items() if getattr(arguments, option))
    is_by_sites = arguments.knowledge == TAUGHT and not arguments.through
    return next(chain(tables, others), evaluate_sites.run if is_by_sites else None)


def _positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return int(text)


def _write_error(error: OSError) -> str:
    place = f" ({error.filename})" if error.filename else ""
    return f"{error.strerror or error}{place}: name another folder or file to write to."


def _tasks(arguments: argparse.Namespace) -> list[CampaignTask]:
    packages = chosen(arguments, found_with_gold(arguments.package))
    measures = tuple(MEASURES) if ALL in arguments.measure else tuple(arguments.measure)
    return tasks(packages, list(_specs(arguments)), measures, arguments.every, arguments.limit)


def _specs(arguments: argparse.Namespace) -> Iterator[Spec]:
    others = (*arguments.peer, *arguments.through, *arguments.command)
    headers = tuple(evaluate_packages.header(line) for line in arguments.header)
    for name in _expanded(arguments.extractor, names()) or ([] if others else [DEFAULT]):
        method = Spec(SubjectKind.EXTRACTOR, name, bare=arguments.bare)
        yield WHOLE if name == WHOLE.name else method
    for name in _expanded(arguments.peer, [peer.name for peer in PEERS]):
        yield Spec(SubjectKind.PEER, name)
    is_taught = arguments.knowledge == TAUGHT
    if is_taught and (arguments.extractor or arguments.peer or arguments.command):
        raise UsageError("--knowledge taught measures extractors or a proxy, one at a time.")
    parent = arguments.parent if is_taught else ""
    for address, varied in product(arguments.through, _grid(arguments.vary)):
        name = " ".join((address, *(value for _, value in varied)))
        yield Spec(SubjectKind.THROUGH, name, (*headers, *varied), parent)
    for program in arguments.command:
        yield Spec(SubjectKind.COMMAND, program)


def _grid(lines: Sequence[str]) -> Iterator[tuple[tuple[str, str], ...]]:
    """Each choice of one value of every field, ``Name: a | b``."""
    fields = map(evaluate_packages.header, lines)
    choices = [[(name, each.strip()) for each in values.split("|")] for name, values in fields]
    return product(*choices)


def _expanded(given: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the given names, with ``all`` replaced by every name."""
    listed = (names if name == ALL else (name,) for name in given)
    return list(dict.fromkeys(chain.from_iterable(listed)))


def _report(arguments: argparse.Namespace, wanted: Sequence[CampaignTask]) -> None:
    folder: Path | None = arguments.out
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    if arguments.keep is not None:
        arguments.keep.parent.mkdir(parents=True, exist_ok=True)
    notes = AnswerFiles(folder / JOURNAL if folder else None, arguments.keep)
    rows = run_tasks(
        wanted,
        1 if arguments.knowledge == TAUGHT else arguments.workers,
        notes,
        lambda done, total: watched(done, total, "pages"),
    )
    if arguments.figures is not None:
        write_atlas(arguments.figures, rows, _groups(wanted))
    summaries = list(_summaries(rows, arguments.types))
    sys.stdout.write(summary_table(summaries) + "\n" + versions(_peers(wanted)))
    notes_on_training = _training_remarks(wanted, rows)
    for sentence in (*failures(rows), *notes_on_training):
        sys.stderr.write(f"winnow: {sentence}\n")
    if folder is not None:
        write_rows(rows, folder / "rows.tsv")
        write_summaries(summaries, folder / "summary.json")
        entries = _entries(wanted, hardest(rows, arguments.views))
        write(folder / "report.html", rows, entries, notes_on_training)


def _peers(wanted: Sequence[CampaignTask]) -> Sequence[str]:
    specs = (task.spec for task in wanted)
    return list(dict.fromkeys(spec.name for spec in specs if spec.kind is SubjectKind.PEER))


def versions(peers: Sequence[str]) -> str:
    """Return a line for each peer by name: what was installed for it, with versions."""
    return "".join(f"{name}: {', '.join(named(name).requirements)}\n" for name in peers)


def _training_remarks(wanted: Sequence[CampaignTask], rows: Sequence[ResultRow]) -> list[str]:
    return list(remarks([task.spec for task in wanted], {row.package for row in rows}))


def _groups(wanted: Sequence[CampaignTask]) -> dict[str, str]:
    """Return the kind of each subject, in the order of the command line."""
    kinds = {SubjectKind.EXTRACTOR: "Winnow's methods", SubjectKind.PEER: "other projects"}
    return {task.spec.name: kinds.get(task.spec.kind, "measured from outside") for task in wanted}


def _entries(
    wanted: Sequence[CampaignTask], shown: set[tuple[str, str]]
) -> Iterator[tuple[str, PackageEntry]]:
    packages = {folder: load(folder) for folder in {task.folder for task in wanted}}
    for folder, page in dict.fromkeys((task.folder, task.page) for task in wanted):
        if (packages[folder].name, page) in shown:
            yield packages[folder].name, packages[folder].entry(page)


def _summaries(rows: Sequence[ResultRow], types: bool) -> Iterator[Summary]:
    for _, group in groupby(rows, key=lambda row: (row.package, row.subject)):
        of_one = list(group)
        yield summarise(of_one)
        if types:
            yield from by_type(of_one)


def _regime(arguments: argparse.Namespace) -> int:
    by_sites = arguments.regime == evaluate_sites.REGIME
    return evaluate_sites.run(arguments) if by_sites else evaluate_regime.run(arguments)


_INSTEAD: Final[Mapping[str, Work]] = {
    "suite": evaluate_suite.run,
    "regime": _regime,
    "worth_labelling": evaluate_regime.worth_labelling,
    "check": evaluate_packages.check_packages,
    "agreement": evaluate_packages.print_agreement,
    "convert": evaluate_packages.convert,
    "screens": evaluate_packages.print_screens,
}
"""Options that replace the measuring of subjects."""

_TABLES: Final[Mapping[str, Work]] = {
    evaluate_tasks.NAME: evaluate_tasks.run,
    evaluate_tidied.NAME: evaluate_tidied.run,
    **dict.fromkeys(FIDELITY_TABLES, evaluate_fidelity.run),
    evaluate_confidence.NAME: evaluate_confidence.run,
    evaluate_steps.NAME: evaluate_steps.run,
}
"""Measures that have a table of their own."""
