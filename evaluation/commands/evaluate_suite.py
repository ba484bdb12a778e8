"""``winnow evaluate --suite held-out FOLDER --out DIR``: public test sets, ours and the peers;
``--suite packages PACKAGE... --out DIR``: the same table of test packages.

Nothing is fetched: FOLDER holds the sets as their authors publish them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from winnow.command_errors import CommandError, UsageError
from winnow.evaluation.commands.chosen_packages import chosen
from winnow.evaluation.conversion.formats import FORMATS
from winnow.evaluation.conversion.writing import write_package
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.gold.halves import Half, half_of
from winnow.evaluation.gold.packages import Package, PackageEntry, found_with_gold
from winnow.evaluation.peers.catalogue import PEERS, named
from winnow.evaluation.peers.environments import is_installed
from winnow.evaluation.reporting.suite_matrix import suite_matrix
from winnow.evaluation.reporting.suite_table import OURS, suite_table
from winnow.evaluation.reporting.tables import failures, write_rows
from winnow.evaluation.running.answer_journal import AnswerFiles
from winnow.evaluation.running.progress import watched
from winnow.evaluation.running.runs import ResultRow
from winnow.evaluation.running.task_runner import run_tasks, tasks
from winnow.evaluation.running.training_overlap import remarks, training_packages
from winnow.evaluation.subjects.subject_specs import WHOLE, Spec, SubjectKind
from winnow.extractors.registry import make

HELD_OUT: Final = "held-out"
PACKAGES: Final = "packages"
_JOURNAL: Final = "unfinished.jsonl"
_MANY: Final = 20
"""Pages of a part of a package, a language or a half, that has lines of its own."""


def run(arguments: argparse.Namespace) -> int:
    """Convert, measure, print one table. Raises UsageError, CommandError."""
    try:
        folders = _folders(arguments)
        arguments.out.mkdir(parents=True, exist_ok=True)
        specs = _specs(arguments.peer)
        packages = chosen(arguments, folders)
        wanted = [
            task
            for package in packages
            for task in tasks(
                [package], _unseen(specs, package), (), arguments.every, arguments.limit
            )
        ]
        journal = AnswerFiles(arguments.out / _JOURNAL, arguments.keep)
        rows = run_tasks(
            wanted, arguments.workers, journal, lambda done, total: watched(done, total, "pages")
        )
    except (EvaluationError, OSError, KeyError, ValueError) as error:
        raise CommandError(f"{error}") from error
    methods = [spec for spec in specs if spec != WHOLE]  # which is measured only on others
    learned = "".join(f"{line}\n" for line in remarks(methods, {row.package for row in rows}))
    kinds = [*[_language_of] * arguments.languages, *[half_of] * arguments.halves]
    shown = _with_parts(rows, packages, kinds)
    text = f"{suite_table(shown)}\n{_versions(specs)}{learned}"
    sys.stdout.write(text)
    for sentence in failures(rows):
        sys.stderr.write(f"winnow: {sentence}\n")
    if arguments.half is not Half.SCORED and not arguments.halves:
        write_rows(rows, arguments.out / "rows.tsv")
    (arguments.out / "table.txt").write_text(text, encoding="utf-8")
    matrix = suite_matrix(shown, training_packages(OURS))
    (arguments.out / "table.md").write_text(matrix, encoding="utf-8")
    return 0


def _folders(arguments: argparse.Namespace) -> list[Path]:
    """The packages to measure on."""
    if arguments.suite == PACKAGES and arguments.out is not None:
        return found_with_gold(arguments.package)
    if arguments.out is None or len(arguments.package) != 1:
        raise UsageError(
            "--suite takes --out DIR; held-out takes one FOLDER with the public sets, "
            "packages the packages."
        )
    return list(_converted(Path(arguments.package[0]), arguments.out))


def _converted(root: Path, out: Path) -> Iterator[Path]:
    """The packages of all sets below ``root``, each made once."""
    kinds = [kind for kind in FORMATS if (root / kind).is_dir()]
    if not kinds:
        raise UsageError(f"{root} has none of the folders {', '.join(FORMATS)}.")
    for kind in kinds:
        package = out / "packages" / kind
        if not package.is_dir():
            notes = {"name": kind, "language": "", "licence": "", "ship": False, "source": kind}
            write_package(package, notes, FORMATS[kind](root / kind))
        yield package


def _specs(peers: list[str]) -> list[Spec]:
    """``auto``, and the peers that are named, else those installed by an earlier run."""
    chosen = peers or [peer.name for peer in PEERS if is_installed(peer)]
    return [
        Spec(SubjectKind.EXTRACTOR, OURS),
        WHOLE,
        *(Spec(SubjectKind.PEER, named(name).name) for name in chosen),
    ]


def _unseen(specs: list[Spec], package: Package) -> list[Spec]:
    """The subjects of a package: Winnow as a whole only where ``auto`` did not learn from it, for
    nothing but its method is known there by models that saw none of the page's site."""
    has_learned = package.name in training_packages(OURS)
    return [spec for spec in specs if not (has_learned and spec == WHOLE)]


def _language_of(page: PackageEntry) -> str:
    return str(page.meta.get("language") or "")


def _with_parts(
    rows: list[ResultRow], packages: list[Package], kinds: Sequence[Callable[[PackageEntry], str]]
) -> list[ResultRow]:
    """The rows, and behind those of a package the ones of each of its parts with enough pages.

    ``kinds``: each says of a page in which part of its package it is; "": in none.
    """
    found: list[ResultRow] = []
    for package in packages:
        own = [row for row in rows if row.package == package.name]
        found += own
        for part_of in kinds:
            found += _of_parts(own, package, part_of)
    return found


def _of_parts(
    own: list[ResultRow], package: Package, part_of: Callable[[PackageEntry], str]
) -> Iterator[ResultRow]:
    parts = {page: part_of(package.page(page)) for page in package.ids}
    known = Counter(parts[page] for page in {row.page for row in own})
    names = sorted(name for name, pages in known.items() if name and pages >= _MANY)
    for name in names if len(names) > 1 else ():
        named = f"{package.name}, {name}"
        yield from (replace(row, package=named) for row in own if parts[row.page] == name)


def _versions(specs: list[Spec]) -> str:
    ours = f"{OURS}: winnow {version('winnow-proxy')}, {make(OURS).fingerprint}\n"
    others = (spec.name for spec in specs if spec.kind is SubjectKind.PEER)
    whole = f"{WHOLE.name}: the article that winnow.extract gives, by {OURS}\n"
    theirs = "".join(f"{name}: {', '.join(named(name).requirements)}\n" for name in others)
    return ours + whole + theirs
