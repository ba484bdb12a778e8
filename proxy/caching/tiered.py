"""Storages before storages: a near one before a far one, and a failing one made a miss.

Knows order, patience and what is still owed; no medium.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from winnow.proxy.caching.cache_errors import StorageError
from winnow.proxy.caching.circuit_breaker import CircuitBreaker
from winnow.proxy.caching.memory_storage import Entries, ResponseStorage

MAX_PENDING_DELETES: Final = 10_000
"""Keys that are remembered while they cannot be deleted."""


class TieredStorage:
    """``near`` is asked first and gets what only ``far`` had; both are told of changes."""

    def __init__(self, near: ResponseStorage, far: ResponseStorage) -> None:
        self.near, self.far = near, far

    async def get(self, key: str) -> Entries:
        found = await self.near.get(key)
        if found:
            return found
        found = await self.far.get(key)
        if found:
            await self.near.put(key, found)
        return found

    async def put(self, key: str, entries: Entries) -> None:
        await self.near.put(key, entries)
        await self.far.put(key, entries)

    async def delete(self, key: str) -> None:
        await self.near.delete(key)
        await self.far.delete(key)

    async def aclose(self) -> None:
        await self.near.aclose()
        await self.far.aclose()


class FaultTolerantStorage:
    """A storage that fails, or takes longer than ``patience`` seconds, is an empty one.

    It is then left alone for ``rest`` seconds. What could not be changed meanwhile is owed: it is
    not read before it is deleted.
    """

    def __init__(
        self,
        storage: ResponseStorage,
        patience: float,
        rest: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.storage = storage
        self._breaker = CircuitBreaker(patience, rest, clock)
        self._pending_deletes: dict[str, None] = {}

    async def get(self, key: str) -> Entries:
        if key in self._pending_deletes and not await self._delete_pending(key):
            return ()
        return await self._breaker.attempt(lambda: self.storage.get(key)) or ()

    async def put(self, key: str, entries: Entries) -> None:
        if await self._breaker.attempt(lambda: self._succeeds(self.storage.put(key, entries))):
            self._pending_deletes.pop(key, None)
        else:
            self._mark_pending(key)

    async def delete(self, key: str) -> None:
        self._mark_pending(key)
        await self._delete_pending(key)

    async def aclose(self) -> None:
        with suppress(StorageError, TimeoutError):
            async with asyncio.timeout(self._breaker.patience):
                await self.storage.aclose()

    @property
    def is_open(self) -> bool:
        """Whether it failed lately and is left alone."""
        return self._breaker.is_open

    @property
    def pending_deletes(self) -> int:
        """Keys that are not read before they are deleted."""
        return len(self._pending_deletes)

    def _mark_pending(self, key: str) -> None:
        self._pending_deletes[key] = None
        if len(self._pending_deletes) > MAX_PENDING_DELETES:
            del self._pending_deletes[next(iter(self._pending_deletes))]

    async def _delete_pending(self, key: str) -> bool:
        settled = await self._breaker.attempt(lambda: self._succeeds(self.storage.delete(key)))
        if settled:
            self._pending_deletes.pop(key, None)
        return bool(settled)

    async def _succeeds(self, work: Awaitable[None]) -> bool:
        await work
        return True
