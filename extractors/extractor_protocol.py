"""What an extractor is.

An extractor's life: the registry makes it from a specification (``bte``, ``lqf:0.25``), its
parameters are its fields, its fingerprint names it in cache keys, ``extract`` is called from any
process in any order. It is a pure function: the same document gives the same extraction, the
document is unchanged, and nothing is raised for any document that could be parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from winnow.document.values import Extraction

if TYPE_CHECKING:  # who only names extractors needs no parser
    from winnow.document.document import Document

Memory = TypeVar("Memory")


class Extractor(Protocol):
    """A pure function of a Document (Gottron 2007, section 2)."""

    @property
    def name(self) -> str:
        """The specification that makes this extractor: name and parameters that differ."""
        ...

    @property
    def fingerprint(self) -> str:
        """Name, version, parameters and model digest: half of a rendering's cache key."""
        ...

    def extract(self, document: Document) -> Extraction:
        """Label spans of ``document.text``; what no span covers is garbage."""
        ...


class SiteExtractor(Protocol[Memory]):
    """An extractor that learns from pages of one site; a memory is a mergeable value.

    A memory holds nothing of which a page's text could be made again.
    """

    def observe(self, document: Document) -> Memory:
        """The memory of one page."""
        ...

    def merge(self, left: Memory, right: Memory) -> Memory:
        """Both memories as one: associative and commutative, so that no order of pages matters."""
        ...

    def extract(self, document: Document, memory: Memory | None = None) -> Extraction:
        """Label spans as an Extractor does, better where the memory knows the site."""
        ...
