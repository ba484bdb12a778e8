"""``mss-cleaneval`` by cross-validation: evidence and bias chosen by the other documents."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from statistics import fmean
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.measures import alignment
from winnow.evaluation.packages import Package
from winnow.evaluation.subjects import text_of_spans
from winnow.evaluation.tables import aligned
from winnow.evaluation.words import words
from winnow.extractors.mss.mss_extractors import PUBLISHED_BIAS, MssCleanEval

BIASES: Final = (0.0, 0.03, 0.06, 0.09, 0.14, 0.2)
GRID: Final = [
    MssCleanEval(backoff=backoff, mrut=mrut, bias=bias)
    for backoff, mrut, bias in product((False, True), (False, True), BIASES)
]
PUBLISHED: Final = MssCleanEval(backoff=False, mrut=True, bias=PUBLISHED_BIAS)
SHIPPED: Final = MssCleanEval()
Scores = dict[MssCleanEval, list[float]]


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """CleanEval's text-only score: as published, as shipped, and chosen without the document."""
    found = scores(packages)
    lines = [
        (title, text_only(found[method]))
        for title, method in (("as published", PUBLISHED), ("as shipped", SHIPPED))
    ]
    pages = len(found[SHIPPED])
    for title, grid in _grids():
        for folds in (arguments.folds, pages):
            chosen = text_only(cross_validated({each: found[each] for each in grid}, folds))
            lines.append((f"{title}, {folds} folds", chosen))
    best = max(GRID, key=lambda each: fmean(found[each]))
    return aligned(
        ("text-only", f"{pages} pages"), [*lines, (best.name, text_only(found[best]))], 1
    )


def _grids() -> Sequence[tuple[str, list[MssCleanEval]]]:
    return (
        ("bias of the shipped evidence", [each for each in GRID if each.backoff and not each.mrut]),
        (
            "bias of the published evidence",
            [each for each in GRID if not each.backoff and each.mrut],
        ),
        ("evidence and bias", GRID),
    )


def scores(packages: Sequence[Package]) -> Scores:
    """The score of each page by each form of the method."""
    found: Scores = {each: [] for each in GRID}
    for entry in (entry for package in packages for entry in package):
        document, gold = Document.parse(Page(entry.body, entry.url)), words(entry.gold)
        for each in GRID:
            text = text_of_spans(document.text, each.extract(document))
            found[each].append(alignment(words(text), gold))
    return found


def cross_validated(found: Scores, folds: int) -> list[float]:
    """The scores of each fold by the form that is best on all others."""
    chosen: list[float] = []
    for fold in range(folds):
        rest = {
            each: [score for place, score in enumerate(row) if place % folds != fold]
            for each, row in found.items()
        }
        best = max(rest, key=lambda each: fmean(rest[each]))
        chosen += found[best][fold::folds]
    return chosen


def text_only(row: Sequence[float]) -> str:
    """The mean in percent."""
    return f"{100 * fmean(row):.2f}"
