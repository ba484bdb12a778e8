"""A storage in one of several processes: what is deleted in one is deleted in all.

Knows who is told; what the others keep is their own.
"""

from __future__ import annotations

from winnow.proxy.caching.memory_storage import Entries, ResponseStorage
from winnow.proxy.stores.notify import Told, nobody_told


class Invalidation:
    """``storage``, and ``told`` is awaited with each key that is deleted.

    ``near`` is the part of it that no other process sees: there the others' keys are deleted.
    """

    def __init__(
        self, storage: ResponseStorage, near: ResponseStorage, told: Told = nobody_told
    ) -> None:
        self.storage, self.near, self.told = storage, near, told

    async def get(self, key: str) -> Entries:
        return await self.storage.get(key)

    async def put(self, key: str, entries: Entries) -> None:
        await self.storage.put(key, entries)

    async def delete(self, key: str) -> None:
        await self.storage.delete(key)
        await self.told(key)

    async def heard(self, key: str) -> None:
        """Another process deleted a key."""
        await self.near.delete(key)

    async def aclose(self) -> None:
        await self.storage.aclose()
