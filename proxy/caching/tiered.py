"""Storages of storages: near and far tiers, a circuit breaker, invalidation across processes."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeVar

from winnow.proxy.caching.cache_entry import StorageError
from winnow.proxy.caching.memory_storage import Entries, ResponseStorage
from winnow.proxy.stores.notices import Notify, notify_nobody

_LOG = logging.getLogger("winnow.cache")
T = TypeVar("T")


class CircuitBreaker:
    """Closed, attempts go through; open, for ``rest`` seconds after a failure, there are none.

    ``patience``: seconds until an attempt counts as failed.
    """

    def __init__(
        self, patience: float, rest: float = 5.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.patience = patience
        self._rest, self._clock = rest, clock
        self._open_until = -1.0

    @property
    def is_open(self) -> bool:
        """Whether an attempt failed less than ``rest`` seconds ago."""
        return self._clock() < self._open_until

    async def attempt(self, work: Callable[[], Awaitable[T]]) -> T | None:
        """The result of ``work``; None where it raises StorageError, times out or is not tried."""
        if self.is_open:
            return None
        try:
            async with asyncio.timeout(self.patience):
                return await work()
        except (StorageError, TimeoutError) as error:
            if not self.is_open:  # of many that fail at once, one is logged
                _LOG.warning("%s; it is not used for %g s.", _message(error), self._rest)
            self._open_until = self._clock() + self._rest
            return None


def _message(error: Exception) -> str:
    return str(error).rstrip(".") or "A storage of the cache is too slow"


MAX_PENDING_DELETES: Final = 10_000
"""Keys whose deletion is still to be done; of more the oldest are dropped."""


class TieredStorage:
    """``near`` is read first and gets what only ``far`` had; changes go to both."""

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

    It is then not used for ``rest`` seconds. A key that could not be changed meanwhile is not read
    before it is deleted.
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
        """Whether it failed less than ``rest`` seconds ago."""
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


class Invalidation:
    """A storage that awaits ``notify`` with each deleted key.

    ``near``: the part of ``storage`` in this process, from which keys of notifications go.
    """

    def __init__(
        self, storage: ResponseStorage, near: ResponseStorage, notify: Notify = notify_nobody
    ) -> None:
        self.storage, self.near, self.notify = storage, near, notify

    async def get(self, key: str) -> Entries:
        return await self.storage.get(key)

    async def put(self, key: str, entries: Entries) -> None:
        await self.storage.put(key, entries)

    async def delete(self, key: str) -> None:
        await self.storage.delete(key)
        await self.notify(key)

    async def on_notify(self, key: str) -> None:
        """Another process deleted a key."""
        await self.near.delete(key)

    async def aclose(self) -> None:
        await self.storage.aclose()
