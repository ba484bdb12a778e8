"""One page and the whole family: parsed once, extracted by every method, scored by every measure.

What a process needs again (packages, extractors, memories of sites) it keeps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from pathlib import Path
from typing import Final

from winnow.document.document import Document
from winnow.document.values import Extraction, Page
from winnow.evaluation.gold.interpretations import interpretations
from winnow.evaluation.gold.labelling import of_types, source_of
from winnow.evaluation.gold.packages import Package, load
from winnow.evaluation.measuring.measures import Texts, measured
from winnow.evaluation.mss.folds import TYPES, with_model
from winnow.evaluation.subjects.subject import text_of_spans
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.mss.mss_site import MssSite
from winnow.extractors.mss.site_rows import SiteMemory
from winnow.extractors.registry import make

ALONE: Final = (
    *("largest-block", "simple-mss", "mss", "mss:k=3", "mss:shapes=true", "mss:clean=true"),
    *("mss:mrut=false", "mss-hr", "mss-cleaneval", "mss-cleaneval:known=0"),
    "mss-cleaneval:backoff=false,mrut=true,bias=0.14",
)
"""Methods that need no other page."""
SITE, UNSEEN, GENEROUS = "mss-site", "mss-site, page unseen", "mss-site:share=0.8"
METHODS: Final = (*ALONE, SITE, UNSEEN, GENEROUS)
MEASURES: Final = ("word", "sequence", "best", "cleaneval")
ANSWERS: Final = "answers"
"""How many right answers a page has."""
LEAST: Final = MssSite().least
"""A site is learned from more pages than this."""

Values = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Sitting:
    """One page to be scored. ``model``: its folder, "" is the shipped one.

    ``site``: the group of pages that ``mss-site`` learns from, "" where there are too few.
    """

    folder: Path
    page: str
    model: str
    site: str
    key: str


@dataclass(frozen=True, slots=True)
class Sat:
    """What each method made of the page; ``error``: why the page could not be scored."""

    key: str
    values: Mapping[str, Values]
    error: str = ""


def groups(package: Package) -> Mapping[str, list[str]]:
    """The articles of each group by the package's notes, else of each site, if they are enough."""
    found: dict[str, list[str]] = defaultdict(list)
    for entry in of_types(package, TYPES):
        language = entry.meta.get("language") or ""
        found[str(entry.meta.get("group") or f"{language} {source_of(entry)}")].append(entry.id)
    return {name: pages for name, pages in found.items() if len(pages) > LEAST}


def sit(sitting: Sitting) -> Sat:
    """Score a page."""
    entry = load_once(sitting.folder).entry(sitting.page)
    document = Document.parse(Page(entry.body, entry.url))
    golds = interpretations(entry)
    values = {}
    for method, extraction in _extractions(sitting, document):
        texts = Texts(text_of_spans(document.text, extraction), entry.gold, golds)
        values[method] = {**measured(texts, MEASURES), ANSWERS: 1.0 + len(golds)}
    return Sat(sitting.key, values)


def lose(sitting: Sitting, error: str) -> Sat:
    """The page over which a process was lost."""
    return Sat(sitting.key, {}, error)


@lru_cache
def load_once(folder: Path) -> Package:
    """The package in a folder, read once a process."""
    return load(folder)


def _extractions(sitting: Sitting, document: Document) -> Iterator[tuple[str, Extraction]]:
    for method, extractor in _extractors(sitting.model).items():
        yield method, extractor.extract(document)
    if not sitting.site:
        return
    site = MssSite(model=sitting.model)
    memory = _memory(sitting.folder, sitting.model, sitting.site)
    own = site.observe(document).traces[0].digest
    others = SiteMemory(tuple(trace for trace in memory.traces if trace.digest != own))
    yield SITE, site.extract(document, memory)
    yield UNSEEN, site.extract(document, others)
    yield GENEROUS, replace(site, share=0.8).extract(document, memory)


@lru_cache
def _extractors(model: str) -> Mapping[str, Extractor]:
    return {name: make(with_model(name, model)) for name in ALONE}


@lru_cache
def _groups(folder: Path) -> Mapping[str, list[str]]:
    return groups(load_once(folder))


@lru_cache
def _memory(folder: Path, model: str, group: str) -> SiteMemory:
    site = MssSite(model=model)
    entries = map(load_once(folder).entry, _groups(folder)[group])
    documents = (Document.parse(Page(entry.body, entry.url)) for entry in entries)
    return reduce(site.merge, map(site.observe, documents))
