"""Annotated pages of packages, by group and site."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from winnow.evaluation.gold.elements import annotated
from winnow.evaluation.gold.labelling import of_types
from winnow.evaluation.gold.packages import Package
from winnow.evaluation.running.progress import watched
from winnow.extractors.memory.memory_training import MemoryExample


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPage:
    """A page that can be learned from and tested with.

    ``group``: its source as the thesis understands it, a site at one time; ``site``: all its times;
    ``place``: which of its group's pages it is, from 0.
    """

    example: MemoryExample
    group: str
    site: str
    place: int


def read(packages: Sequence[Package], every: int = 1) -> list[LabelledPage]:
    """The articles of packages, annotated; those whose gold is not on the page are left out."""
    return [page for package in packages for page in _of(package, every)]


def _of(package: Package, every: int) -> Iterator[LabelledPage]:
    places: Counter[str] = Counter()
    entries = watched(package, len(package), f"read {package.name}", sys.stderr)
    for index, entry in enumerate(of_types(entries, ("article",))):
        example = annotated(entry) if index % every == 0 else None
        if example is None:
            continue
        group = str(entry.meta.get("group") or example.source)
        yield LabelledPage(example, group, example.source, places[group])
        places[group] += 1
