"""Webstemmer's modes, leave-one-out: as its program does it, and as its description reads.

Body F1 of main text and of the sub lines inside it, and how many pages had a pattern.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import Final, NamedTuple

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.leave_one_out import body_f1, by_patterns, by_site
from winnow.evaluation.packages import Package
from winnow.evaluation.tables import aligned
from winnow.extractors.layout.layout_extractor import LayoutExtractor
from winnow.extractors.layout.pattern_learning import Thresholds

DEFAULT: Final = LayoutExtractor(mode="webstemmer")
STRICT: Final = LayoutExtractor(mode="webstemmer-strict")


class Variant(NamedTuple):
    """How patterns are learned and matched."""

    extractor: LayoutExtractor
    thresholds: Thresholds


VARIANTS: Final = {
    "its default": Variant(DEFAULT, Thresholds()),
    "all sub lines": Variant(LayoutExtractor(mode="webstemmer", sub="all"), Thresholds()),
    "clusters at .80": Variant(DEFAULT, Thresholds(cluster=0.8)),
    "longest common sequences": Variant(DEFAULT, Thresholds(exact=True)),
    "strict": Variant(STRICT, Thresholds()),
    "strict, longest common sequences": Variant(STRICT, Thresholds(exact=True)),
}


def report(packages: Iterable[Package]) -> str:
    """The mean over sites of each variant, package by package."""
    lines = []
    for package in packages:
        scores: dict[str, list[tuple[float, float]]] = {name: [] for name in VARIANTS}
        for site, entries in by_site(package).items():
            documents = [
                Document.parse(Page(entry.body, entry.url or f"http://{site}/{entry.id}"))
                for entry in entries
            ]
            golds = [entry.gold for entry in entries]
            for name, variant in VARIANTS.items():
                scores[name].append(_site(documents, golds, variant))
        for name, found in scores.items():
            means = (f"{fmean(column):.3f}" for column in zip(*found, strict=True))
            lines.append((f"{package.name}: {name}", *means))
    return aligned(("mean over sites", "body F1", "pages with a pattern"), lines, 1)


def _site(documents: list[Document], golds: list[str], variant: Variant) -> tuple[float, float]:
    """Mean body F1 and the share of pages with a pattern."""
    answer = by_patterns(documents, variant.extractor, variant.thresholds)
    found = [answer(place) for place in range(len(documents))]
    scores = map(body_f1, documents, found, golds)
    return fmean(scores), fmean(bool(each.confidence) for each in found)
