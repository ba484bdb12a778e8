"""Which agreement ``mss-site`` should ask for, chosen without the sites that are scored."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.measures import word_f1
from winnow.evaluation.mss.page_scores import groups
from winnow.evaluation.packages import Package
from winnow.evaluation.progress import watched
from winnow.evaluation.statistic import mean
from winnow.evaluation.subjects import text_of_spans
from winnow.evaluation.tables import aligned
from winnow.extractors.mss.bootstrap import bootstrapped
from winnow.extractors.mss.mss_site import MssSite, unlabelled_pages
from winnow.extractors.mss.site_rows import SiteTrace

SITE: Final = MssSite()
GUARDS: Final = tuple(round(0.05 * step, 2) for step in range(21))
"""The thresholds tried: from nothing to all."""
HEADING: Final = ("group", "pages", "mss", "believed always", "as shipped", "chosen without it")


@dataclass(frozen=True, slots=True)
class GuardTrial:
    """One page. ``agreed``: of what the other pages of its site taught; ``alone``, ``informed``:
    word F1 without that and with it."""

    package: str
    site: str
    agreed: float
    alone: float
    informed: float

    def under(self, guard: float) -> float:
        """The page's F1 at this threshold of agreement."""
        return self.informed if self.agreed >= guard else self.alone


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """Word F1 by package. Each site is scored under the guard that is best on all other sites: of
    those that are best, the one in the middle."""
    del arguments
    sites = [(package, *site) for package in packages for site in groups(package).items()]
    watching = watched(iter(sites), len(sites), "sites")
    trials = [trial for site in watching for trial in trials_of(*site)]
    chosen = chosen_guards(trials)
    ways: dict[str, Callable[[GuardTrial], float]] = {
        "mss": lambda trial: trial.alone,
        "believed always": lambda trial: trial.informed,
        "as shipped": lambda trial: trial.under(SITE.agreement),
        "chosen without it": lambda trial: trial.under(chosen[trial.site]),
    }
    parts = [(name, [*some]) for name, some in groupby(trials, lambda trial: trial.package)]
    lines = [_line(name, some, ways.values()) for name, some in [*parts, ("all", trials)]]
    return f"{aligned(HEADING, lines, 1)}\n\nchosen: {_told(chosen)}"


def trials_of(package: Package, group: str, pages: Sequence[str]) -> Iterator[GuardTrial]:
    """A trial for each page of a site."""
    entries = [*map(package.entry, pages)]
    documents = [Document.parse(Page(entry.body, entry.url)) for entry in entries]
    traces = [SITE.trace(document, b"", 0) for document in documents]
    for index, (entry, document) in enumerate(zip(entries, documents, strict=True)):
        others = [trace for at, trace in enumerate(traces) if at != index]
        yield GuardTrial(package.name, site_of(group), *_trial(document, others, entry.gold))


def site_of(group: str) -> str:
    """A group without its year: a site's pages of several years are of one site."""
    return group.rstrip("0123456789").rstrip("-") or group


def chosen_guards(trials: Sequence[GuardTrial]) -> dict[str, float]:
    """Of each site, the guard that is best on the pages of all others."""
    sites = dict.fromkeys(trial.site for trial in trials)
    return {site: best_guard([trial for trial in trials if trial.site != site]) for site in sites}


def best_guard(trials: Sequence[GuardTrial]) -> float:
    """The middle of the guards with the highest mean F1; none at all where nothing was tried."""
    if not trials:
        return GUARDS[0]
    means = np.array([mean([trial.under(guard) for trial in trials]) for guard in GUARDS])
    best = np.flatnonzero(means >= means.max() - 1e-9)
    return GUARDS[int(best[len(best) // 2])]


def _trial(
    document: Document, others: Sequence[SiteTrace], gold: str
) -> tuple[float, float, float]:
    model, agreed = bootstrapped(unlabelled_pages(others), SITE.settings)
    alone = word_f1(text_of_spans(document.text, SITE.extract(document)), gold).f1
    if model is None:
        return 0.0, alone, alone
    found = SITE.extraction(document, *SITE.site_scores(document, model, b""))
    return agreed, alone, word_f1(text_of_spans(document.text, found), gold).f1


def _line(
    name: str, trials: Sequence[GuardTrial], ways: Iterable[Callable[[GuardTrial], float]]
) -> tuple[str, ...]:
    scores = (100 * mean([way(trial) for trial in trials]) for way in ways)
    return (name, str(len(trials)), *(f"{score:.2f}" for score in scores))


def _told(chosen: Mapping[str, float]) -> str:
    values = sorted(chosen.values())
    counts = ((guard, values.count(guard)) for guard in dict.fromkeys(values))
    return ", ".join(f"{guard:.2f} for {count} sites" for guard, count in counts)
