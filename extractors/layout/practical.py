"""Which blocks of a page are content, knowing its site. Knows numbers; no markup.

Three choices, in this order. What stands at the same path on many pages is static and goes. The
rest is a maximum subsequence (as simple-mss), in which main paths cost no tags, links and static
text count against. But where pages differ too much in their paths for that, or the container of the
site's content holds nearly nothing else, what varies in the container is content as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from extractors.layout.memory import rows
from extractors.layout.sight import NOWHERE, Ints, Sight
from extractors.layout.site import TWICE, Floats, Mask, SiteLayout, site_layout
from extractors.subsequence import maximum_run

TAG: Final = 3.25
"""What a tag costs in words (Pasternack & Roth 2009, section 6.2.2)."""
AGAINST: Final = 0.3
"""What a static word, or one at a path of links, counts against."""
EXPLAINED: Final = 0.65
"""Where main paths explain less of the container than this, the container decides."""
PURE: Final = 0.98
PURE_PAGE: Final = 0.95
"""So does one of this purity, and the page as a whole where it has no better container."""
FAIRLY_PURE: Final = 0.85
"""And one of this purity of which the run holds less than this share."""
SPARSE: Final = 0.4
SAME: Final = 0.4
"""Pages that share so much of what is not common are one page under two addresses."""
ALIKE: Final = 0.6
"""Pages that share so many of a page's known paths have its layout."""
COMMON: Final = 1 / 3


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """Of a page's n blocks: ``kept``, ``static``, ``main`` (at a path of main text), all (n,).

    ``pages``: how many pages the site's layout was learned from.
    """

    kept: Mask
    static: Mask
    main: Mask
    pages: int


def judge(sight: Sight, memory: bytes) -> Verdict:
    """What the site's other pages say of this one. Raises ValueError for a broken memory."""
    site = site_layout(memory, same_pages(sight, memory))
    index = site.path_index(sight.path)
    static, main = site.static(sight.text), site.is_main(index)
    run = _run(sight, static, main, site.is_links(index), index == NOWHERE)
    whole = _inside(sight, site) & ~static
    kept = whole if _takes_whole(sight, site, whole, run) else run & ~static
    return Verdict(kept, static, main, site.n)


def pages_alike(sight: Sight, memory: bytes) -> int:
    """How many other pages of the memory have this page's layout: most of its known paths."""
    found = rows(memory, same_pages(sight, memory))
    paths, count = np.unique(found.path, return_inverse=True)
    pairs = np.unique(np.stack([found.page, count]), axis=1) if len(paths) else np.zeros((2, 0))
    common = paths[np.bincount(pairs[1].astype(np.int64), minlength=len(paths)) >= TWICE]
    ours = np.intersect1d(np.unique(sight.path), common)
    if not len(ours):
        return 0
    theirs = pairs[0][np.isin(paths[pairs[1].astype(np.int64)], ours)].astype(np.int64)
    return int((np.bincount(theirs) >= ALIKE * len(ours)).sum())


def same_pages(sight: Sight, memory: bytes) -> frozenset[bytes]:
    """Pages of the memory that are this one, by address or by what they share."""
    every = site_layout(memory)
    seen = every.seen_on(sight.text)
    rare = (seen < np.maximum(COMMON * every.n, 3)) & (seen > 0)
    unusual = sight.weight * (seen < np.maximum(COMMON * every.n, 3))
    found = rows(memory)
    names = {name for name in found.names if name == sight.page}
    if rare.any():
        order = np.argsort(sight.text, kind="stable")
        place = np.minimum(np.searchsorted(sight.text, found.text, sorter=order), len(order) - 1)
        match = order[place]
        hit = (sight.text[match] == found.text) & rare[match]
        shared = np.bincount(found.page[hit], sight.weight[match[hit]], every.n)
        alike = np.flatnonzero(shared >= SAME * max(float(unusual.sum()), 1))
        names |= {found.names[number] for number in alike.tolist()}
    return frozenset(names)


def _run(sight: Sight, static: Mask, main: Mask, links: Mask, unknown: Mask) -> Mask:
    """The best run of words against tags, given what is known of each block."""
    worth = np.where(static | (links & ~unknown), -AGAINST, 1.0) * sight.words
    costs: Floats = np.where(main & ~static, 0.0, TAG) * sight.tags
    costs[:1] = 0.0
    found = maximum_run(costs + np.maximum(-worth, 0), np.maximum(worth, 0))
    kept = np.zeros(len(sight.index), dtype=bool)
    kept[found.start : found.end] = True
    return kept


def _inside(sight: Sight, site: SiteLayout) -> Mask:
    """Which blocks stand in the container of the site's content."""
    inside = np.zeros(len(sight.index), dtype=bool)
    if site.container is None:
        return inside
    if site.container.key is None:
        return ~inside
    at: Ints = sight.container
    while (at >= 0).any():
        inside |= (at >= 0) & (sight.keys[at] == site.container.key)
        at = np.where(at >= 0, sight.outer[at], NOWHERE)
    return inside


def _takes_whole(sight: Sight, site: SiteLayout, whole: Mask, run: Mask) -> bool:
    """Whether the container as a whole is a better answer than the run."""
    if site.container is None or site.n < TWICE or not whole.any():
        return False
    pure = PURE_PAGE if site.container.key is None else PURE
    if site.container.explained < EXPLAINED or site.container.purity >= pure:
        return True
    every, got = float(sight.plain[whole].sum()), float(sight.plain[whole & run].sum())
    return site.container.purity >= FAIRLY_PURE and got < SPARSE * every
