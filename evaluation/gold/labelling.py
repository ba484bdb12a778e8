"""Entries of test packages as labelled pages to learn from; what cannot be aligned is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from winnow.document.addresses import parts_of
from winnow.document.document import Document
from winnow.document.values import Page
from winnow.evaluation.gold.alignment import align
from winnow.evaluation.gold.packages import PackageEntry
from winnow.extractors.mss.mss_training import MssExample

ALIGNED: Final = 0.9
"""The share of the gold's words that the best run must hold for the page to be learned from."""


@dataclass(frozen=True, slots=True)
class LabelledEntries:
    """A page and its label; ``example`` is None where less than ALIGNED of the gold was found."""

    entry: PackageEntry
    example: MssExample | None


def labelled(entries: Iterable[PackageEntry]) -> Iterator[LabelledEntries]:
    """Each entry aligned with its gold, one at a time: no page stays in memory."""
    for entry in entries:
        document = Document.parse(Page(entry.body, entry.url))
        found = align(document, entry.gold)
        if found.share < ALIGNED:
            yield LabelledEntries(entry, None)
        else:
            run = found.run
            yield LabelledEntries(entry, MssExample(document, run.start, run.end, source_of(entry)))


def of_types(entries: Iterable[PackageEntry], types: Iterable[str]) -> Iterator[PackageEntry]:
    """The entries of the named page types; those of packages without types all stay."""
    wanted = {"", *types}
    return (entry for entry in entries if (entry.page_type or "") in wanted)


def source_of(entry: PackageEntry) -> str:
    """The site a page is from: by the package, else its host, else the page itself."""
    site = entry.meta.get("site")
    return str(site or parts_of(entry.url or "").netloc or entry.id)


class Digest:
    """A digest of the training set: bodies and gold texts in the order they came."""

    def __init__(self) -> None:
        self._sum = sha256()

    def add(self, entry: PackageEntry) -> None:
        """Add one entry."""
        for part in (entry.id.encode(), entry.body, entry.gold.encode()):
            self._sum.update(len(part).to_bytes(8, "little") + part)

    def __str__(self) -> str:
        return self._sum.hexdigest()[:16]
