"""The store of what was learned of sites: its protocol, bounds and merging.

A memory is bytes that only learners read; the function that merges two is injected.
"""

from __future__ import annotations

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
