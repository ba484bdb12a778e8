"""Learning of ``mss-site`` while a proxy serves: rows of keyed hashes, then counts.

A row is one page as keyed hashes of its tokens in order: it is never written to disk.
The counts that several rows give (site_counts) may be stored.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import ClassVar, Final

from winnow.document.document import Document
from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors.explanation import BlockReason, explanation
from winnow.extractors.extractor_protocol import Extractor
from winnow.extractors.mss.bootstrap import BootstrapSettings, bootstrap
from winnow.extractors.mss.mss_site import MssSite, unlabelled_pages
from winnow.extractors.mss.site_counts import BITS, SiteCounts, order_of
from winnow.extractors.mss.site_rows import SiteMemory, SiteTrace

_SIZE: Final = struct.Struct("<H")


class SiteLearner:
    """The learner of ``mss-site``: its memory is the counts of the most, then the latest pages."""

    name: ClassVar[str] = MssSite.method
    methods: ClassVar[tuple[str, ...]] = (MssSite.method,)

    def observe(self, document: Document, extractor: Extractor, key: bytes, day: int) -> bytes:
        """Nothing: a page alone has no counts. See ``row``."""
        del document, extractor, key, day
        return b""

    def row(self, document: Document, extractor: Extractor, key: bytes) -> bytes:
        """The page as keyed hashes in order, and how sure the supervised model is of each."""
        site = _own(extractor)
        settings = json.dumps(asdict(site.settings)).encode()
        memory = SiteMemory((site.trace(document, key),))
        return _SIZE.pack(len(settings)) + settings + memory.as_bytes()

    def learn(self, rows: Sequence[bytes], now: int) -> bytes:
        """The counts of rows of one site, oldest first, at the second ``now``; b"" if none.

        The settings are those of the latest. Raises ValueError for bytes that are no row.
        """
        settings, found = BootstrapSettings(), dict[bytes, SiteTrace]()
        for row in rows:
            settings, trace = _read(row)
            found[trace.digest] = trace
        model = bootstrap(unlabelled_pages(found.values()), settings) if found else None
        return SiteCounts(len(found), now, model).as_bytes() if model else b""

    def merge(self, left: bytes, right: bytes) -> bytes:
        """The one of more pages, or of as many and newer. Raises ValueError."""
        memories = [memory for memory in (left, right) if memory]
        return max(memories, key=lambda memory: (order_of(memory), memory), default=b"")

    def pages(self, memory: bytes) -> int:
        """How many pages it was learned from. Raises ValueError."""
        return order_of(memory)[0] if memory else 0

    def extract(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> Extraction:
        """As mss-site with the site's counts; with those of too few pages as mss.

        Raises ValueError for bytes that are no counts.
        """
        counts = _enough(memory, knowledge)
        if counts is None:
            return extractor.extract(document)
        site = _own(extractor)
        scored = site.site_scores(document, counts.model, knowledge.key, BITS)
        return site.extraction(document, *scored)

    def explain(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> tuple[BlockReason, ...]:
        """The reasons for ``extract``. Raises ValueError as it does."""
        counts = _enough(memory, knowledge)
        if counts is None:
            return explanation(extractor, document)
        site = _own(extractor)
        return site.reasons(
            document, *site.site_scores(document, counts.model, knowledge.key, BITS)
        )


LEARNER: Final = SiteLearner()


def _own(extractor: Extractor) -> MssSite:
    if not isinstance(extractor, MssSite):
        raise TypeError(f"{extractor.name} does not learn from rows")
    return extractor


def _enough(memory: bytes, knowledge: SiteKnowledge) -> SiteCounts | None:
    """The counts in a memory, if they are of enough pages."""
    counts = _counts(memory)
    return counts if counts and counts.pages >= knowledge.pages else None


def _read(row: bytes) -> tuple[BootstrapSettings, SiteTrace]:
    try:
        (size,) = _SIZE.unpack_from(row)
        settings = BootstrapSettings(**json.loads(row[_SIZE.size : _SIZE.size + size]))
        (trace,) = SiteMemory.from_bytes(row[_SIZE.size + size :]).traces
    except (struct.error, TypeError, ValueError) as error:
        raise ValueError("these bytes are no row of a page") from error
    return settings, trace


@lru_cache(maxsize=16)
def _counts(memory: bytes) -> SiteCounts | None:
    """The counts in a memory, cached for the site's next page."""
    return SiteCounts.from_bytes(memory) if memory else None
