"""How much layout's constants owe to the packages on which they are scored: cross-validation.

For each package (or third of all sites) all constants are chosen again on the other pages alone,
one after the other from plain beginnings, and it is scored with these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Final, NamedTuple

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.leave_one_out import KEY, by_site
from winnow.evaluation.measures import word_score
from winnow.evaluation.packages import Package, PackageEntry
from winnow.evaluation.statistic import mean
from winnow.evaluation.tables import aligned
from winnow.evaluation.words import words
from winnow.extractors.layout import layout_memory
from winnow.extractors.layout.content_decision import CHOICE, ContentChoice, decide, other_pages
from winnow.extractors.layout.page_rows import Ints, PageRows, page_rows_of
from winnow.extractors.layout.site_layout import LIMITS, SiteLayoutLimits

BEGINNING: Final = (
    SiteLayoutLimits(varies=0.5, main=50.0, plain=0.5, static=0.5, often=0.5, times=1.0),
    ContentChoice(frame=3.25, against=0.0, explained=0.5, pure=0.9, fairly_pure=0.9, sparse=0.5),
)
"""Webstemmer's and simple-mss's own values where they have one; else halves, nine tenths, none."""
WORTH_TRYING: Final[Mapping[str, tuple[float, ...]]] = {
    "static": (0.2, 0.3, 0.5),
    "varies": (0.3, 0.5, 0.7),
    "main": (50.0, 100.0, 200.0),
    "plain": (0.3, 0.5, 0.7),
    "often": (0.3, 0.5, 0.7),
    "times": (1.0, 1.5, 2.5),
    "frame": (1.0, 2.0, 3.25),
    "against": (0.0, 0.3, 1.0),
    "explained": (0.5, 0.65, 0.8),
    "pure": (0.9, 0.95, 0.98),
    "pure_page": (0.8, 0.9, 1.01),
    "fairly_pure": (0.8, 0.86, 0.92),
    "sparse": (0.4, 0.55, 0.7),
}


PARTS: Final = 3
MOST_PAGES: Final = 40
"""Of one site; larger ones are sampled evenly."""


class Constants(NamedTuple):
    """All that was chosen by looking at scores."""

    limits: SiteLayoutLimits
    choice: ContentChoice

    def but(self, name: str, value: float) -> Constants:
        """These, one of them another."""
        if name in SiteLayoutLimits._fields:
            return self._replace(limits=self.limits._replace(**{name: value}))
        return self._replace(choice=self.choice._replace(**{name: value}))

    def items(self) -> Iterator[tuple[str, float]]:
        """The names that are tried, with their values."""
        both = self.limits._asdict() | self.choice._asdict()
        return ((name, both[name]) for name in WORTH_TRYING)


SHIPPED: Final = Constants(LIMITS, CHOICE)


@dataclass(frozen=True, eq=False)
class MeasuredPage:
    """A page, what its site's other pages taught, and the words of its gold."""

    document: Document
    sight: PageRows
    memory: bytes
    gold: list[str]

    def f1(self, constants: Constants) -> float:
        """Word F1 of the page's blocks that are kept."""
        site = other_pages(self.sight, self.memory, constants.limits)
        is_content = decide(self.document, self.sight, site, constants.choice).is_content
        starts, ends = (self._edges[place][is_content].tolist() for place in (0, 1))
        pairs = zip(starts, ends, strict=True)
        text = "\n".join(self.document.text[start:end] for start, end in pairs)
        return word_score(words(text), self.gold).f1

    @cached_property
    def _edges(self) -> Ints:
        blocks, index = self.sight.blocks, self.sight.index
        return np.stack([blocks.start[index], blocks.end[index]])


Pages = Sequence[Sequence[MeasuredPage]]
"""Of each site the pages."""


class Fold(NamedTuple):
    """Sites on which constants are chosen, and those that are scored with them, by package."""

    name: str
    chosen_on: Mapping[str, Pages]
    scored: Mapping[str, Pages]


def report(packages: Sequence[Package], by: str = "package") -> str:
    """F1 as shipped and cross-validated, package by package, and what was chosen in each fold."""
    sites_by_package = {package.name: sites_of(package) for package in packages}
    found: dict[str, list[float]] = {name: [] for name in sites_by_package}
    chosen = {}
    for fold in FOLDS[by](sites_by_package):
        chosen[fold.name] = climbed(list(fold.chosen_on.values()))
        for name, sites in fold.scored.items():
            found[name] += [score([pages], chosen[fold.name]) for pages in sites]
    lines = [
        (name, f"{score(sites, SHIPPED):.4f}", f"{mean(found[name]):.4f}")
        for name, sites in sites_by_package.items()
    ]
    scores = aligned(("mean F1 over sites", "shipped", "cross-validated"), lines, 1)
    return f"{scores}\n\n{_choices(chosen)}"


def _by_package(sites_by_package: Mapping[str, Pages]) -> Iterator[Fold]:
    for name, sites in sites_by_package.items():
        other_pages = {other: pages for other, pages in sites_by_package.items() if other != name}
        yield Fold(f"without {name}", other_pages, {name: sites})


def _by_site(sites_by_package: Mapping[str, Pages]) -> Iterator[Fold]:
    for part in range(PARTS):
        yield Fold(
            f"without part {part + 1}",
            {
                name: [pages for place, pages in enumerate(sites) if place % PARTS != part]
                for name, sites in sites_by_package.items()
            },
            {name: sites[part::PARTS] for name, sites in sites_by_package.items()},
        )


FOLDS: Final[Mapping[str, Callable[[Mapping[str, Pages]], Iterator[Fold]]]] = {
    "package": _by_package,
    "site": _by_site,
}


def sites_of(package: Package) -> Pages:
    """Each page with what the other_pages of its site teach."""
    return [
        list(_measured(entries[:: -(-len(entries) // MOST_PAGES)]))
        for entries in by_site(package).values()
    ]


def climbed(packages: Sequence[Pages]) -> Constants:
    """The constants of which each was the best on these packages when it was its turn."""
    best = Constants(*BEGINNING)
    for name, values in WORTH_TRYING.items():
        tried = [best.but(name, value) for value in values]
        best = max(tried, key=lambda one: mean([score(pages, one) for pages in packages]))
    return best


def score(sites: Pages, constants: Constants) -> float:
    """The mean over sites of the mean F1 of their pages."""
    return mean([mean([page.f1(constants) for page in pages]) for pages in sites])


def _measured(entries: Sequence[PackageEntry]) -> Iterator[MeasuredPage]:
    documents = [
        Document.parse(Page(entry.body, entry.url or f"http://a.example/{entry.id}"))
        for entry in entries
    ]
    lessons = [layout_memory.trace(page_rows_of(document, KEY), 0) for document in documents]
    for place, (document, entry) in enumerate(zip(documents, entries, strict=True)):
        memory = reduce(layout_memory.merge, lessons[:place] + lessons[place + 1 :], b"")
        yield MeasuredPage(
            document, page_rows_of(document, KEY, least=1), memory, words(entry.gold)
        )


def _choices(chosen: Mapping[str, Constants]) -> str:
    columns = [dict(SHIPPED.items()), *(dict(one.items()) for one in chosen.values())]
    lines = [(name, *(f"{column[name]:g}" for column in columns)) for name in WORTH_TRYING]
    return aligned(("constant", "shipped", *chosen), lines, 1)
