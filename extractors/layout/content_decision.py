"""Which blocks of a page are content, given the layout of its site.

Three choices, in this order. What stands at the same path on many pages is static and goes. The
rest is a maximum subsequence (as simple-mss), in which main paths cost no tags, links and static
text count against. But where pages differ too much in their paths for that, or the container of the
site's content holds nearly nothing else, what varies in the container is content as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from winnow.document.document import Document
from winnow.extractors.layout.page_rows import NOWHERE, Ints, PageRows, tags_of
from winnow.extractors.layout.site_layout import (
    LIMITS,
    Container,
    Floats,
    Mask,
    SiteLayout,
    SiteLayoutLimits,
    site_layout,
)
from winnow.extractors.subsequence import maximum_run


class ContentChoice(NamedTuple):
    """Parameters of the choice (docs/layouts.md says how these were chosen).

    ``tag``: what a tag costs in words (Pasternack & Roth 2009, section 6.2.2). ``frame``: what one
    costs before static text: what belongs to the frame does not mark the article's end.
    ``against``: what a static word, or one at a path of links, counts against. ``explained``: where
    main paths explain less of the container than this, the container decides. ``pure``: so does one
    of this purity, ``pure_page``: and, where a page has no container, the page as a whole of this
    one. ``fairly_pure``: and one of this purity of which the run holds less than the share
    ``sparse``.
    """

    tag: float = 3.25
    frame: float = 2.0
    against: float = 0.3
    explained: float = 0.65
    pure: float = 0.98
    pure_page: float = 0.9
    fairly_pure: float = 0.86
    sparse: float = 0.55


CHOICE: Final = ContentChoice()
SAME: Final = 0.4
"""Pages that share so much of what is not common are one page under two addresses."""
EQUAL: Final = 0.99
"""And so are those that share so much of everything."""
ALIKE: Final = 0.6
"""Pages that have this share of a page's shared paths have its layout."""
COMMON: Final = 1 / 3


@dataclass(frozen=True, slots=True, eq=False)
class ContentDecision:
    """Of a page's n blocks: ``is_content``, ``static``, ``main`` (at a path of main text), all
    (n,).

    ``scores``: words less the cost of tags before each, (n,). ``is_run``: whether the run with the
    highest sum was kept, not the container or the page. ``pages``: how many pages the site's layout
    was learned from.
    """

    is_content: Mask
    static: Mask
    main: Mask
    scores: Floats
    is_run: bool
    pages: int


def other_pages(
    page_rows: PageRows, memory: bytes, limits: SiteLayoutLimits = LIMITS
) -> SiteLayout:
    """What the site's other pages share. Raises ValueError for a broken memory."""
    return site_layout(memory, same_pages(page_rows, site_layout(memory)), limits)


def decide(
    document: Document, page_rows: PageRows, site: SiteLayout, choice: ContentChoice = CHOICE
) -> ContentDecision:
    """Compare a page with the site's other pages."""
    index = site.path_index(page_rows.path)
    static, main = site.static(page_rows.text), site.is_main(index)
    costs, worth = _costs(page_rows, static, main, site.is_links(index), choice)
    costs *= tags_of(document, page_rows)
    costs[:1] = 0.0
    run = _run(costs, worth)
    is_content = _chosen(page_rows, site, run, static, choice)
    is_run = bool((is_content == (run & ~static)).all())
    return ContentDecision(is_content, static, main, worth - costs, is_run, site.n)


def _chosen(
    page_rows: PageRows, site: SiteLayout, run: Mask, static: Mask, choice: ContentChoice
) -> Mask:
    """The run, the container or the page, without what is static."""
    if site.container is None:
        return run & ~static
    whole = _inside(page_rows, site) & ~static
    if whole.any():
        takes_whole = _takes_whole(page_rows, site.container, whole, run, choice)
        return whole if takes_whole else run & ~static
    return ~static if site.container.page_purity >= choice.pure_page else run & ~static


def pages_alike(page_rows: PageRows, site: SiteLayout) -> int:
    """How many other pages of the site have this page's layout: most of its shared paths."""
    ours = np.zeros(len(site.paths), dtype=bool)
    index = site.path_index(page_rows.path)
    ours[index[index >= 0]] = True
    theirs = site.path_occurrences.sums_per_page(ours, site.n)
    return int((theirs >= ALIKE * ours.sum()).sum()) if ours.any() else 0


def same_pages(page_rows: PageRows, site: SiteLayout) -> frozenset[bytes]:
    """Pages of the site that are this one, by address or by what they share."""
    names = {name for name in site.names if name == page_rows.page}
    unusual = site.page_counts(page_rows.text) < np.maximum(COMMON * site.n, 3)
    for counted, share in ((unusual, SAME), (np.ones_like(unusual), EQUAL)):
        weight = np.where(counted, page_rows.weight, 0)
        shared = _shared(page_rows, site, weight)
        alike = np.flatnonzero((shared > 0) & (shared >= share * weight.sum()))
        names |= {site.names[number] for number in alike.tolist()}
    return frozenset(names)


def _shared(page_rows: PageRows, site: SiteLayout, weight: Ints) -> Floats:
    """How much of the page's weight each page of the site has as well; (pages,)."""
    place, worth = site.text_index(page_rows.text), np.zeros(len(site.texts))
    matches = np.flatnonzero(place >= 0)[::-1]  # of equal texts the first counts
    worth[place[matches]] = weight[matches]
    return site.text_occurrences.sums_per_page(worth, site.n)


def _costs(
    page_rows: PageRows, static: Mask, main: Mask, links: Mask, choice: ContentChoice
) -> tuple[Floats, Floats]:
    """What a tag before each block costs, and what the block's words are worth."""
    worth: Floats = np.where(static | links, -choice.against, 1.0) * page_rows.words
    costs: Floats = np.where(main & ~static, 0.0, np.where(static, choice.frame, choice.tag))
    return costs, worth


def _run(costs: Floats, worth: Floats) -> Mask:
    """The best run of words against tags, as a mask of blocks."""
    found = maximum_run(costs + np.maximum(-worth, 0), np.maximum(worth, 0))
    is_content = np.zeros(len(worth), dtype=bool)
    is_content[found.start : found.end] = True
    return is_content


def _inside(page_rows: PageRows, site: SiteLayout) -> Mask:
    """Which blocks stand in the container of the site's content; none: this page lacks it."""
    inside = np.zeros(len(page_rows.index), dtype=bool)
    if site.container is None or site.container.key is None:
        return inside
    at: Ints = page_rows.container
    while (at >= 0).any():
        inside |= (at >= 0) & (page_rows.keys[at] == site.container.key)
        at = np.where(at >= 0, page_rows.outer[at], NOWHERE)
    return inside


def _takes_whole(
    page_rows: PageRows, container: Container, whole: Mask, run: Mask, choice: ContentChoice
) -> bool:
    """Whether what varies in the container, ``whole``, is a better answer than the run."""
    if container.explained < choice.explained or container.purity >= choice.pure:
        return True
    every, got = float(page_rows.plain[whole].sum()), float(page_rows.plain[whole & run].sum())
    return container.purity >= choice.fairly_pure and got < choice.sparse * every
