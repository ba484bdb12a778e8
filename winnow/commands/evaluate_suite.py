"""``winnow evaluate --suite held-out FOLDER --out DIR``: public test sets, ours and the peers;
``--suite packages PACKAGE... --out DIR``: the same table of test packages.

Nothing is fetched: FOLDER holds the sets as their authors publish them.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from winnow.command_errors import CommandError, UsageError
from winnow.evaluation.answer_journal import AnswerFiles
from winnow.evaluation.conversion.formats import FORMATS
from winnow.evaluation.conversion.writing import write_package
from winnow.evaluation.errors import EvaluationError
from winnow.evaluation.packages import Package, found_with_gold, load
from winnow.evaluation.peers.catalogue import PEERS, named
from winnow.evaluation.peers.environments import is_installed
from winnow.evaluation.progress import watched
from winnow.evaluation.runs import ResultRow
from winnow.evaluation.subject_specs import Spec, SubjectKind
from winnow.evaluation.suite_matrix import suite_matrix
from winnow.evaluation.suite_table import OURS, suite_table
from winnow.evaluation.tables import failures, write_rows
from winnow.evaluation.task_runner import run_tasks, tasks
from winnow.evaluation.training_overlap import remarks, training_packages
from winnow.extractors.registry import make

HELD_OUT: Final = "held-out"
PACKAGES: Final = "packages"
_JOURNAL: Final = "unfinished.jsonl"
_WHOLE: Final = Spec(SubjectKind.ARTICLE, "winnow")
_MANY: Final = 20
"""Pages of a language that has lines of its own."""


def run(arguments: argparse.Namespace) -> int:
    """Convert, measure, print one table. Raises UsageError, CommandError."""
    try:
        folders = _folders(arguments)
        arguments.out.mkdir(parents=True, exist_ok=True)
        specs = _specs(arguments.peer)
        packages = [load(folder) for folder in folders]
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
    learned = "".join(f"{line}\n" for line in remarks(specs, {row.package for row in rows}))
    shown = _with_languages(rows, packages) if arguments.languages else rows
    text = f"{suite_table(shown)}\n{_versions(specs)}{learned}"
    sys.stdout.write(text)
    for sentence in failures(rows):
        sys.stderr.write(f"winnow: {sentence}\n")
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
        _WHOLE,
        *(Spec(SubjectKind.PEER, named(name).name) for name in chosen),
    ]


def _unseen(specs: list[Spec], package: Package) -> list[Spec]:
    """The subjects of a package: Winnow as a whole only where ``auto`` did not learn from it, for
    nothing but its method is known there by models that saw none of the page's site."""
    has_learned = package.name in training_packages(OURS)
    return [spec for spec in specs if not (has_learned and spec == _WHOLE)]


def _with_languages(rows: list[ResultRow], packages: list[Package]) -> list[ResultRow]:
    """The rows, and behind those of a package the ones of each language with enough pages."""
    found: list[ResultRow] = []
    for package in packages:
        own = [row for row in rows if row.package == package.name]
        languages = {
            page: str(package.page(page).meta.get("language") or "") for page in package.ids
        }
        known = Counter(languages[page] for page in {row.page for row in own})
        names = sorted(name for name, pages in known.items() if name and pages >= _MANY)
        found += own
        for name in names if len(names) > 1 else ():
            found += [
                replace(row, package=f"{package.name}, {name}")
                for row in own
                if languages[row.page] == name
            ]
    return found


def _versions(specs: list[Spec]) -> str:
    ours = f"{OURS}: winnow {version('winnow-proxy')}, {make(OURS).fingerprint}\n"
    others = (spec.name for spec in specs if spec.kind is SubjectKind.PEER)
    whole = f"{_WHOLE.name}: the article that winnow.extract gives, by {OURS}\n"
    theirs = "".join(f"{name}: {', '.join(named(name).requirements)}\n" for name in others)
    return ours + whole + theirs
