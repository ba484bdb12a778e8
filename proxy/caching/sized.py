"""A bounded mapping: the values used last, up to a number of bytes that keys and values take."""

from __future__ import annotations

from collections.abc import Hashable
from operator import itemgetter
from typing import Final, Generic, TypeVar

from cachetools import LRUCache

OVERHEAD: Final = 400
"""Bytes that an item takes besides its key and its value, roughly."""

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SizedCache(Generic[K, V]):
    """Least recently used items go first. ``limit``: bytes of all; who puts says an item's size."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._items: LRUCache[K, tuple[int, V]] = LRUCache(limit, getsizeof=itemgetter(0))

    @property
    def size(self) -> int:
        """Bytes kept now."""
        return int(self._items.currsize)

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: K) -> V | None:
        item = self._items.get(key)
        return item[1] if item else None

    def put(self, key: K, value: V, size: int) -> None:
        """Keep a value of ``size`` bytes, its key included; one beyond the limit is not kept."""
        if size + OVERHEAD > self.limit:
            self.pop(key)
        else:
            self._items[key] = (size + OVERHEAD, value)

    def pop(self, key: K) -> None:
        """Forget a key, if it is there."""
        self._items.pop(key, None)

    def clear(self) -> None:
        self._items.clear()
