"""Leave-one-out within sites: each page after learning from all others of its site.

An extractor with a learner (winnow.extractors.site_learners) learns from the other pages, one that
without one is measured as it is. Body F1: word F1 of the spans that are no title.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Extraction, Label, Page, SiteKnowledge
from winnow.evaluation.gold.packages import PackageEntry
from winnow.evaluation.measuring.measures import word_f1
from winnow.evaluation.measuring.statistic import bootstrap
from winnow.evaluation.subjects.subject import text_of_spans
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.layout.layout_extractor import LayoutExtractor
from winnow.extractors.layout.pattern_learning import (
    THRESHOLDS,
    Thresholds,
    learn,
    learned_pages,
    links_of,
)
from winnow.extractors.layout.pattern_matching import match_patterns
from winnow.extractors.site_learners import Learner, learner_of

LEAST: Final = 5
"""Pages of a site from which it is measured."""
KEY: Final = b"an evaluation has no secrets"

Answers = Callable[[int], Extraction]
"""The extraction of a page, by its place, after learning from all others."""


@dataclass(frozen=True, slots=True)
class SiteScores:
    """A site's mean F1 by extractor, over ``pages`` pages; ``alone``: without a memory, of those
    that have one."""

    site: str
    pages: int
    scores: Mapping[str, float]
    alone: Mapping[str, float] = field(default_factory=dict)


def by_site(entries: Iterable[PackageEntry]) -> dict[str, list[PackageEntry]]:
    """Entries by site, of those with enough; sorted."""
    found: dict[str, list[PackageEntry]] = {}
    for entry in entries:
        found.setdefault(entry.site, []).append(entry)
    return {site: pages for site, pages in sorted(found.items()) if site and len(pages) >= LEAST}


def leave_one_out(
    site: str, entries: Sequence[PackageEntry], extractors: Mapping[str, Extractor]
) -> SiteScores:
    """The mean F1 of each extractor on a site."""
    documents = [
        Document.parse(Page(entry.body, entry.url or f"http://{site}/{entry.id}"))
        for entry in entries
    ]

    def score(answer: Answers) -> float:
        return fmean(
            body_f1(document, answer(place), entry.gold)
            for place, (document, entry) in enumerate(zip(documents, entries, strict=True))
        )

    def alone(extractor: Extractor) -> Answers:
        return lambda place: extractor.extract(documents[place])

    return SiteScores(
        site,
        len(entries),
        {name: score(trained_on_others(documents, one)) for name, one in extractors.items()},
        {name: score(alone(one)) for name, one in extractors.items() if learner_of(one)},
    )


def trained_on_others(documents: Sequence[Document], extractor: Extractor) -> Answers:
    """The extractor on each document, after learning from the others."""
    if isinstance(extractor, LayoutExtractor) and extractor.has_patterns:
        return by_patterns(documents, extractor)
    learner = learner_of(extractor)
    if learner is None:
        return lambda place: extractor.extract(documents[place])
    return _learned(documents, extractor, learner)


def table(rows: Iterable[SiteScores], names: Sequence[str]) -> Iterator[str]:
    """The lines of a table, one a site, the mean over sites, and what a memory brings."""
    width = max(8, *map(len, names)) + 2
    yield f"{'site':32}{'pages':>6}" + "".join(f"{name:>{width}}" for name in names)
    seen = []
    for row in rows:
        seen.append(row)
        yield f"{row.site[:31]:32}{row.pages:6}" + _cells(row.scores, names, width)
    if seen:
        mean = {name: fmean(row.scores[name] for row in seen) for name in names}
        pages = sum(row.pages for row in seen)
        yield f"{f'mean of {len(seen)} sites':32}{pages:6}" + _cells(mean, names, width)
        yield from (_gain(seen, name) for name in names if name in seen[0].alone)


def _gain(rows: Sequence[SiteScores], name: str) -> str:
    """What the memory of a site brings to a method, with its interval."""
    gains = [row.scores[name] - row.alone[name] for row in rows]
    found, pages = bootstrap(gains), sum(row.pages for row in rows)
    by_page = sum(gain * row.pages for gain, row in zip(gains, rows, strict=True)) / pages
    lower = sum(gain < 0 for gain in gains)
    return (
        f"{name} alone {fmean(row.alone[name] for row in rows):.4f}; its memory brings "
        f"{found.mean:+.4f} ± {found.plus_minus:.4f} (95 %, sites drawn anew), "
        f"{by_page:+.4f} a page; {lower} of {len(rows)} sites are lower"
    )


def _cells(scores: Mapping[str, float], names: Sequence[str], width: int) -> str:
    return "".join(f"{scores[name]:{width}.4f}" for name in names)


def _learned(documents: Sequence[Document], extractor: Extractor, learner: Learner) -> Answers:
    lessons = [learner.observe(document, extractor, KEY, 0) for document in documents]
    before, behind = _running(learner, lessons), _running(learner, lessons[::-1])
    knowledge = SiteKnowledge(key=KEY)

    def answer(place: int) -> Extraction:
        memory = learner.merge(before[place], behind[len(lessons) - 1 - place])
        return learner.extract(documents[place], extractor, memory, knowledge)

    return answer


def _running(learner: Learner, lessons: Sequence[bytes]) -> list[bytes]:
    """The memories of the first none, one, two, ... lessons."""
    found = [b""]
    for lesson in lessons:
        found.append(learner.merge(found[-1], lesson))
    return found


def by_patterns(
    documents: Sequence[Document], extractor: LayoutExtractor, thresholds: Thresholds = THRESHOLDS
) -> Answers:
    """Webstemmer's modes: the patterns of the other pages."""
    pages = learned_pages(documents, links_of(documents))

    def answer(place: int) -> Extraction:
        patterns = learn(pages[:place] + pages[place + 1 :], thresholds)
        return match_patterns(documents[place], patterns, extractor.limits, extractor.name)

    return answer


def body_f1(document: Document, found: Extraction, gold: str) -> float:
    """Word F1 of the spans that are no title."""
    body = tuple(span for span in found.spans if span.label is not Label.TITLE)
    return word_f1(text_of_spans(document.text, replace(found, spans=body)), gold).f1
