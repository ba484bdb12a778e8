"""What a list of ads costs a page: rules of the kinds that real lists hold, made up and seeded."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.packages import Package
from winnow.evaluation.statistic import mean
from winnow.extractors.crunch.ad_list_parser import parse
from winnow.extractors.crunch.ad_matching import AdList, ad_list
from winnow.extractors.crunch.crunch_extractor import Crunch
from winnow.extractors.crunch.filter_input import FilterInput
from winnow.extractors.crunch.filter_state import Filtered
from winnow.extractors.crunch.filters import ads_pass
from winnow.extractors.crunch.page_links import PageLinks

RULES = 100_000
SEED = 2003
_SYLLABLES = (
    "ad ban click serv pop track pix count media cdn zon flux ora net lab mob ix ly".split()
)


def made_up(number: int) -> str:
    """A list: hosts, domains, paths with and without options, exceptions, some expressions."""
    draw = random.Random(SEED)  # noqa: S311  # an experiment is to be repeated, not secret

    def word() -> str:
        return "".join(draw.choices(_SYLLABLES, k=3)) + str(draw.randrange(1000))

    kinds: tuple[Callable[[], str], ...] = (
        lambda: f"0.0.0.0 {word()}.example",
        lambda: f"||{word()}.example^",
        lambda: f"||{word()}.example^$third-party",
        lambda: f"/{word()}/*$script,image",
        lambda: f"-{word()}-",
        lambda: f"@@||{word()}.example/{word()}^",
    )
    weights = (30, 40, 15, 8, 6, 1)
    return "\n".join(kind() for kind in draw.choices(kinds, weights, k=number))


def report(packages: Sequence[Package]) -> str:
    """Seconds to read the list, and milliseconds of CPU that its filter takes of a page."""
    text = made_up(RULES)
    start = time.process_time()
    ads = ad_list(text)
    reading = time.process_time() - start
    costs = sorted(
        _cost(Document.parse(Page(entry.body, entry.url)), ads)
        for package in packages
        for entry in package
    )
    return (
        f"{parse(text).used} rules read in {reading:.2f} s; filter on {len(costs)} pages: "
        f"mean {1000 * mean(costs):.2f} ms, median {1000 * costs[len(costs) // 2]:.2f} ms, "
        f"95 % below {1000 * costs[int(len(costs) * 0.95)]:.2f} ms"
    )


def _cost(document: Document, ads: AdList) -> float:
    options = Crunch(1).options_at(1)
    at = FilterInput(PageLinks(document), options, ads, Filtered.nothing(document))
    start = time.process_time()
    ads_pass(at)
    return time.process_time() - start
