"""Semi-supervised beside supervised, site by site (section 7.5): unlabelled pages teach borders."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Final

from benchmarks.mss.score_table import table
from winnow.document.document import Document
from winnow.document.values import Page, SiteKnowledge
from winnow.evaluation.labelling import source_of
from winnow.evaluation.measures import word_f1
from winnow.evaluation.mss.folds import Result, scored
from winnow.evaluation.mss.page_scores import groups
from winnow.evaluation.packages import Package, PackageEntry
from winnow.evaluation.progress import watched
from winnow.evaluation.subjects import text_of_spans
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.mss.mss_learner import LEARNER
from winnow.extractors.mss.mss_site import MssSite
from winnow.extractors.mss.site_rows import SiteMemory
from winnow.extractors.registry import make

SITE: Final = MssSite()
KEY: Final = b"a secret for these figures"
LEAST: Final = SITE.least
GENEROUS: Final = MssSite(share=0.8)
"""Learns from more of the pages: the paper's 60 % are of 100 pages a site, ours has fewer."""


def report(packages: Sequence[Package], arguments: argparse.Namespace) -> str:
    """Word F1 by site; as in the paper, the pages that are scored are among the unlabelled ones.

    ``mss-site others``: the page itself is not, as in a proxy that sees it for the first time;
    ``mss-site kept``: likewise, with no more than what a proxy stores
    (winnow.extractors.mss.mss_learner).
    """
    del arguments
    plain = {name: make(name) for name in ("simple-mss", "mss")}
    sites = [(package, *site) for package in packages for site in groups(package).items()]
    results = [
        result
        for package, group, pages in watched(iter(sites), len(sites), "sites")
        for result in _group(f"{package.name} {group}", [*map(package.entry, pages)], plain)
    ]
    return table(results, lambda result: result.package)


def _group(
    name: str, entries: Sequence[PackageEntry], plain: Mapping[str, Extractor]
) -> Iterator[Result]:
    rows = [LEARNER.row(Document.parse(Page(each.body, each.url)), SITE, KEY) for each in entries]
    memories = [SITE.observe(Document.parse(Page(entry.body, entry.url))) for entry in entries]
    whole = reduce(SITE.merge, memories)
    for index, entry in enumerate(entries):
        yield from scored(name, entry, plain)
        others = reduce(SITE.merge, (each for at, each in enumerate(memories) if at != index))
        yield _with_memory(name, "mss-site", entry, SITE, whole)
        yield _with_memory(name, "mss-site others", entry, SITE, others)
        yield _kept(name, entry, [row for at, row in enumerate(rows) if at != index])
        yield _with_memory(name, GENEROUS.name, entry, GENEROUS, whole)


def _kept(group: str, entry: PackageEntry, rows: Sequence[bytes]) -> Result:
    document, memory = Document.parse(Page(entry.body, entry.url)), LEARNER.learn(rows, 0)
    found = LEARNER.extract(document, SITE, memory, SiteKnowledge(memory, KEY, pages=LEAST))
    score = word_f1(text_of_spans(document.text, found), entry.gold)
    return Result(group, source_of(entry), "mss-site kept", score)


def _with_memory(
    group: str, label: str, entry: PackageEntry, site: MssSite, memory: SiteMemory
) -> Result:
    document = Document.parse(Page(entry.body, entry.url))
    text = text_of_spans(document.text, site.extract(document, memory))
    return Result(group, source_of(entry), label, word_f1(text, entry.gold))
