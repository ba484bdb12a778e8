"""What a reader page weighs, with its style and bar, on pages of test packages.

    python -m tests.page_weight newspaper4k-424

prints the median of the pages that are extracted, in bytes as gzip codes them (level 6): at the
first visit to a site, and at later ones, when the browser has the style sheet; and how many weigh
more than the original's HTML where that has 8 kB or more.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from gzip import compress
from statistics import median
from typing import Final

from winnow.config.appearance import AS_DELIVERED
from winnow.document.values import BAR_MARK, Page, Recipe
from winnow.engine.pipeline import transform
from winnow.evaluation.gold.packages import find, load
from winnow.jobs.quality import QualityLimits
from winnow.proxy.own.templates.in_page.bar import BarView, make_bar
from winnow.proxy.own.templates.in_page.choice_links import ChoiceLinks
from winnow.proxy.own.templates.in_page.page_sheet import SHEET, linked

LEAST: Final = 8_000
"""Bytes of an original that a reader page may not weigh more than."""


@dataclass(frozen=True, slots=True)
class Weight:
    """Bytes; ``page`` and ``sheet`` and ``original`` as gzip codes them."""

    page: int
    sheet: int
    original: int
    plain: int

    @property
    def is_heavier(self) -> bool:
        """Than the original, at the first visit."""
        return self.plain >= LEAST and self.page + self.sheet > self.original


def weight(page: Page, body: bytes) -> Weight:
    """Of a rendering in the proxy, with the bar of who has chosen nothing."""
    url = page.url or ""
    links = ChoiceLinks.of(url, "")
    bar = make_bar(BarView(url, "auto"), links, AS_DELIVERED, linked=True)
    shown = linked(body).replace(BAR_MARK, bar, 1)
    whole, sheet, original = (len(compress(each, 6)) for each in (shown, SHEET, page.body))
    return Weight(whole, sheet, original, len(page.body))


def weights(name: str, pages: int) -> Iterator[Weight]:
    """Of the pages of a package that are shown extracted."""
    quality = QualityLimits()
    entries = tuple(load(find(name)))
    for entry in entries[:: -(-len(entries) // pages)]:
        page = Page(entry.body, entry.url)
        rendered = transform(page, Recipe(), quality)
        if not rendered.poor:
            yield weight(page, rendered.body)


def line(name: str, found: Sequence[Weight]) -> str:
    """The medians of a package, as one line."""
    first = median(each.page + each.sheet for each in found)
    later = median(each.page for each in found)
    large = [each for each in found if each.plain >= LEAST]
    heavier = sum(each.is_heavier for each in large)
    return (
        f"{name}: {len(found)} pages, median {first:,.0f} bytes at the first visit, {later:,.0f} "
        f"later; {heavier} of {len(large)} heavier than their original"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("packages", nargs="+", metavar="PACKAGE")
    parser.add_argument("--pages", type=int, default=100, help="of each package, at most")
    chosen = parser.parse_args()
    for name in chosen.packages:
        sys.stdout.write(line(name, tuple(weights(name, chosen.pages))) + "\n")


if __name__ == "__main__":
    main()
