"""Which agreement ``mss-site`` should ask for, chosen without the sites that are scored.

Knows sites, agreements and F1; refuses to know how a site teaches (extractors.mss.bootstrap).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np

from document.document import Document
from document.values import Page
from evaluation.measures import word_f1
from evaluation.mss.sittings import groups
from evaluation.packages import Package
from evaluation.progress import watched
from evaluation.statistic import mean
from evaluation.subjects import spanned
from evaluation.tables import aligned
from extractors.mss.bootstrap import taught
from extractors.mss.memory import Trace
from extractors.mss.site import MssSite, unlabelled

SITE: Final = MssSite()
GUARDS: Final = tuple(round(0.05 * step, 2) for step in range(21))
"""What may be asked for: from nothing to all."""
HEADING: Final = ("group", "pages", "mss", "believed always", "as shipped", "chosen without it")


@dataclass(frozen=True, slots=True)
class Trial:
    """One page. ``agreed``: of what the other pages of its site taught; ``alone``, ``informed``:
    word F1 without that and with it."""

    package: str
    site: str
    agreed: float
    alone: float
    informed: float

    def under(self, guard: float) -> float:
        """The page's F1 where so much agreement is asked for."""
        return self.informed if self.agreed >= guard else self.alone


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """Word F1 by package. Each site is scored under the guard that is best on all other sites: of
    those that are best, the one in the middle."""
    del arguments
    sites = [(package, *site) for package in packages for site in groups(package).items()]
    watching = watched(iter(sites), len(sites), "sites")
    trials = [trial for site in watching for trial in trials_of(*site)]
    chosen = chosen_guards(trials)
    ways: dict[str, Callable[[Trial], float]] = {
        "mss": lambda trial: trial.alone,
        "believed always": lambda trial: trial.informed,
        "as shipped": lambda trial: trial.under(SITE.agreement),
        "chosen without it": lambda trial: trial.under(chosen[trial.site]),
    }
    parts = [(name, [*some]) for name, some in groupby(trials, lambda trial: trial.package)]
    lines = [_line(name, some, ways.values()) for name, some in [*parts, ("all", trials)]]
    return f"{aligned(HEADING, lines, 1)}\n\nchosen: {_told(chosen)}"


def trials_of(package: Package, group: str, pages: Sequence[str]) -> Iterator[Trial]:
    """A trial for each page of a site."""
    entries = [*map(package.entry, pages)]
    documents = [Document.parse(Page(entry.body, entry.url)) for entry in entries]
    traces = [SITE.trace(document, b"", 0) for document in documents]
    for index, (entry, document) in enumerate(zip(entries, documents, strict=True)):
        others = [trace for at, trace in enumerate(traces) if at != index]
        yield Trial(package.name, site_of(group), *_trial(document, others, entry.gold))


def site_of(group: str) -> str:
    """A group without its year: a site's pages of several years are of one site."""
    return group.rstrip("0123456789").rstrip("-") or group


def chosen_guards(trials: Sequence[Trial]) -> dict[str, float]:
    """Of each site, the guard that is best on the pages of all others."""
    sites = dict.fromkeys(trial.site for trial in trials)
    return {site: best_guard([trial for trial in trials if trial.site != site]) for site in sites}


def best_guard(trials: Sequence[Trial]) -> float:
    """The middle of the guards with the highest mean F1; none at all where nothing was tried."""
    if not trials:
        return GUARDS[0]
    means = np.array([mean([trial.under(guard) for trial in trials]) for guard in GUARDS])
    best = np.flatnonzero(means >= means.max() - 1e-9)
    return GUARDS[int(best[len(best) // 2])]


def _trial(document: Document, others: Sequence[Trace], gold: str) -> tuple[float, float, float]:
    model, agreed = taught(unlabelled(others), SITE.settings)
    alone = word_f1(spanned(document.text, SITE.extract(document)), gold).f1
    if model is None:
        return 0.0, alone, alone
    found = SITE.informed(document, model, b"")
    return agreed, alone, word_f1(spanned(document.text, found), gold).f1


def _line(
    name: str, trials: Sequence[Trial], ways: Iterable[Callable[[Trial], float]]
) -> tuple[str, ...]:
    scores = (100 * mean([way(trial) for trial in trials]) for way in ways)
    return (name, str(len(trials)), *(f"{score:.2f}" for score in scores))


def _told(chosen: Mapping[str, float]) -> str:
    values = sorted(chosen.values())
    counts = ((guard, values.count(guard)) for guard in dict.fromkeys(values))
    return ", ".join(f"{guard:.2f} for {count} sites" for guard, count in counts)
