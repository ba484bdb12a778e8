"""``winnow train mss``: entries, labels, counts, model."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from winnow.evaluation.commands.train import TrainRequest
from winnow.evaluation.gold.labelling import Digest, LabelledEntries, labelled, of_types
from winnow.evaluation.gold.packages import Package
from winnow.evaluation.running.progress import watched
from winnow.extractors.mss.mss_training import COUNTS, Training


@dataclass(slots=True)
class _TrainingRun:
    """Counts of one package's pages during training."""

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


def train(request: TrainRequest) -> str:
    """Train on the packages and write model and counts. Deterministic."""
    start = time.process_time()
    training = Training.load(request.out / COUNTS) if request.update else Training()
    runs = [_TrainingRun(package) for package in request.packages]
    for run in runs:
        for each in _pages(run, request.types):
            _learn(training, run, each)
    learned = [*training.origin, *(run.notes() for run in runs)]
    training.origin = learned
    training.save(request.out / COUNTS)
    model = training.model({"packages": learned, "types": list(request.types), "seed": None})
    model.save(request.out)
    return _report(runs, model.digest, time.process_time() - start)


def _pages(run: _TrainingRun, types: tuple[str, ...]) -> Iterator[LabelledEntries]:
    package = run.package
    entries = watched(package, len(package), f"train {package.name}", sys.stderr)
    return labelled(of_types(entries, types))


def _learn(training: Training, run: _TrainingRun, page: LabelledEntries) -> None:
    if page.example is None:
        run.dropped += 1
        return
    run.digest.add(page.entry)
    run.learned += 1
    training.add(page.example)


def _report(runs: list[_TrainingRun], digest: str, seconds: float) -> str:
    learned = sum(run.learned for run in runs)
    dropped = sum(run.dropped for run in runs)
    rate = (learned + dropped) / max(seconds, 0.001)
    return (
        f"Learned from {learned} pages, dropped {dropped} whose gold is not 90 % on the page; "
        f"model {digest}; {rate:.0f} pages a second of CPU."
    )
