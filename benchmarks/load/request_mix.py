"""The requests of clients: cacheable pages, pages to be extracted, streams."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Final

from benchmarks.load.clients import Wanted

BROWSER: Final = "text/html,*/*;q=0.8"
HIT, EXTRACTION, STREAM = "hit", "extraction", "stream"
SHARES: Final[Mapping[str, float]] = {HIT: 0.7, EXTRACTION: 0.2, STREAM: 0.1}
CACHEABLE_PAGES: Final = 50


def cacheable_pages(pages: int) -> Sequence[Wanted]:
    """The pages that a cache may keep."""
    return [wanted(pages, HIT, number) for number in range(CACHEABLE_PAGES)]


def wanted(pages: int, kind: str, number: int) -> Wanted:
    """One request of a kind to the origin at that port."""
    base = f"http://127.0.0.1:{pages}"
    match kind:
        case "hit":
            return Wanted(kind, f"{base}/kept/{number % CACHEABLE_PAGES}", BROWSER)
        case "extraction":
            return Wanted(kind, f"{base}/story/{number}", BROWSER)
        case _:
            return Wanted(kind, f"{base}/stream")


def mixed(pages: int, shares: Mapping[str, float] = SHARES, seed: int = 1) -> Callable[[], Wanted]:
    """Requests drawn by their shares; no page to be extracted comes twice."""
    drawn, numbers = random.Random(seed), count()  # noqa: S311 - no secret
    kinds, weights = list(shares), list(shares.values())

    def choose() -> Wanted:
        return wanted(pages, drawn.choices(kinds, weights)[0], next(numbers))

    return choose
