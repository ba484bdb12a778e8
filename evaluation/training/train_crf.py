"""``winnow train crf``: blocks with gold text to a conditional random field."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from winnow.command_errors import CommandError
from winnow.evaluation.commands.train import TrainRequest
from winnow.evaluation.gold.labelling import Digest, of_types
from winnow.evaluation.gold.packages import Package
from winnow.evaluation.running.progress import watched
from winnow.evaluation.training.crf_examples import crf_example
from winnow.extractors.crf.crf_training import CrfExample, learn
from winnow.extractors.errors import ModelError


def train(request: TrainRequest) -> str:
    """Train on the packages and write the model. Deterministic."""
    notes: list[dict[str, Any]] = []
    try:
        model = learn(_examples(request, notes), {"packages": notes, "types": list(request.types)})
    except ModelError as error:
        raise CommandError(str(error)) from error
    model.save(request.out)
    pages = sum(note["pages"] for note in notes)
    return f"Learned from {pages} pages; model {model.digest}."


def _examples(request: TrainRequest, notes: list[dict[str, Any]]) -> Iterator[CrfExample]:
    for package in request.packages:
        digest, pages = Digest(), 0
        for entry in _entries(package, request.types):
            digest.add(entry)
            pages += 1
            yield crf_example(entry)
        licence = package.description.get("licence", "not stated")
        row = {"name": package.name, "licence": licence, "pages": pages, "digest": str(digest)}
        notes.append(row)


def _entries(package: Package, types: tuple[str, ...]) -> Iterator[Any]:
    entries = watched(package, len(package), f"train {package.name}", sys.stderr)
    return iter(of_types(entries, types))
