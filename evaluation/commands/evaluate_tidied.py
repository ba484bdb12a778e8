"""``winnow evaluate PACKAGE --measure tidied``: words gone from tidied pages, and things lost."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from statistics import median
from typing import Final, NamedTuple

from winnow.document.document import Document
from winnow.document.values import Page, Treatment
from winnow.engine.pipeline import transform
from winnow.evaluation.commands.chosen_packages import chosen
from winnow.evaluation.commands.evaluate_tasks import default_recipe
from winnow.evaluation.fidelity.counting import survivals
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.reporting.tables import aligned
from winnow.evaluation.running.progress import watched
from winnow.evaluation.running.task_runner import sample

NAME: Final = "tidied"
_TYPES: Final = ("product", "collection", "listing")
_LOST: Final = ("price", "form", "image")
_TIDIED: Final = frozenset(("index", "product", "kind"))
"""Reasons of pages that are to be tidied, also where too little would go (docs/reasons.md)."""


class _TidiedPage(NamedTuple):
    """``gone``: the share of the shown words; ``lost``: of each of ``_LOST`` in the gold text."""

    gone: float
    is_tidied: bool
    lost: tuple[int, ...]


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each page type of each package; ``passed on``: less than a tenth goes."""
    heads = ("package", "type", "to tidy", "tidied", "passed on", "gone, median", *_LOST)
    lines = [line for package in chosen(arguments) for line in _lines(package, arguments)]
    sys.stdout.write(aligned(heads, lines, 2) + "\n")
    return 0


def _lines(package: Package, arguments: argparse.Namespace) -> Iterator[list[str]]:
    found: dict[str, list[_TidiedPage]] = {kind: [] for kind in (*_TYPES, "all")}
    names = sample(package.ids, arguments.every, arguments.limit)
    for name in watched(names, len(names), "pages"):
        kind = package.page(name).page_type or ""
        page = _tidied(package.entry(name)) if kind in _TYPES else None
        if page is not None:
            found[kind].append(page)
            found["all"].append(page)
    for kind, pages in found.items():
        done = [page for page in pages if page.is_tidied]
        gone = f"{median(page.gone for page in done):.3f}" if done else "-"
        lost = (sum(page.lost[at] for page in done) for at in range(len(_LOST)))
        counts = map(str, (len(pages), len(done), len(pages) - len(done)))
        yield [package.name, kind, *counts, gone, *map(str, lost)]


def _tidied(entry: PackageEntry) -> _TidiedPage | None:
    """What tidying takes of a page; None of one that is not to be tidied."""
    rendered = transform(Page(entry.body, entry.url), default_recipe())
    if rendered.treatment is not Treatment.TIDY:
        is_meant = rendered.instead in _TIDIED
        return _TidiedPage(0.0, is_tidied=False, lost=(0,) * len(_LOST)) if is_meant else None
    before, after = (_words(body) for body in (entry.body, rendered.body))
    kept = survivals(entry, {NAME: lambda *_: rendered.body})[NAME]
    lost = tuple(kept.there[kind] - kept.shown[kind] for kind in _LOST)
    return _TidiedPage(1 - after / max(before, 1), is_tidied=True, lost=lost)


def _words(body: bytes) -> int:
    document = Document.parse(Page(body))
    return int(document.piece_words[~document.hidden].sum())
