"""Semi-supervised F1 against the number of a site's unlabelled pages (section 7.5: 100 a site).

The pages that are scored, evenly spaced, are among the unlabelled ones from 50 pages on, as in the
paper; of fewer they are others, so that all sizes score the same pages.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Final

from benchmarks.mss.score_table import table
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.labelling import source_of
from winnow.evaluation.leave_one_out import by_site
from winnow.evaluation.measures import word_f1
from winnow.evaluation.mss.folds import Result
from winnow.evaluation.packages import Package, PackageEntry
from winnow.evaluation.progress import watched
from winnow.evaluation.subjects import text_of_spans
from winnow.extractors.mss.mss_site import MssSite
from winnow.extractors.registry import make

SIZES: Final = (5, 10, 25, 50, 100, 0)
"""Unlabelled pages; 0: all."""
MOST: Final = 2_000
METHODS: Final = {
    "ours": MssSite(pages=MOST),
    "paper": MssSite(pages=MOST, paper=True),
}


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """Word F1 by site, of mss and simple-mss and of both forms of mss-site by size."""
    sites = [(package, *site) for package in packages for site in by_site(package).items()]
    results = [
        result
        for _, group, entries in watched(iter(sites), len(sites), "sites")
        for result in _site(group, entries, arguments.scored)
    ]
    return table(results, lambda result: result.package)


def _site(name: str, entries: Sequence[PackageEntry], number: int) -> Iterator[Result]:
    chosen = sorted({round(place) for place in _spaced(len(entries), number)})
    tested = [entries[place] for place in chosen]
    others = [entry for place, entry in enumerate(entries) if place not in set(chosen)]
    documents = [Document.parse(Page(entry.body, entry.url)) for entry in tested]
    for plain in ("simple-mss", "mss"):
        extractor = make(plain)
        for entry, document in zip(tested, documents, strict=True):
            text = text_of_spans(document.text, extractor.extract(document))
            yield Result(name, source_of(entry), plain, word_f1(text, entry.gold))
    ours = METHODS["ours"]  # both see a page alike
    own, rest = (
        [ours.observe(Document.parse(Page(entry.body, entry.url)), seen) for seen, entry in pages]
        for pages in (enumerate(tested), enumerate(others, len(tested)))
    )
    for size in SIZES:
        pages = [*own, *rest] if not size or size > len(own) else rest
        memory = reduce(ours.merge, pages[:size] if size else pages)
        for label, method in METHODS.items():
            for entry, document in zip(tested, documents, strict=True):
                text = text_of_spans(document.text, method.extract(document, memory))
                title = f"{label} {size or 'all'}"
                yield Result(name, source_of(entry), title, word_f1(text, entry.gold))


def _spaced(every: int, number: int) -> Iterator[float]:
    step = max(every / max(number, 1), 1)
    return (place * step for place in range(min(number, every)) if place * step <= every - 1)
