"""``mss-site``: scores learned from a site's own unlabelled pages (section 6.2.4, 7.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np

from winnow.document.document import Document
from winnow.document.values import Extraction
from winnow.extractors.explanation import BlockReason
from winnow.extractors.mss.bootstrap import BootstrapSettings, SiteModel, UnlabelledPage, bootstrap
from winnow.extractors.mss.mss_extractors import Mss
from winnow.extractors.mss.mss_model import MssModel, load_model
from winnow.extractors.mss.mss_training import COUNTS, plain_model
from winnow.extractors.mss.site_rows import SiteMemory, SiteTrace, keyed_hashes
from winnow.extractors.mss.stems import Hashes
from winnow.extractors.mss.token_features import trigrams
from winnow.extractors.parameters import Range, parameter
from winnow.extractors.subsequence import Scores

WHOLE: Final = 64
"""Bits of a hash."""


@dataclass(frozen=True)
class MssSite(Mss):
    """As mss; with a memory of other pages of the site, by scores learned from these.

    ``window``, ``reach``, ``boost``, ``share``, ``rounds``, ``agreement``: see BootstrapSettings.
    ``pages``: how many of a site's pages a memory holds at most; ``least``: with fewer it is plain
    mss. ``key``: the installation's secret, in no name and no fingerprint. ``paper``: as published
    (BootstrapSettings); the supervised scores too where ``model`` has its counts beside it.
    """

    window: int = parameter(10, Range(0, 100_000))
    reach: int = parameter(64, Range(0, 100_000))
    boost: float = parameter(24.0, Range(0, 10_000))
    share: float = parameter(0.6, Range(0, 1))
    rounds: int = parameter(10, Range(0, 100))
    agreement: float = parameter(0.8, Range(0, 1))
    pages: int = parameter(50, Range(1, 10_000))
    least: int = parameter(5, Range(1, 10_000))
    key: str = ""
    method: ClassVar[str] = "mss-site"
    main_parameter: ClassVar[str] = "pages"
    needs: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({})

    @property
    def name(self) -> str:
        """The specification without the key."""
        return super().name if not self.key else replace(self, key="").name

    @property
    def fingerprint(self) -> str:
        """As for mss; the key is represented by a digest."""
        if not self.key:
            return super().fingerprint
        return (
            f"{replace(self, key='').fingerprint}+{blake2b(self._key, digest_size=4).hexdigest()}"
        )

    def observe(self, document: Document, seen: int = 0) -> SiteMemory:
        """A memory of one page. ``seen``: when, in any unit that grows; the latest are stored."""
        return SiteMemory((self.trace(document, self._key, seen),))

    def trace(self, document: Document, key: bytes, seen: int = 0) -> SiteTrace:
        """The stored trace of one page; ``key``: the secret of its hashes."""
        found = self.features(document)
        p = self.probabilities(found).astype(np.float16)
        return SiteTrace.of(keyed_hashes(found.unigrams, key), p, seen)

    def merge(self, left: SiteMemory, right: SiteMemory) -> SiteMemory:
        """Both memories as one: associative, commutative, a page counts once."""
        return left.merged(right, self.pages)

    def extract(self, document: Document, memory: SiteMemory | None = None) -> Extraction:
        """Label the best run, with the memory of the site; without one, as mss does."""
        model = self._site_model(memory)
        if model is None:
            return super().extract(document)
        return self.extraction(document, *self.site_scores(document, model, self._key))

    def explain(
        self, document: Document, memory: SiteMemory | None = None
    ) -> tuple[BlockReason, ...]:
        """The sum of the scores of each block's tokens, with the memory of the site."""
        model = self._site_model(memory)
        if model is None:
            return super().explain(document)
        return self.reasons(document, *self.site_scores(document, model, self._key))

    def site_scores(
        self, document: Document, model: SiteModel, key: bytes, bits: int = WHOLE
    ) -> tuple[Scores, Scores]:
        """P(in) and scores by a site's model, whose hashes are the first ``bits`` of ours."""
        if self.paper and not model.neutral:  # counts that a proxy stored
            model = SiteModel.of(model.trigram_counts, self.settings, model.rounds)
        found = self.features(document)
        tokens = truncated(trigrams(keyed_hashes(found.unigrams, key)), bits)
        p, scores = model.predict(UnlabelledPage(tokens, self.probabilities(found)))
        return p, scores + self.bias

    def trained(self) -> MssModel:
        """The model in use."""
        has_counts = self.paper and self.model and (Path(self.model) / COUNTS).exists()
        return plain_model(self.model) if has_counts else load_model(self.model)

    def _site_model(self, memory: SiteMemory | None) -> SiteModel | None:
        if memory is None or len(memory) < self.least:
            return None
        return _site_model(memory, self.settings)

    @property
    def _key(self) -> bytes:
        return blake2b(self.key.encode()).digest()

    @property
    def settings(self) -> BootstrapSettings:
        """What the paper calls w, d, c, share and rounds; and the agreement."""
        return BootstrapSettings(
            self.window,
            self.reach,
            self.boost,
            self.share,
            self.rounds,
            self.agreement,
            self.paper,
        )


def unlabelled_pages(traces: Iterable[SiteTrace]) -> list[UnlabelledPage]:
    """Traces as pages to learn from."""
    return [UnlabelledPage(trigrams(trace.tokens), trace.p.astype(np.float64)) for trace in traces]


def truncated(hashes: Hashes, bits: int) -> Hashes:
    """The first bits of hashes, which stay in order."""
    return hashes >> np.uint64(WHOLE - bits)


@lru_cache(maxsize=16)
def _site_model(memory: SiteMemory, settings: BootstrapSettings) -> SiteModel | None:
    """The model of a memory, cached for the site's next page."""
    return bootstrap(unlabelled_pages(memory.traces), settings)
