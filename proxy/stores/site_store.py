"""The store of what was learned of sites: its protocol, bounds and merging; and that in memory.

A memory is bytes that only learners read; the function that merges two is injected.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

Merge = Callable[[bytes, bytes], bytes]
"""Two memories of one site as one; raises ValueError for bytes that are none."""

KEY_SIZE: Final = 32
LARGEST: Final = 64 * 1024
"""Bytes of one site's memory at most."""


@dataclass(frozen=True, slots=True)
class SiteStoreBounds:
    """``sites``: stored at most, the latest; ``days``: until a site expires."""

    sites: int = 300
    days: int = 30

    def oldest(self, now: float) -> int:
        """The second (Unix time) before which sites have expired."""
        return int(now - self.days * 86_400)


@dataclass(frozen=True, slots=True)
class SiteNews:
    """Some sites with their numbers, and ``count``, how many there are in all."""

    stamps: Mapping[str, int]
    count: int


class SiteStore(Protocol):
    """Memories by site. Every method raises ``StoreError``."""

    async def secret(self) -> bytes:
        """The key of all hashes, the same for all processes; created at the first call."""
        ...

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        """Merge into the stored memories, all or none; then delete what is beyond the bounds."""
        ...

    async def stamps(self) -> Mapping[str, int]:
        """All sites; a site's number changes whenever its memory does."""
        ...

    async def news(self, since: int) -> SiteNews:
        """At least the sites that changed since the greatest number was ``since``."""
        ...

    async def recall(self, sites: Collection[str]) -> Mapping[str, bytes]:
        """The memories of these sites, as far as there are any."""
        ...

    async def forget(self, sites: Collection[str]) -> None:
        """Forget these sites."""
        ...

    async def aclose(self) -> None:
        """Close files, threads and connections."""
        ...


def joined(merge: Merge, stored: bytes, lesson: bytes) -> bytes:
    """Both merged; a stored memory that cannot be read is replaced by the lesson."""
    try:
        memory = merge(stored, lesson)
    except ValueError:
        memory = merge(b"", lesson)
    return memory if len(memory) <= LARGEST else stored


def differences(
    old: Mapping[str, int], new: Mapping[str, int], known: Mapping[str, object]
) -> tuple[set[str], set[str]]:
    """The sites whose stamp is another or new, and those known that have none."""
    changed = {site for site, stamp in new.items() if old.get(site) != stamp}
    return changed, {site for site in known if site not in new}


class MemorySites:
    """A ``SiteStore`` in memory, of one process: nothing of what was read outlives it."""

    def __init__(self, merge: Merge, bounds: SiteStoreBounds | None = None) -> None:
        self._merge, self._bounds = merge, bounds or SiteStoreBounds()
        self._secret = secrets.token_bytes(KEY_SIZE)
        self._memories: dict[str, tuple[bytes, int]] = {}
        self._used: dict[str, float] = {}
        self._changes = 0

    async def secret(self) -> bytes:
        return self._secret

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        now = time.time()
        for site, lesson in lessons.items():
            before, _ = self._memories.pop(site, (b"", 0))
            self._changes += 1
            self._memories[site] = joined(self._merge, before, lesson), self._changes
            self._used[site] = now
        old = {site for site, used in self._used.items() if used < self._bounds.oldest(now)}
        await self.forget(old.union(list(self._memories)[: -self._bounds.sites]))

    async def stamps(self) -> Mapping[str, int]:
        return {site: stamp for site, (_, stamp) in self._memories.items()}

    async def news(self, since: int) -> SiteNews:
        stamps = await self.stamps()
        late = {site: stamp for site, stamp in stamps.items() if stamp >= since}
        return SiteNews(late, len(stamps))

    async def recall(self, sites: Collection[str]) -> Mapping[str, bytes]:
        return {site: self._memories[site][0] for site in sites if site in self._memories}

    async def forget(self, sites: Collection[str]) -> None:
        for site in sites:
            self._memories.pop(site, None)
            self._used.pop(site, None)

    async def aclose(self) -> None:
        """Nothing is held."""
