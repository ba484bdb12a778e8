"""``winnow train crunch``: pre-classified sites for Crunch's genres, as words and counts alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from winnow.document.addresses import host_of
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.commands.train import TrainRequest
from winnow.evaluation.gold.labelling import source_of
from winnow.evaluation.gold.packages import Package, PackageEntry
from winnow.evaluation.reporting.tables import aligned
from winnow.evaluation.running.progress import watched
from winnow.extractors.crunch.site_genre import GenreSites, words_of

GENRES: Final[Mapping[str, str]] = {
    "article": "news",
    "product": "shopping",
    "collection": "shopping",
    "documentation": "education",
    "forum": "text-heavy",
    "listing": "link-heavy",
}
"""By the page types of packages; a page of another type is no site of ours."""
MOST_SITES: Final = 60
"""Pre-classified sites of one genre: every other site of it, up to these; the rest test them."""
WORDS_OF_GENRE: Final = 20
OFTEN: Final = 5
"""A key word stands more often than this in one site at least (Gupta et al. 2005)."""


@dataclass(frozen=True, slots=True)
class Site:
    """One site: its genre and how often each word stands in its pages."""

    genre: str
    words: Counter[str]


def sites_of(packages: Sequence[Package]) -> list[Site]:
    """Every site of the packages whose genre they tell, in the order of their names."""
    genres: dict[str, str] = {}
    words: dict[str, Counter[str]] = defaultdict(Counter)
    entries = ((package, entry) for package in packages for entry in package)
    for package, entry in watched(entries, sum(map(len, packages)), "pages"):
        if genre := genre_of(package, entry):
            host = f"{source_of(entry)} {genre}"
            genres[host] = genre
            document = Document.parse(Page(entry.body, entry.url))
            words[host].update(words_of(document.text))
    return [Site(genres[host], words[host]) for host in sorted(genres)]


def genre_of(package: Package, entry: PackageEntry) -> str:
    """The genre of a page: by its host where that tells it, else by its type."""
    host = host_of(entry.url or "")
    if ".gov" in f".{host}." or host.endswith(".mil"):
        return "government"
    if host.endswith(".edu") or ".ac." in host:
        return "education"
    return GENRES.get(entry.page_type or ("" if package.name.startswith("wcxb") else "article"), "")


def classified(sites: Iterable[Site]) -> tuple[list[Site], list[Site]]:
    """Sites to compare with, and sites to test with: turn by turn within each genre."""
    compared: list[Site] = []
    tested: list[Site] = []
    seen: Counter[str] = Counter()
    for site in sites:
        turn = seen[site.genre]
        seen[site.genre] += 1
        (compared if turn % 2 == 0 and turn < 2 * MOST_SITES else tested).append(site)
    return compared, tested


def trained(sites: Sequence[Site]) -> GenreSites:
    """Key words and the counts of the sites: the words that tell one genre from the mean of others.

    Of all words that stand often enough nearest sites tell next to nothing but which is longest.
    """
    genres = sorted({site.genre for site in sites})
    often = {word for site in sites for word, count in site.words.items() if count > OFTEN}
    words_by_frequency = sorted(often)
    has = np.array(
        [[word in site.words for word in words_by_frequency] for site in sites], dtype=np.float64
    )
    labels = np.array([site.genre for site in sites])
    spread = np.array([has[labels == genre].mean(axis=0) for genre in genres])
    words: set[str] = set()
    for index in range(len(genres)):
        lead = spread[index] - np.delete(spread, index, axis=0).mean(axis=0)
        words |= {
            words_by_frequency[place] for place in np.argsort(-lead, kind="stable")[:WORDS_OF_GENRE]
        }
    listed = tuple(sorted(words))
    rows = [[site.words[word] for word in listed] for site in sites]
    counts = np.minimum(np.array(rows, dtype=np.int64), 65535).astype(np.uint16)
    return GenreSites(listed, tuple(labels.tolist()), counts)


def report(sites: GenreSites, tested: Sequence[Site]) -> str:
    """How many sites of each genre, not among those compared with, are classified right."""
    found = Counter((site.genre, sites.genre(" ".join(site.words.elements()))) for site in tested)
    rows = []
    for name in sorted(set(sites.genres)):
        total = sum(count for (genre, _), count in found.items() if genre == name)
        rows.append((name, str(sites.genres.count(name)), str(total), str(found[name, name])))
    return aligned(("genre", "sites", "tested", "right"), rows, 1) + "\n"


def save(sites: GenreSites, out: Path) -> None:
    """Write words, genres and counts; no text and no address."""
    out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        out / "sites.npz",
        words=np.array(sites.words),
        genres=np.array(sites.genres),
        counts=sites.counts,
    )


def train(request: TrainRequest) -> str:
    """Write the sites of ``request.out``; a table of those that test them."""
    compared, tested = classified(sites_of(request.packages))
    sites = trained(compared)
    save(sites, request.out)
    return report(sites, tested).removesuffix("\n")
