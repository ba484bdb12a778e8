"""Invalidation across processes: a key deleted in one is deleted in all."""

from __future__ import annotations

from winnow.proxy.caching.memory_storage import Entries, ResponseStorage
from winnow.proxy.stores.notify import Notify, notify_nobody


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
