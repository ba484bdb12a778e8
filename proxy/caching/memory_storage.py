"""Where entries are newest: the seam, and the one in memory. Knows sizes; no rule of HTTP."""

from __future__ import annotations

from typing import Protocol

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.sized import SizedCache

Entries = tuple[CacheEntry, ...]


class ResponseStorage(Protocol):
    """Entries by key. ``get`` of what is not there gives (); a failing storage does so too."""

    async def get(self, key: str) -> Entries: ...

    async def put(self, key: str, entries: Entries) -> None: ...

    async def delete(self, key: str) -> None: ...

    async def aclose(self) -> None: ...


def size_of(entries: Entries) -> int:
    """Bytes that the entries of one key take."""
    return sum(entry.size for entry in entries)


def newest_within(entries: Entries, limit: int) -> Entries:
    """The last of the entries, as many as take ``limit`` bytes at most."""
    while entries and size_of(entries) > limit:
        entries = entries[1:]
    return entries


class MemoryStorage:
    """The entries used last, up to ``limit`` bytes in all; one key may take a quarter of it."""

    def __init__(self, limit: int) -> None:
        self.largest = limit // 4
        self._entries: SizedCache[str, Entries] = SizedCache(limit)

    @property
    def size(self) -> int:
        """Bytes kept now."""
        return self._entries.size

    async def get(self, key: str) -> Entries:
        return self._entries.get(key) or ()

    async def put(self, key: str, entries: Entries) -> None:
        """Keep the newest entries of a key that fit; what is too large is not kept."""
        newest = newest_within(entries, self.largest)
        if newest:
            self._entries.put(key, newest, size_of(newest) + len(key))
        else:
            self._entries.pop(key)

    async def delete(self, key: str) -> None:
        self._entries.pop(key)

    async def aclose(self) -> None:
        self._entries.clear()
