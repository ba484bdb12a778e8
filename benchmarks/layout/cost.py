"""What learning costs while a proxy serves: CPU beyond extraction, and bytes.

Half of a site's pages teach; of the others it is timed what ``auto`` takes alone, what a page
teaches, what joining that to the memory takes, and what ``auto`` takes more for knowing the memory.
The least of a few rounds is what counts, since others use the machine too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Final, NamedTuple, TypeVar

from winnow.document.document import Document
from winnow.document.values import Page, SiteKnowledge
from winnow.evaluation.leave_one_out import KEY, by_site
from winnow.evaluation.packages import Package, PackageEntry
from winnow.evaluation.statistic import mean
from winnow.evaluation.tables import aligned
from winnow.extractors.auto.auto_extractor import Auto
from winnow.extractors.layout.layout_learner import LEARNER
from winnow.extractors.site_learners import merged, pack, unpack

ROUNDS: Final = 3
DAY: Final = 20_000
AUTO: Final = Auto()
_Answer = TypeVar("_Answer")


class Cost(NamedTuple):
    """Milliseconds of CPU: ``alone`` and ``knowing`` are auto's, without and with a memory.

    ``size``: bytes of the site's memory with this page.
    """

    alone: float
    lesson: float
    merge: float
    knowing: float
    size: int


def report(packages: Iterable[Package]) -> str:
    """The mean cost of a page, package by package."""
    lines = []
    for package in packages:
        costs = [cost for pages in by_site(package).values() for cost in costs_of(pages)]
        means = [mean([cost[place] for cost in costs]) for place in range(4)]
        parts = (*means[:3], means[3] - means[0])
        largest = max(cost.size for cost in costs)
        cells = (f"{part:.3f}" for part in parts)
        lines.append((package.name, str(len(costs)), *cells, f"{largest:,}"))
    heading = ("ms of CPU a page", "pages", "auto", "lesson", "merging it", "knowing", "most bytes")
    return aligned(heading, lines, 1)


def costs_of(pages: Sequence[PackageEntry]) -> list[Cost]:
    """What each page of the second half of a site costs."""
    learned, tested = pages[: len(pages) // 2], pages[len(pages) // 2 :]
    memory = reduce(merged, (_lesson(_parsed(entry)) for entry in learned), b"")
    return [_least([_cost(entry, memory) for _ in range(ROUNDS)]) for entry in tested]


def _cost(entry: PackageEntry, memory: bytes) -> Cost:
    bare, fresh = _parsed(entry), _parsed(entry)
    alone, _ = _timed(lambda: AUTO.extract(bare))
    lesson, parts = _timed(lambda: _lesson(bare))
    merge, whole = _timed(lambda: merged(memory, parts))
    knowledge, read = SiteKnowledge(memory, KEY), unpack(memory)[LEARNER.name]
    knowing, _ = _timed(lambda: LEARNER.extract(fresh, AUTO, read, knowledge))
    return Cost(alone, lesson, merge, knowing, len(whole))


def _lesson(document: Document) -> bytes:
    return pack({LEARNER.name: LEARNER.observe(document, AUTO, KEY, DAY)})


def _parsed(entry: PackageEntry) -> Document:
    return Document.parse(Page(entry.body, entry.url or f"http://a.example/{entry.id}"))


def _timed(work: Callable[[], _Answer]) -> tuple[float, _Answer]:
    start = time.process_time()
    answer = work()
    return 1000 * (time.process_time() - start), answer


def _least(rounds: Sequence[Cost]) -> Cost:
    return Cost(*(min(found) for found in zip(*rounds, strict=True)))
