"""``winnow train auto``: trains on gold packages, cross-validated by domain, and reports scores."""

from __future__ import annotations

import hashlib
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from winnow.command_errors import CommandError
from winnow.evaluation.commands.train import TrainRequest
from winnow.evaluation.gold.packages import Package
from winnow.evaluation.measuring.measures import word_f1
from winnow.evaluation.measuring.reliability import Reliability, reliability, reliability_table
from winnow.evaluation.running.progress import watched
from winnow.evaluation.subjects.subject import text_of_spans
from winnow.evaluation.training.other_forms import TrainingEntry, training_entries
from winnow.extractors.auto.auto_extractor import Auto
from winnow.extractors.auto.auto_model import write
from winnow.extractors.auto.page_runs import STRETCHES
from winnow.extractors.auto.prediction import PagePrediction
from winnow.extractors.auto.training.auto_training import TrainedAuto, learn
from winnow.extractors.auto.training.fitting import AutoTrainingPlan
from winnow.extractors.auto.training.page_training import HeldOutPage
from winnow.extractors.auto.training.training_examples import FOLDS
from winnow.jobs.quality import QualityLimits

Log = Callable[[str], None]
_is_shown: Final = QualityLimits().is_sure
"""Whether a page of a confidence is not passed on."""


def train(request: TrainRequest) -> str:
    """Train on packages, save model and manifest, return the report."""
    try:
        return _train(request.packages, request.out, _progress_log(), AutoTrainingPlan())
    except ModuleNotFoundError as error:
        raise CommandError(
            f"Training needs {error.name}: pip install '.[train]' in Winnow's checkout."
        ) from error


def _train(packages: Sequence[Package], out: Path, log: Log, plan: AutoTrainingPlan) -> str:
    total = sum(map(len, packages))
    entries = list(watched(training_entries(packages), total, "reading"))
    learned = learn([one.example for one in entries], plan, partial(_f1, entries), log)
    scores = _scores(entries, learned.held)
    declined = _declined(entries, learned)
    recognised = _recognised(entries, learned)
    reliable = _reliable(entries, learned)
    manifest = {
        "extractor": "auto",
        "packages": {package.name: _digest(package) for package in packages},
        "pages": total,
        "folds": FOLDS,
        "word_f1": scores,
        "readings": _readings(entries, learned.held),
        "declined": declined,
        "recognised": recognised,
        "reliability": {name: asdict(found) for name, found in reliable},
        "plan": asdict(plan),
        "trees": len(learned.model.forest.roots),
    }
    write(learned.model, manifest, out)
    return report(scores, declined, recognised, reliable)


def _progress_log() -> Log:
    start = time.monotonic()
    return lambda step: _print(f"{time.monotonic() - start:6.0f} s  {step}")


def _print(line: str) -> None:
    sys.stderr.write(line + "\n")


def report(
    scores: Mapping[str, float],
    declined: Mapping[str, float],
    recognised: Mapping[str, float],
    reliable: Sequence[tuple[str, Reliability]],
) -> str:
    """Return word F1 on held-out domains by package, page type and fold; the share of pages whose
    low confidence is passed on; the share of each page type that is recognised."""
    width = max(map(len, (*scores, *declined, *recognised)))
    return "\n".join(
        [
            f"Word F1, cross-validated by domain in {FOLDS} folds:",
            *(f"{name:<{width}}  {value:.4f}" for name, value in scores.items()),
            "Pages passed on for low confidence, by the same folds:",
            *(f"{name:<{width}}  {value:.4f}" for name, value in declined.items()),
            "Pages whose type is recognised, by the same folds:",
            *(f"{name:<{width}}  {value:.4f}" for name, value in recognised.items()),
            "What the confidence says, by the same folds:",
            reliability_table(reliable),
        ]
    )


def _f1(entries: Sequence[TrainingEntry], index: int, found: PagePrediction) -> float:
    one = entries[index]
    extraction = Auto().extraction(one.example.document, found)
    return word_f1(text_of_spans(one.example.document.text, extraction), one.entry.gold).f1


def _scores(entries: Sequence[TrainingEntry], held: Sequence[HeldOutPage]) -> dict[str, float]:
    """Return the mean word F1 by heading; of pages without a block nothing is extracted."""
    silent = (
        (one, word_f1("", one.entry.gold).f1) for one in entries if not len(one.example.blocks)
    )
    found: dict[str, list[float]] = defaultdict(list)
    for one, f1 in (*((entries[answer.example], answer.f1) for answer in held), *silent):
        for name in _headings(one):
            found[name].append(f1)
    return {name: round(statistics.fmean(found[name]), 4) for name in sorted(found)}


def _readings(
    entries: Sequence[TrainingEntry], held: Sequence[HeldOutPage]
) -> dict[str, dict[str, float]]:
    """Return the mean F1, by words of blocks, of each reading of the pages that have blocks, of the
    chosen ones, and of the best of each."""
    found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for answer in held:
        f1 = answer.trials[0].f1.tolist()
        found[entries[answer.example].package].append((*f1, f1[1 + answer.found.stretch], max(f1)))
    names = ("blocks", *STRETCHES, "chosen", "best")
    return {
        package: dict(zip(names, np.mean(rows, axis=0).round(4).tolist(), strict=True))
        for package, rows in sorted(found.items())
    }


def _declined(entries: Sequence[TrainingEntry], learned: TrainedAuto) -> dict[str, float]:
    found: dict[str, list[bool]] = defaultdict(list)
    for answer, (full, bare) in zip(learned.held, learned.confidences.tolist(), strict=True):
        one = entries[answer.example]
        kind = one.entry.page_type or "page"
        known = one.example.gold_words > 0
        found[f"{one.package} {kind}" if known else f"{one.package} empty"].append(
            not _is_shown(full)
        )
        if answer.bare_page is not None:
            found[f"{one.package} without its content"].append(not _is_shown(bare))
    return {name: round(statistics.fmean(found[name]), 4) for name in sorted(found)}


def _recognised(entries: Sequence[TrainingEntry], learned: TrainedAuto) -> dict[str, float]:
    """Return the share of pages whose type is recognised, of each type and of all with a type."""
    found: dict[str, list[bool]] = defaultdict(list)
    for answer in learned.held:
        one = entries[answer.example]
        if one.entry.page_type:
            for name in (one.package, f"{one.package} {one.entry.page_type}"):
                found[name].append(answer.kind == one.entry.page_type)
    return {name: round(statistics.fmean(found[name]), 4) for name in sorted(found)}


def _reliable(
    entries: Sequence[TrainingEntry], learned: TrainedAuto
) -> list[tuple[str, Reliability]]:
    """Return how far the confidence can be believed, on each package."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for answer, confidence in zip(learned.held, learned.confidences[:, 0].tolist(), strict=True):
        found[entries[answer.example].package].append((confidence, answer.f1))
    return [(name, reliability(pages, _is_shown)) for name, pages in sorted(found.items())]


def _headings(one: TrainingEntry) -> Iterator[str]:
    yield one.package
    if one.entry.page_type:
        yield f"{one.package} {one.entry.page_type}"
    yield f"{one.package} fold {one.example.fold + 1}"


def _digest(package: Package) -> dict[str, Any]:
    """Return the origin of the training data: licence, source, and a digest of pages and gold."""
    digest = hashlib.sha256()
    for entry in package:
        digest.update(entry.body)
        digest.update(entry.gold.encode())
    origin = {key: package.description.get(key) for key in ("licence", "source", "ship")}
    return {**origin, "sha256": digest.hexdigest()}
