"""How ``winnow train mss`` goes: entries, labels, counts, model. Knows the order; no features."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from winnow.commands.train import TrainRequest
from winnow.evaluation.labelling import Digest, LabelledEntries, labelled, of_types
from winnow.evaluation.packages import Package
from winnow.evaluation.progress import watched
from winnow.extractors.mss.mss_training import Training

COUNTS: Final = "counts"
"""The folder beside the model that holds the counts, for --update; a model works without it."""


@dataclass(slots=True)
class _TrainingRun:
    """One package's pages on their way through training."""

    package: Package
    digest: Digest = field(default_factory=Digest)
    learned: int = 0
    dropped: int = 0

    def notes(self) -> dict[str, Any]:
        return {
            "name": self.package.name,
            "licence": self.package.description.get("licence", "not stated"),
            "pages": self.learned,
            "not_aligned": self.dropped,
            "digest": str(self.digest),
        }


def train(wish: TrainRequest) -> str:
    """Train on the packages and write model and counts. Nothing in it is drawn at random."""
    start = time.process_time()
    training = Training.load(wish.out / COUNTS) if wish.update else Training()
    courses = [_TrainingRun(package) for package in wish.packages]
    for course in courses:
        for each in _pages(course, wish.types):
            _learn(training, course, each)
    learned = [*training.origin, *(course.notes() for course in courses)]
    training.origin = learned
    training.save(wish.out / COUNTS)
    model = training.model({"packages": learned, "types": list(wish.types), "seed": None})
    model.save(wish.out)
    return _told(courses, model.digest, time.process_time() - start)


def _pages(course: _TrainingRun, types: tuple[str, ...]) -> Iterator[LabelledEntries]:
    package = course.package
    entries = watched(package, len(package), f"train {package.name}", sys.stderr)
    return labelled(of_types(entries, types))


def _learn(training: Training, course: _TrainingRun, page: LabelledEntries) -> None:
    if page.example is None:
        course.dropped += 1
        return
    course.digest.add(page.entry)
    course.learned += 1
    training.add(page.example)


def _told(courses: list[_TrainingRun], digest: str, seconds: float) -> str:
    learned = sum(course.learned for course in courses)
    dropped = sum(course.dropped for course in courses)
    rate = (learned + dropped) / max(seconds, 0.001)
    return (
        f"Learned from {learned} pages, dropped {dropped} whose gold is not 90 % on the page; "
        f"model {digest}; {rate:.0f} pages a second of CPU."
    )
