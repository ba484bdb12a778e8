"""What extractors cost: CPU from bytes to spans or HTML beside a bare parse, and its growth."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from winnow.article import extract
from winnow.document.document import Document
from winnow.document.render.renderers import renderer_for
from winnow.document.values import Page, Recipe
from winnow.extractors.extractor_protocol import Extractor

BARE = "bare parse"
LIBRARY = "winnow.extract(...).html"
ADDRESS = "http://example.org/a/b.html"
_CALLS = (2, 4)  # of a method, of the bare parse
Work = Callable[[bytes], object]


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU of one method over a set of pages.

    ``ratio`` is the sum over pages of the medians over rounds, in bare parses of the same pages;
    ``low`` and ``high`` are the least and greatest such ratio of a single round; ``median_ratio``
    is that of the page in the middle.
    """

    method: str
    milliseconds: float
    ratio: float
    low: float
    high: float
    median_ratio: float


@dataclass(frozen=True, slots=True)
class Growth:
    """CPU of one method at several sizes: microseconds per kB, and e of time ~ size ** e."""

    method: str
    per_kilobyte: tuple[float, ...]
    exponent: float


def works(extractors: Mapping[str, Extractor]) -> dict[str, Work]:
    """What is timed: the bare parse first, then each method from bytes to spans, and the default
    one to a reader's page and as the library's call too."""
    timed: dict[str, Work] = {BARE: LexborHTMLParser}
    timed |= {name: _whole(made) for name, made in extractors.items()}
    shown = Recipe().extractor
    if shown in extractors:
        timed[f"{shown} to HTML"] = _shown(extractors[shown])
        timed[LIBRARY] = lambda body: extract(body, ADDRESS).html
    return timed


def costs(pages: Sequence[bytes], timed: Mapping[str, Work], rounds: int) -> Iterator[Cost]:
    """Time every method on every page in turn, ``rounds`` times over.

    Each figure is the least of two calls in a row, the bare parse's of four, so that neither a
    cold cache nor memory that a neighbour just gave back is on a method's bill, and no ratio is
    flattered.
    """
    seconds = _rounds(pages, timed, rounds)
    bare = seconds[BARE]
    for name, found in seconds.items():
        per_page, bare_per_page = np.median(found, axis=0), np.median(bare, axis=0)
        by_round = found.sum(axis=1) / bare.sum(axis=1)
        yield Cost(
            method=name,
            milliseconds=1000 * float(per_page.mean()),
            ratio=float(per_page.sum() / bare_per_page.sum()),
            low=float(by_round.min()),
            high=float(by_round.max()),
            median_ratio=float(np.median(per_page / bare_per_page)),
        )


def growths(pages: Sequence[bytes], timed: Mapping[str, Work]) -> Iterator[Growth]:
    """Time every method on pages of growing size, the best of repeated calls for each."""
    sizes = [len(page) for page in pages]
    for name, work in timed.items():
        seconds = [_repeated(work, page) for page in pages]
        per_kilobyte = [1e9 * spent / size for spent, size in zip(seconds, sizes, strict=True)]
        yield Growth(name, tuple(per_kilobyte), exponent(sizes, seconds))


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of log time over log size by least squares: 1 is linear."""
    slope, _ = np.polyfit(np.log(sizes), np.log(seconds), 1)
    return float(slope)


def _whole(extractor: Extractor) -> Work:
    return lambda body: extractor.extract(Document.parse(Page(body)))


def _shown(extractor: Extractor) -> Work:
    renderer = renderer_for(Recipe())

    def work(body: bytes) -> object:
        document = Document.parse(Page(body, ADDRESS))
        return renderer.render(document, extractor.extract(document))

    return work


def _rounds(
    pages: Sequence[bytes], timed: Mapping[str, Work], rounds: int
) -> dict[str, np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    seconds = {name: np.zeros((rounds, len(pages))) for name in timed}
    for work in timed.values():
        work(pages[0])  # imports and lazy tables
    names = list(timed)
    for turn in range(rounds):
        gc.collect()
        for number, page in enumerate(pages):
            first = (number + turn) % len(names)  # nobody always follows the same neighbour
            for name in (*names[first:], *names[:first]):
                calls = _CALLS[name == BARE]
                seconds[name][turn, number] = min(_timed(timed[name], page) for _ in range(calls))
    return seconds


def _repeated(work: Work, page: bytes) -> float:
    spent = [_timed(work, page)]
    while sum(spent) < 0.1 and len(spent) < 50:
        spent.append(_timed(work, page))
    return statistics.median(spent)


def _timed(work: Work, page: bytes) -> float:
    start = time.process_time()
    result = work(page)
    spent = time.process_time() - start
    del result  # its release is not timed
    return spent
