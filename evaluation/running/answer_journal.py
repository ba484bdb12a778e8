"""Answers stored in files, so that no page is requested twice; and what an answer depends on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from winnow.evaluation.gold import interpretations, labels
from winnow.evaluation.measuring import measures, words
from winnow.evaluation.running.runs import ResultRow
from winnow.evaluation.subjects.subject_specs import Spec, SubjectKind

CACHEABLE = frozenset({SubjectKind.EXTRACTOR, SubjectKind.PEER})
"""Whose answers may be reused by later runs: their fingerprints hold what they depend on."""


@dataclass(frozen=True, slots=True)
class AnswerFiles:
    """Where answers are written: ``journal`` until all is done, ``cache`` for later runs too."""

    journal: Path | None = None
    cache: Path | None = None

    def place(self, spec: Spec) -> Path | None:
        """The file that a subject's answers go to."""
        return self.cache if self.cache and spec.kind in CACHEABLE else self.journal

    def stored_answers(self) -> dict[str, tuple[str, ResultRow]]:
        """Answers by key, each with how it was scored.

        Failures of earlier runs are left out, so that they are tried again.
        """
        cache = {key: answer for key, answer in _stored(self.cache) if not answer[1].error}
        return cache | dict(_stored(self.journal))


NO_FILES = AnswerFiles()


@lru_cache
def digest_of(*names: str) -> str:
    """The code and the models of modules and of whole packages, as one number.

    Raises ImportError where one is not there.
    """
    found = sha256()
    for path in (file for name in names for file in _files(name)):
        if path.is_file() and path.suffix != ".pyc":
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _files(name: str) -> Sequence[Path]:
    module = find_spec(name)
    if module is None or module.origin is None:
        raise ImportError(f"There is no module {name}.")
    origin = Path(module.origin)
    return sorted(origin.parent.rglob("*")) if module.submodule_search_locations else [origin]


@lru_cache
def scoring(names: tuple[str, ...]) -> str:
    """How rows are scored: the measures, and their code."""
    modules = (measures, words, labels, interpretations)
    code = (Path(module.__file__ or "").read_text("utf-8") for module in modules)
    return digest(*names, *code)


def digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:24]


def _stored(path: Path | None) -> Iterator[tuple[str, tuple[str, ResultRow]]]:
    return _read(path) if path is not None and path.exists() else iter(())


def _read(path: Path) -> Iterator[tuple[str, tuple[str, ResultRow]]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            try:
                key, scored, fields = json.loads(line)
            except ValueError:
                continue  # what the interruption cut short is done again
            yield key, (scored, ResultRow(**fields))
