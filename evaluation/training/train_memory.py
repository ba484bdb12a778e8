"""``winnow train memory``: entries, annotation, instances, model."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

from winnow.evaluation.commands.train import TrainRequest
from winnow.evaluation.gold.elements import annotated
from winnow.evaluation.gold.labelling import Digest, of_types
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.running.progress import watched
from winnow.extractors.memory.memory_training import STORED, MemoryExample, learn


def train(request: TrainRequest) -> str:
    """Train on the packages and write the model. Deterministic."""
    start = time.process_time()
    examples: list[MemoryExample] = []
    notes = [_add_examples(package, request.types, examples) for package in request.packages]
    model = learn(examples, STORED, {"packages": notes, "types": list(request.types)})
    model.save(request.out)
    rate = len(examples) / max(time.process_time() - start, 0.001)
    dropped = sum(int(note["not_aligned"]) for note in notes)
    return (
        f"Learned from {len(examples)} pages, dropped {dropped} whose gold is not 90 % on the page;"
        f" keeps {model.manifest['stored']} of {model.manifest['learned']} elements with text;"
        f" model {model.digest}; {rate:.0f} pages a second of CPU."
    )


def _add_examples(
    package: Package, types: tuple[str, ...], examples: list[MemoryExample]
) -> dict[str, Any]:
    """Add a package's examples, and return its entry for the manifest."""
    digest, before, seen = Digest(), len(examples), 0
    for entry in _entries(package, types):
        seen += 1
        example = annotated(entry)
        if example is not None:
            digest.add(entry)
            examples.append(example)
    return {
        "name": package.name,
        "licence": package.description.get("licence", "not stated"),
        "pages": len(examples) - before,
        "not_aligned": seen - len(examples) + before,
        "digest": str(digest),
    }


def _entries(package: Package, types: tuple[str, ...]) -> Iterator[PackageEntry]:
    return of_types(watched(package, len(package), f"train {package.name}", sys.stderr), types)
