"""Keeps what pages taught of their sites: the protocol, and the one in memory.

Memories are bytes that only learners can read; how two become one is injected. Knows how much is
kept and for how long; refuses to know what a memory says.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

Merge = Callable[[bytes, bytes], bytes]
"""Two memories of one site as one; raises ValueError for bytes that are none."""

KEY_SIZE: Final = 32
LARGEST: Final = 64 * 1024
"""Bytes that are kept of one site."""


@dataclass(frozen=True, slots=True)
class SiteStoreBounds:
    """``sites``: the latest that are kept; ``days``: after which a site is forgotten."""

    sites: int = 300
    days: int = 30

    def oldest(self, now: float) -> int:
        """The second before which nothing is kept."""
        return int(now - self.days * 86_400)


class SiteStore(Protocol):
    """What is known of sites, by site. Every method raises ``StoreError``."""

    async def secret(self) -> bytes:
        """The key of all hashes, made when first asked for; the same for all who share it."""
        ...

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        """Merge into what is kept, all or nothing; then forget what is beyond the bounds."""
        ...

    async def stamps(self) -> Mapping[str, int]:
        """The sites that are known; a number changes whenever what is known of one does."""
        ...

    async def recall(self, sites: Collection[str]) -> Mapping[str, bytes]:
        """What is known of these sites, of those of which something is."""
        ...

    async def forget(self, sites: Collection[str]) -> None:
        """Forget these sites."""
        ...

    async def aclose(self) -> None:
        """Let go of files, threads and connections."""
        ...


class MemorySites:
    """A ``SiteStore`` that forgets with the process."""

    def __init__(self, merge: Merge, bounds: SiteStoreBounds | None = None) -> None:
        self._merge, self._bounds = merge, bounds or SiteStoreBounds()
        self._secret = secrets.token_bytes(KEY_SIZE)
        self._known: dict[str, tuple[bytes, int]] = {}
        self._changes = 0

    async def secret(self) -> bytes:
        return self._secret

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        for site, lesson in lessons.items():
            before, _ = self._known.pop(site, (b"", 0))
            self._changes += 1
            self._known[site] = joined(self._merge, before, lesson), self._changes
        for site in list(self._known)[: -self._bounds.sites]:
            del self._known[site]

    async def stamps(self) -> Mapping[str, int]:
        return {site: stamp for site, (_, stamp) in self._known.items()}

    async def recall(self, sites: Collection[str]) -> Mapping[str, bytes]:
        return {site: self._known[site][0] for site in sites if site in self._known}

    async def forget(self, sites: Collection[str]) -> None:
        for site in sites:
            self._known.pop(site, None)

    async def aclose(self) -> None:
        """Nothing is held."""


def joined(merge: Merge, kept: bytes, lesson: bytes) -> bytes:
    """Both as one; what is kept and cannot be read (any longer) gives way to the lesson."""
    try:
        memory = merge(kept, lesson)
    except ValueError:
        memory = merge(b"", lesson)
    return memory if len(memory) <= LARGEST else kept
