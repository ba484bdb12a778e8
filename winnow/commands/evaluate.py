"""``winnow evaluate``: how well subjects extract the pages of test packages, as a table and files.

Knows options and the order of work; refuses to know how a page is scored.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from evaluation.errors import EvaluationError
from evaluation.packages import Package, find, load
from evaluation.peers.catalogue import named
from evaluation.peers.environments import command
from evaluation.peers.process import Process
from evaluation.progress import watched
from evaluation.runs import Row, Summary, by_type, measure, summarise
from evaluation.subjects import Direct, Subject
from evaluation.tables import summary_table, write_rows, write_summaries
from extractors.catalogue import DEFAULT, make
from winnow.errors import CommandError, UsageError


def declare(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("package", nargs="+", metavar="PACKAGE", help="a folder, or a name below $WINNOW_PACKAGES")
    add("--extractor", action="append", default=[], metavar="NAME", help="may be repeated")
    add("--peer", action="append", default=[], metavar="NAME", help="another project's extractor")
    add("--every", type=int, default=1, metavar="N", help="measure only every Nth page")
    add("--types", action="store_true", help="a line for each page type, too")
    add("--out", type=Path, metavar="DIR", help="write rows.tsv and summary.json there")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure what was asked; wrong names are wrong use, a broken package is failed work."""
    try:
        packages = [load(find(name)) for name in arguments.package]
        subjects = list(_subjects(arguments))
    except EvaluationError as error:
        raise UsageError(str(error)) from error
    try:
        _report(arguments, packages, subjects)
    except EvaluationError as error:
        raise CommandError(str(error)) from error
    finally:
        for subject in subjects:
            if isinstance(subject, Process):
                subject.close()
    return 0


def _subjects(arguments: argparse.Namespace) -> Iterator[Subject]:
    extractors: list[str] = arguments.extractor
    if not extractors and not arguments.peer:
        extractors = [DEFAULT]
    yield from (Direct(name, make(name)) for name in extractors)
    yield from (Process(name, command(named(name))) for name in arguments.peer)


def _report(
    arguments: argparse.Namespace, packages: list[Package], subjects: list[Subject]
) -> None:
    groups = [
        _measured(package, subject, arguments.every) for package in packages for subject in subjects
    ]
    summaries = [summary for rows in groups for summary in _summaries(rows, arguments.types)]
    sys.stdout.write(summary_table(summaries) + "\n")
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        write_rows([row for rows in groups for row in rows], arguments.out / "rows.tsv")
        write_summaries(summaries, arguments.out / "summary.json")


def _measured(package: Package, subject: Subject, every: int) -> list[Row]:
    ids = package.ids[::every]
    label = f"{package.name} {subject.name}"
    entries = (package.entry(name) for name in watched(ids, len(ids), label))
    return [measure(package.name, entry, subject) for entry in entries]


def _summaries(rows: list[Row], types: bool) -> Iterator[Summary]:
    yield summarise(rows)
    if types:
        yield from by_type(rows)
