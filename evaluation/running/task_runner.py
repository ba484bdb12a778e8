"""Subjects over packages: tasks, the processes that do them, and going on after an interruption."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, TextIO

from winnow.evaluation.gold.packages import WARM_UP, Package, load
from winnow.evaluation.running.answer_journal import (
    NO_FILES,
    AnswerFiles,
    digest,
    digest_of,
    scoring,
)
from winnow.evaluation.running.process_pool import spread
from winnow.evaluation.running.runs import ResultRow, failed, measure, rescored
from winnow.evaluation.subjects.subject import Subject
from winnow.evaluation.subjects.subject_specs import Spec, SubjectKind


@dataclass(frozen=True, slots=True)
class CampaignTask:
    """One page for one subject; ``key`` names it with all that its answer depends on.

    ``answers``: a stored answer, which only has to be scored by these measures.
    """

    folder: Path
    page: str
    spec: Spec
    measures: tuple[str, ...]
    key: str
    answers: ResultRow | None = None


_METHODS: Final = ("winnow.document", "winnow.extractors")
_CODE: Final[Mapping[SubjectKind, tuple[str, ...]]] = {
    SubjectKind.EXTRACTOR: _METHODS,
    SubjectKind.ARTICLE: (*_METHODS, "winnow.engine", "winnow.jobs", "winnow.article"),
}
"""What answers of ours are made by: named, since much of it stands above this room."""
Done = tuple[str, ResultRow]
Watch = Callable[[Iterator[Done], int], Iterable[Done]]


def tasks(
    packages: Iterable[Package],
    specs: Sequence[Spec],
    names: tuple[str, ...],
    every: int = 1,
    limit: int = sys.maxsize,
) -> list[CampaignTask]:
    """Every ``every``-th page of each package for each subject, at most ``limit`` of a package.

    Raises what ``Spec.open`` raises, before any page is measured.
    """
    fingerprints = {spec: _fingerprint(spec) for spec in specs}
    return [
        CampaignTask(package.path, page, spec, names, _key(package, page, spec, fingerprints[spec]))
        for package in packages
        for spec in specs
        for page in sample(package.ids, every, limit)
    ]


def sample(pages: Sequence[str], every: int, limit: int) -> list[str]:
    """A sample, evenly spaced: every ``every``-th page, of these at most ``limit``."""
    some = pages[::every]
    if len(some) <= limit:
        return list(some)
    return [some[index * len(some) // limit] for index in range(limit)]


def run_tasks(
    wanted: Sequence[CampaignTask],
    workers: int,
    notes: AnswerFiles = NO_FILES,
    watch: Watch | None = None,
) -> list[ResultRow]:
    """The rows of all tasks, in their order; stored answers are not requested again.

    The journal is removed when all is done: it serves a run that was interrupted, and no other.
    """
    answers = notes.stored_answers()
    rows = {task.key: answers[task.key][1] for task in wanted if _scored(task, answers)}
    left = [_with_answer(task, answers) for task in wanted if task.key not in rows]
    by_key = {task.key: task for task in left}
    done = spread(left, perform, lost_row, workers)
    with ExitStack() as stack:
        files: dict[Path, TextIO] = {}
        for key, row in watch(done, len(left)) if watch else done:
            rows[key] = row
            path = notes.place(by_key[key].spec)
            if path is not None:
                out = files.get(path) or stack.enter_context(path.open("a", encoding="utf-8"))
                files[path] = out
                out.write(json.dumps([key, scoring(by_key[key].measures), asdict(row)]) + "\n")
                out.flush()
    if notes.journal is not None:
        notes.journal.unlink(missing_ok=True)
    return [rows[task.key] for task in wanted]


def perform(task: CampaignTask) -> Done:
    """Measure one page; the package and the subject are opened once a process."""
    package = _package(task.folder)
    entry = package.entry(task.page)
    if task.answers is not None:
        return task.key, rescored(task.answers, entry, task.measures)
    return task.key, measure(package.name, entry, _subject(task.spec), task.measures)


def lost_row(task: CampaignTask, error: str) -> Done:
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
    measure("", WARM_UP, subject)  # imports and lazy tables are in no page's time
    return subject


def _fingerprint(spec: Spec) -> str:
    spec.open()  # a wrong name is an error now; a peer's environment is made once
    own = digest_of(*_CODE[spec.kind]) if spec.kind in _CODE else ""
    return f"{spec.kind} {spec.name} {spec.fingerprint()} {own}"


def _key(package: Package, page: str, spec: Spec, fingerprint: str) -> str:
    """Page, gold and notes by size and time of change: reading them all would take a minute."""
    stats = [
        path.stat() if path.exists() else None
        for path in (package.path / f"{page}{kind}" for kind in (".html", ".txt", ".json"))
    ]
    files = (f"{stat.st_size} {stat.st_mtime_ns}" if stat else "" for stat in stats)
    return digest(package.name, page, fingerprint, *files)


def _scored(task: CampaignTask, answers: Mapping[str, tuple[str, ResultRow]]) -> bool:
    return task.key in answers and answers[task.key][0] == scoring(task.measures)


def _with_answer(task: CampaignTask, answers: Mapping[str, tuple[str, ResultRow]]) -> CampaignTask:
    return replace(task, answers=answers[task.key][1]) if task.key in answers else task
