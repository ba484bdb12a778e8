"""Which kinds of memories there are and how some stand together.

While a proxy serves, every extracted page may add to the memory of its site. A *learner* makes the
memory of one page (a lesson), merges memories and extracts with one. A site's memories, one a
learner, are sent and stored as one packet of bytes. A learner is named in ``BUILT_IN``; ``methods``
are the extractors that it serves.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from winnow.document.values import Extraction, SiteKnowledge
from winnow.extractors.extractor_protocol import Extractor

if TYPE_CHECKING:  # who only joins memories needs no parser
    from winnow.document.document import Document
    from winnow.extractors.explanation import BlockReason

LARGEST: Final = 32 * 1024
"""Bytes that one learner's memory of one site may take; of a site there are 64 kB at most."""

BUILT_IN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "layout": "winnow.extractors.layout.layout_learner:LEARNER",
        "mss-site": "winnow.extractors.mss.mss_learner:LEARNER",
    }
)
"""The learners by name; imported when they are first used."""

_HEAD: Final = struct.Struct(">BI")


class Learner(Protocol):
    """One kind of memory. Stateless: everything is in the bytes."""

    @property
    def name(self) -> str:
        """The name of its memories; ASCII, at most 40 letters."""
        ...

    @property
    def methods(self) -> tuple[str, ...]:
        """The extractors, by their name in the registry, that it serves."""
        ...

    def observe(self, document: Document, extractor: Extractor, key: bytes, day: int) -> bytes:
        """The memory of this one page, seen on ``day`` (since 1970). Holds no text of it.

        ``key``: the secret for hashes (BLAKE2b, keyed), so that no word can be looked up in them.
        """
        ...

    def merge(self, left: bytes, right: bytes) -> bytes:
        """Both memories as one, in ``LARGEST`` bytes; associative, commutative, idempotent.

        Raises ValueError for bytes that are no memory of this kind.
        """
        ...

    def pages(self, memory: bytes) -> int:
        """How many pages it remembers. Raises ValueError as merge does."""
        ...

    def extract(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> Extraction:
        """The extraction, given the memory. ``knowledge``: key and fewest pages.

        Raises ValueError for bytes that are no memory of this kind.
        """
        ...

    def explain(
        self, document: Document, extractor: Extractor, memory: bytes, knowledge: SiteKnowledge
    ) -> tuple[BlockReason, ...]:
        """The reasons for ``extract``, one for each of document.blocks. Raises as it does."""
        ...


@runtime_checkable
class RowLearner(Learner, Protocol):
    """A learner that must see several pages at once, as rows that are never written to disk."""

    def row(self, document: Document, extractor: Extractor, key: bytes) -> bytes:
        """The page as keyed hashes of its tokens in their order."""
        ...

    def learn(self, rows: Sequence[bytes], now: int) -> bytes:
        """The memory that rows of one site amount to, oldest first; empty if none.

        ``now``: seconds since 1970. Raises ValueError for bytes that are no row.
        """
        ...


def learner(name: str) -> Learner | None:
    """The learner of a name; None where there is none (any longer)."""
    if name not in BUILT_IN:
        return None
    module, _, attribute = BUILT_IN[name].partition(":")
    found: Learner = getattr(import_module(module), attribute)
    return found


def learner_of(extractor: Extractor) -> Learner | None:
    """The learner that serves an extractor; None for most."""
    method = extractor.name.partition(":")[0]
    found_learner = (learner(name) for name in BUILT_IN)
    return next((found for found in found_learner if found and method in found.methods), None)


def pack(memories: Mapping[str, bytes]) -> bytes:
    """Memories by learner as one packet, the same for the same memories."""
    parts = []
    for name, memory in sorted(memories.items()):
        parts += [_HEAD.pack(len(name), len(memory)), name.encode("ascii"), memory]
    return b"".join(parts)


def unpack(packet: bytes) -> dict[str, bytes]:
    """What ``pack`` packed. Raises ValueError where it did not."""
    found, at = {}, 0
    while at < len(packet):
        try:
            letters, size = _HEAD.unpack_from(packet, at)
        except struct.error as error:
            raise ValueError("these bytes are no memories of a site") from error
        at += _HEAD.size + letters
        if at + size > len(packet):
            raise ValueError("these bytes are no memories of a site")
        found[packet[at - letters : at].decode("ascii")] = packet[at : at + size]
        at += size
    return found


def merged(left: bytes, right: bytes) -> bytes:
    """Two packets of one site as one. Memories of unknown learners are dropped. Raises
    ValueError."""
    ours, theirs = unpack(left), unpack(right)
    joined = {}
    for name in ours.keys() | theirs.keys():
        found_learner = learner(name)
        if found_learner is not None:
            # Also a memory that stands alone is merged, so that none is stored that is too large.
            joined[name] = found_learner.merge(ours.get(name, b""), theirs.get(name, b""))
    return pack({name: memory for name, memory in joined.items() if len(memory) <= LARGEST})


def page_counts(packet: bytes) -> dict[str, int]:
    """How many pages each learner remembers. Raises ValueError."""
    found = ((name, learner(name), memory) for name, memory in unpack(packet).items())
    return {
        name: found_learner.pages(memory)
        for name, found_learner, memory in found
        if found_learner is not None
    }


def learned(packets: Sequence[bytes], now: int) -> bytes:
    """The memories learned from packed rows of one site, oldest first. Raises ValueError for other
    bytes."""
    rows: dict[str, list[bytes]] = {}
    for packet in packets:
        for name, row in unpack(packet).items():
            rows.setdefault(name, []).append(row)
    found_learner = ((name, learner(name), found) for name, found in rows.items())
    made = {
        name: one.learn(found, now)
        for name, one, found in found_learner
        if isinstance(one, RowLearner)
    }
    return pack({name: memory for name, memory in made.items() if memory})
