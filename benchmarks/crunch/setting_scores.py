"""Many settings of one method over the same pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from winnow.document.document import Document
from winnow.document.values import Page, Span
from winnow.evaluation.measures import word_score
from winnow.evaluation.packages import Package, PackageEntry
from winnow.evaluation.progress import watched
from winnow.evaluation.statistic import mean
from winnow.evaluation.subjects import text_of_spans
from winnow.evaluation.words import words
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.registry import make


@dataclass(frozen=True, slots=True)
class Outcome:
    """One setting on one page: word F1, words kept, and whether nothing was where text is."""

    f1: float
    words: int
    blank: bool


@dataclass(frozen=True, slots=True)
class Means:
    """One setting over pages: means of word F1 and words kept, and how many pages are blank."""

    pages: int
    f1: float
    words: float
    blank: int


def measured(packages: Sequence[Package], names: Sequence[str]) -> Mapping[str, Means]:
    """The means of each specification over all pages of all packages."""
    extractors = {name: make(name) for name in names}
    found: dict[str, list[Outcome]] = {name: [] for name in names}
    entries = (entry for package in packages for entry in package)
    for entry in watched(entries, sum(map(len, packages)), "pages"):
        for name, outcome in outcomes(entry, extractors).items():
            found[name].append(outcome)
    return {name: means(rows) for name, rows in found.items()}


def outcomes(entry: PackageEntry, extractors: Mapping[str, Extractor]) -> dict[str, Outcome]:
    """Every extractor on one page; equal spans are scored once."""
    document = Document.parse(Page(entry.body, entry.url))
    gold, outcomes = words(entry.gold), dict[tuple[Span, ...], Outcome]()
    has_text = bool(document.piece_words[~document.hidden].sum())
    found = {}
    for name, extractor in extractors.items():
        extraction = extractor.extract(document)
        if extraction.spans not in outcomes:
            mine = words(text_of_spans(document.text, extraction))
            f1 = word_score(mine, gold).f1
            outcomes[extraction.spans] = Outcome(f1, len(mine), has_text and not mine)
        found[name] = outcomes[extraction.spans]
    return found


def means(rows: Iterable[Outcome]) -> Means:
    """What the pages have in common."""
    rows = list(rows)
    return Means(
        len(rows),
        mean([row.f1 for row in rows]),
        mean([row.words for row in rows]),
        sum(row.blank for row in rows),
    )
