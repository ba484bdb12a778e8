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

from document.document import Document
from extractors.layout.memory import Rows, rows
from extractors.layout.sight import NOWHERE, Ints, Sight, tags_of
from extractors.layout.site import TWICE, Container, Floats, Mask, SiteLayout, site_layout
from extractors.subsequence import maximum_run

TAG: Final = 3.25
"""What a tag costs in words (Pasternack & Roth 2009, section 6.2.2)."""
FRAME: Final = 2.0
"""What a tag costs before static text: what belongs to the frame says nothing of an end."""
AGAINST: Final = 0.3
"""What a static word, or one at a path of links, counts against."""
EXPLAINED: Final = 0.65
"""Where main paths explain less of the container than this, the container decides."""
PURE: Final = 0.98
PURE_PAGE: Final = 0.9
"""So does one of this purity; where a page has no container, the page as a whole of this one."""
FAIRLY_PURE: Final = 0.86
"""And one of this purity of which the run holds less than this share."""
SPARSE: Final = 0.55
SAME: Final = 0.4
"""Pages that share so much of what is not common are one page under two addresses."""
EQUAL: Final = 0.99
"""And so are those that share so much of everything."""
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


def judge(document: Document, sight: Sight, memory: bytes) -> Verdict:
    """What the site's other pages say of this one. Raises ValueError for a broken memory."""
    site = site_layout(memory, same_pages(sight, memory))
    index = site.path_index(sight.path)
    static, main = site.static(sight.text), site.is_main(index)
    links = site.is_links(index)
    run = _run(sight, tags_of(document, sight), static, main, links)
    return Verdict(_chosen(sight, site, run, static), static, main, site.n)


def _chosen(sight: Sight, site: SiteLayout, run: Mask, static: Mask) -> Mask:
    """The run, the container or the page, without what is static."""
    if site.container is None:
        return run & ~static
    whole = _inside(sight, site) & ~static
    if whole.any():
        return whole if _takes_whole(sight, site.container, whole, run) else run & ~static
    return ~static if site.container.page_purity >= PURE_PAGE else run & ~static


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
    every, found = site_layout(memory), rows(memory)
    names = {name for name in found.names if name == sight.page}
    unusual = every.seen_on(sight.text) < np.maximum(COMMON * every.n, 3)
    for counted, share in ((unusual, SAME), (np.ones_like(unusual), EQUAL)):
        weight = np.where(counted, sight.weight, 0)
        shared = _shared(sight, found, weight)
        alike = np.flatnonzero((shared > 0) & (shared >= share * weight.sum()))
        names |= {found.names[number] for number in alike.tolist()}
    return frozenset(names)


def _shared(sight: Sight, found: Rows, weight: Ints) -> Floats:
    """How much of the page's weight each page of the memory has as well; (pages,)."""
    if not len(sight.text):
        return np.zeros(len(found.names))
    texts, first = np.unique(sight.text, return_index=True)
    place = np.minimum(np.searchsorted(texts, found.text), len(texts) - 1)
    hit = texts[place] == found.text
    pairs = np.unique(np.stack([found.page[hit], place[hit]]), axis=1)
    every = np.bincount(pairs[0], weight[first[pairs[1]]], len(found.names))
    return every.astype(np.float64)


def _run(sight: Sight, tags: Ints, static: Mask, main: Mask, links: Mask) -> Mask:
    """The best run of words against tags, given what is known of each block."""
    worth = np.where(static | links, -AGAINST, 1.0) * sight.words
    costs: Floats = np.where(main & ~static, 0.0, np.where(static, FRAME, TAG)) * tags
    costs[:1] = 0.0
    found = maximum_run(costs + np.maximum(-worth, 0), np.maximum(worth, 0))
    kept = np.zeros(len(sight.index), dtype=bool)
    kept[found.start : found.end] = True
    return kept


def _inside(sight: Sight, site: SiteLayout) -> Mask:
    """Which blocks stand in the container of the site's content; none: this page lacks it."""
    inside = np.zeros(len(sight.index), dtype=bool)
    if site.container is None or site.container.key is None:
        return inside
    at: Ints = sight.container
    while (at >= 0).any():
        inside |= (at >= 0) & (sight.keys[at] == site.container.key)
        at = np.where(at >= 0, sight.outer[at], NOWHERE)
    return inside


def _takes_whole(sight: Sight, container: Container, whole: Mask, run: Mask) -> bool:
    """Whether what varies in the container, ``whole``, is a better answer than the run."""
    if container.explained < EXPLAINED or container.purity >= PURE:
        return True
    every, got = float(sight.plain[whole].sum()), float(sight.plain[whole & run].sum())
    return container.purity >= FAIRLY_PURE and got < SPARSE * every
