"""What is learned of layouts while a proxy serves, and who reads it (extractors.learners)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from document.document import Document
from document.values import Extraction, Known
from extractors.layout import memory
from extractors.layout.extractor import Layout
from extractors.layout.files import Learned
from extractors.layout.sight import look
from extractors.protocol import Extractor


@dataclass(frozen=True, slots=True)
class LayoutLearner:
    """The learner of ``layout`` and ``auto``."""

    name: str = "layout"
    methods: tuple[str, ...] = ("layout", "auto")

    def observe(self, document: Document, extractor: Extractor, key: bytes, day: int) -> bytes:
        """The page's blocks as hashes and sizes."""
        sight = look(document, key)
        return memory.trace(sight, day) if len(sight.index) else b""

    def merge(self, left: bytes, right: bytes) -> bytes:
        """The latest pages of both."""
        return memory.merge(left, right)

    def pages(self, known: bytes) -> int:
        """How many pages are remembered."""
        return sum(1 for _ in memory.traces(known))

    def extract(
        self, document: Document, extractor: Extractor, known: bytes, about: Known
    ) -> Extraction:
        """What the extractor says, knowing the site."""
        if isinstance(extractor, Layout) and not extractor.site:
            return extractor.extract_knowing(document, Learned(known, about.key))
        return extractor.extract(document)


LEARNER: Final = LayoutLearner()
