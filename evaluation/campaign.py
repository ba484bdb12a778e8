"""Subjects over packages: tasks, the processes that do them, and going on after an interruption.

Knows what a task is and what has been done; refuses to know how a page is scored or shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from evaluation.packages import WARM_UP, Package, load
from evaluation.pool import spread
from evaluation.runs import Row, failed, measure
from evaluation.specs import Spec
from evaluation.subjects import Subject


@dataclass(frozen=True, slots=True)
class Task:
    """One page for one subject; ``key`` names it with all that its result depends on."""

    folder: Path
    page: str
    spec: Spec
    measures: tuple[str, ...]
    key: str


Done = tuple[str, Row]
Watch = Callable[[Iterator[Done], int], Iterable[Done]]


def tasks(
    packages: Iterable[Package], specs: Sequence[Spec], measures: tuple[str, ...], every: int = 1
) -> list[Task]:
    """Every ``every``-th page of each package for each subject.

    Raises what ``Spec.open`` raises, before any page is measured.
    """
    prints = {spec: _fingerprint(spec) for spec in specs}
    return [
        Task(
            package.path,
            page,
            spec,
            measures,
            _digest(package.name, page, spec.kind, prints[spec], *measures),
        )
        for package in packages
        for spec in specs
        for page in package.ids[::every]
    ]


def carried_out(
    wanted: Sequence[Task], workers: int, journal: Path | None = None, watch: Watch | None = None
) -> list[Row]:
    """The rows of all tasks, in their order; those in the journal are not done again.

    The journal is removed when all is done: it serves a run that was interrupted, and no other.
    """
    rows = _recalled(journal)
    left = [task for task in wanted if task.key not in rows]
    done = spread(left, perform, lose, workers)
    with journal.open("a", encoding="utf-8") if journal else nullcontext() as out:
        for key, row in watch(done, len(left)) if watch else done:
            rows[key] = row
            if out is not None:
                out.write(json.dumps([key, asdict(row)]) + "\n")
                out.flush()
    if journal is not None:
        journal.unlink()
    return [rows[task.key] for task in wanted]


def perform(task: Task) -> Done:
    """Measure one page; the package and the subject are opened once a process."""
    package = _package(task.folder)
    entry = package.entry(task.page)
    return task.key, measure(package.name, entry, _subject(task.spec), task.measures)


def lose(task: Task, error: str) -> Done:
    """The row of a page over which its process was lost."""
    package = _package(task.folder)
    entry = package.entry(task.page)
    return task.key, failed(package.name, entry, task.spec.name, error, task.measures)


@lru_cache
def _package(folder: Path) -> Package:
    return load(folder)


@lru_cache
def _subject(spec: Spec) -> Subject:
    subject = spec.open()
    measure("", WARM_UP, subject)  # imports and lazy tables are on no page's clock
    return subject


def _fingerprint(spec: Spec) -> str:
    spec.open()  # a wrong name is told now; a peer's environment is made once, not by each process
    return spec.fingerprint()


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:24]


def _recalled(journal: Path | None) -> dict[str, Row]:
    if journal is None or not journal.exists():
        return {}
    return dict(_notes(journal.read_text("utf-8").splitlines()))


def _notes(lines: Iterable[str]) -> Iterator[Done]:
    for line in lines:
        try:
            key, fields = json.loads(line)
        except ValueError:
            continue  # the line that the interruption cut short: its page is done again
        yield key, Row(**fields)
