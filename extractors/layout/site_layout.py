"""The layout of a site: which paths vary, which texts are static, where content stands.

Computed from a memory (Webstemmer, steps 4 and 5), not from the page to be extracted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from winnow.extractors.layout.hashing import Hashes
from winnow.extractors.layout.layout_memory import LayoutRows, rows
from winnow.extractors.layout.page_rows import NOWHERE, Ints

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

TWICE: Final = 2


class SiteLayoutLimits(NamedTuple):
    """Thresholds (docs/layouts.md says how these were chosen).

    ``varies``: DiffScore of a path that varies (Webstemmer's -T). ``main``: MainScore of main text
    (Webstemmer's -M has 50 letters; these are characters, and a path's text is that of the whole
    page). ``plain``: the share outside links below which a path is of links. ``static``: the share
    of pages with the same text at the same path from which it is static. ``often``: the share of
    pages that have the container of the site's content. ``times``: how often on a page it may
    stand: what stands oftener is an item, not a container.
    """

    varies: float = 0.5
    main: float = 100.0
    plain: float = 0.5
    static: float = 0.3
    often: float = 0.5
    times: float = 2.5


LIMITS: Final = SiteLayoutLimits()


@dataclass(frozen=True, slots=True)
class Container:
    """Where a site's content stands. ``key``: its hash; None: the page as a whole.

    ``purity``: how much of what stands there varies and is outside links. ``explained``: how much
    of it stands at paths that are main. ``page_purity``: the purity of pages as a whole, for those
    that have no such container.
    """

    key: int | None
    purity: float
    explained: float
    page_purity: float


class Occurrences(NamedTuple):
    """Which things stand on which pages, each pair once: two arrays of one shape."""

    page: Ints
    thing: Ints

    def sums_per_page(self, worth: npt.NDArray[np.generic], pages: int) -> Floats:
        """The sum of what each page's things are worth; (pages,)."""
        return np.bincount(self.page, worth[self.thing], pages).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class SiteLayout:
    """What ``n`` pages of a site share; ``names``: theirs.

    ``paths`` (sorted) with ``varies`` (DiffScore), ``main`` (MainScore), ``plain`` (share outside
    links) and ``pages`` (that have it), all (k,). ``texts`` (sorted) with ``text_pages``: on how
    many pages each stands, both (t,). ``cuts``: the largest stored hash of each page, (n,).
    ``path_occurrences``, ``text_occurrences``: which of both stand on which pages. ``limits``: the
    thresholds.
    """

    n: int
    names: tuple[bytes, ...]
    cuts: Ints
    paths: Hashes
    varies: Floats
    main: Floats
    plain: Floats
    pages: Ints
    texts: Hashes
    text_pages: Ints
    path_occurrences: Occurrences
    text_occurrences: Occurrences
    limits: SiteLayoutLimits
    container: Container | None

    def path_index(self, paths: Hashes) -> Ints:
        """Where each path stands in ``paths``; -1: it is on fewer than two pages."""
        found = _positions(self.paths, paths)
        common = (found >= 0) & (self.pages[found] >= TWICE) if len(self.paths) else found >= 0
        index: Ints = np.where(common, found, NOWHERE)
        return index

    def page_counts(self, texts: Hashes) -> Ints:
        """On how many pages each text stands."""
        found = self.text_index(texts)
        times: Ints = (
            np.where(found >= 0, self.text_pages[found], 0) if len(self.texts) else 0 * found
        )
        return times

    def text_index(self, texts: Hashes) -> Ints:
        """Where each text stands in ``texts``; -1: nowhere."""
        return _positions(self.texts, texts)

    def comparable_pages(self, texts: Hashes) -> Ints:
        """On how many pages each text would be stored if it stood there (bottom-k)."""
        pages: Ints = (texts[:, None] <= self.cuts[None, :]).sum(axis=1)
        return pages

    def static(self, texts: Hashes) -> Mask:
        """Which texts are the same on enough pages."""
        counts, share = self.page_counts(texts), self.limits.static
        found: Mask = (counts >= TWICE) & (counts >= share * self.comparable_pages(texts))
        return found

    def is_main(self, index: Ints) -> Mask:
        """Which paths (as ``path_index`` gives them) are main text."""
        if not len(self.paths):
            return np.zeros(len(index), dtype=bool)
        limits = self.limits
        good = (self.varies >= limits.varies) & (self.main >= limits.main)
        good &= self.plain >= limits.plain
        return (index >= 0) & good[index]

    def is_links(self, index: Ints) -> Mask:
        """Which paths are of links."""
        if not len(self.paths):
            return np.zeros(len(index), dtype=bool)
        return (index >= 0) & (self.plain < self.limits.plain)[index]


@lru_cache(maxsize=8)
def site_layout(
    memory: bytes, without: frozenset[bytes] = frozenset(), limits: SiteLayoutLimits = LIMITS
) -> SiteLayout:
    """The layout of a memory's pages without some. Raises ValueError."""
    return _layout(rows(memory, without), limits)


def _layout(found: LayoutRows, limits: SiteLayoutLimits) -> SiteLayout:
    distinct = _distinct(found)
    page, path = found.page[distinct], found.path[distinct]
    texts, text_of = np.unique(found.text[distinct], return_inverse=True)
    paths, path_of = np.unique(path, return_inverse=True)
    text_pages = np.bincount(text_of, minlength=len(texts)).astype(np.int64)
    path_occurrences = _occurrences(path_of, page, len(found.names))
    pages = np.bincount(path_occurrences.thing, minlength=len(paths)).astype(np.int64)
    varies = _difference(path_of, found.weight[distinct], text_pages[text_of], pages)
    weight, plain = _sums(found, paths)
    bare = SiteLayout(
        len(found.names),
        found.names,
        found.cut,
        paths,
        varies,
        varies * plain / np.maximum(pages, 1),
        plain / np.maximum(weight, 1),
        pages,
        texts,
        text_pages,
        path_occurrences,
        Occurrences(page, text_of.astype(np.int64)),
        limits,
        None,
    )
    return _with_container(bare, found)


def _distinct(found: LayoutRows) -> Ints:
    """The rows, each text of a page once."""
    both = found.text.astype(np.uint64) | (found.page.astype(np.uint64) << np.uint64(32))
    _, first = np.unique(both, return_index=True)
    return first.astype(np.int64)


def _occurrences(thing: Ints, page: Ints, pages: int) -> Occurrences:
    """Which things stand on which pages, however often."""
    both = np.unique(thing.astype(np.int64) * max(pages, 1) + page)
    return Occurrences(both % max(pages, 1), both // max(pages, 1))


def _difference(path_of: Ints, weight: Ints, text_pages: Ints, pages: Ints) -> Floats:
    """DiffScore: of all pairs of pages with a path, the weight that the two do not share.

    A text on m of n pages is shared in m - 1 of the n - 1 pairs that each of its pages is in, so
    that the sum over pairs is one over texts. A path on one page alone varies.
    """
    every = np.bincount(path_of, weight, len(pages)) * (pages - 1)
    shared = np.bincount(path_of, weight * (text_pages - 1), len(pages))
    score: Floats = np.where(every > 0, 1 - shared / np.maximum(every, 1), (pages == 1) * 1.0)
    return score


def _sums(found: LayoutRows, paths: Hashes) -> tuple[Floats, Floats]:
    """The weight of each path on all pages, all and outside links; extrapolated where blocks were
    left out."""
    place, share = np.searchsorted(paths, found.path), found.share[found.page]
    return (
        np.bincount(place, found.weight / share, len(paths)).astype(np.float64),
        np.bincount(place, found.plain / share, len(paths)).astype(np.float64),
    )


def _with_container(site: SiteLayout, found: LayoutRows) -> SiteLayout:
    """The site with the container whose content varies most for what else stands in it."""
    static = site.static(found.text)
    varying = np.where(static, 0, found.plain) / found.share[found.page]
    other = found.weight / found.share[found.page] - varying
    gains, costs = _inside(found, varying), _inside(found, other)
    keys, key_of = np.unique(found.keys, return_inverse=True)
    gain, cost = (np.bincount(key_of, values, len(keys)) for values in (gains, costs))
    occurrences = _occurrences(key_of, found.owner, site.n)
    pages = np.bincount(occurrences.thing, minlength=len(keys))
    times = np.bincount(key_of, minlength=len(keys))
    fits = (pages >= max(TWICE, site.limits.often * site.n)) & (times <= site.limits.times * pages)
    score = np.where(fits, gain - cost, -np.inf)
    key: int | None = None
    good, bad = float(varying.sum()), float(other.sum())
    page_purity = good / max(good + bad, 1)
    inside = np.ones(len(found.page), dtype=bool)
    if len(keys) and score.max() >= good - bad:
        best = int(np.argmax(score))
        key, good, bad = int(keys[best]), float(gain[best]), float(cost[best])
        inside = _within(found, key)
    explained = _explained(site, found, inside & ~static)
    container = Container(key, good / max(good + bad, 1), explained, page_purity)
    return replace(site, container=container if site.n >= TWICE else None)


def _inside(found: LayoutRows, values: Floats) -> Floats:
    """The sum of the blocks' values in each container, inner containers included."""
    total = np.zeros(len(found.keys))
    at = found.container
    while (is_inside := at >= 0).any():
        at, values = at[is_inside], values[is_inside]
        np.add.at(total, at, values)
        at = found.outer[at]
    return total


def _within(found: LayoutRows, key: int) -> Mask:
    """Which blocks stand in a container of that key."""
    inside = np.zeros(len(found.page), dtype=bool)
    at = found.container
    while (at >= 0).any():
        inside |= (at >= 0) & (found.keys[at] == key)
        at = np.where(at >= 0, found.outer[at], NOWHERE)
    return inside


def _explained(site: SiteLayout, found: LayoutRows, chosen: Mask) -> float:
    """The mean share, page by page, of chosen text at main paths that other pages have as well."""
    index = site.path_index(found.path)
    shared = (index >= 0) & (site.pages[index] > min(TWICE, site.n - 1))
    main = site.is_main(index) & shared & chosen
    every = np.bincount(found.page, found.weight * chosen, site.n)
    main_weight = np.bincount(found.page, found.weight * main, site.n)
    return float((main_weight / np.maximum(every, 1)).mean()) if site.n else 0.0


def _positions(ordered: Hashes, wanted: Hashes) -> Ints:
    """Where each stands in a sorted array; -1 where it does not."""
    if not len(ordered):
        return np.full(len(wanted), NOWHERE, dtype=np.int64)
    found = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    places: Ints = np.where(ordered[found] == wanted, found, NOWHERE)
    return places
