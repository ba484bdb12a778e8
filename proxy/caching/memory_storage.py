"""Bounded mappings: values by size, and stored responses in memory, the nearest ResponseStorage."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, Protocol, TypeVar

from winnow.proxy.caching.cache_entry import CacheEntry

OVERHEAD: Final = 400
"""Bytes that an item takes besides its key and its value, roughly."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SizedCache(Generic[K, V]):
    """Least recently used items go first. ``limit``: bytes of all; the caller knows each size."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.size = 0
        """Bytes stored now."""
        self.evicted = 0
        """Items that went for want of room."""
        self._items: OrderedDict[K, tuple[int, V]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: K) -> V | None:
        item = self._items.get(key)
        if item is None:
            return None
        self._items.move_to_end(key)
        return item[1]

    def put(self, key: K, value: V, size: int) -> None:
        """Store a value of ``size`` bytes, its key included; nothing larger than the limit."""
        self.pop(key)
        if size + OVERHEAD <= self.limit:
            self._items[key] = (size + OVERHEAD, value)
            self.size += size + OVERHEAD
            while self.size > self.limit:
                self.pop(next(iter(self._items)))
                self.evicted += 1

    def pop(self, key: K) -> None:
        """Forget a key, if it is there."""
        size, _ = self._items.pop(key, (0, None))
        self.size -= size

    def clear(self) -> None:
        self._items.clear()
        self.size = 0


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
        """Bytes stored now."""
        return self._entries.size

    @property
    def evicted(self) -> int:
        """Keys that went for want of room."""
        return self._entries.evicted

    async def get(self, key: str) -> Entries:
        return self._entries.get(key) or ()

    async def put(self, key: str, entries: Entries) -> None:
        """Store the newest entries of a key that fit; what is too large is not stored."""
        newest = newest_within(entries, self.largest)
        if newest:
            self._entries.put(key, newest, size_of(newest) + len(key))
        else:
            self._entries.pop(key)

    async def delete(self, key: str) -> None:
        self._entries.pop(key)

    async def aclose(self) -> None:
        self._entries.clear()
