"""A near storage before a far one; a storage that fails, stalls or dies is a miss."""

from __future__ import annotations

import asyncio
import logging

import pytest

from tests.proxy.caching.making import Clock, entry
from winnow.proxy.caching.cache_entry import StorageError
from winnow.proxy.caching.memory_storage import Entries, MemoryStorage
from winnow.proxy.caching.tiered import MAX_PENDING_DELETES, FaultTolerantStorage, TieredStorage

ONE, OTHER = (entry("X: 1"),), (entry("X: 2"),)


class Failing(MemoryStorage):
    """Fails while ``broken``; stalls while ``stalled``; counts what it was asked."""

    def __init__(self) -> None:
        super().__init__(1 << 20)
        self.broken = self.stalled = False
        self.asked = 0

    async def _try(self) -> None:
        self.asked += 1
        if self.stalled:
            await asyncio.Event().wait()
        if self.broken:
            raise StorageError("made to fail")

    async def get(self, key: str) -> Entries:
        await self._try()
        return await super().get(key)

    async def put(self, key: str, entries: Entries) -> None:
        await self._try()
        await super().put(key, entries)

    async def delete(self, key: str) -> None:
        await self._try()
        await super().delete(key)


@pytest.fixture
def failing() -> Failing:
    return Failing()


def forgiving(storage: Failing, clock: Clock | None = None) -> FaultTolerantStorage:
    return FaultTolerantStorage(storage, patience=0.01, rest=5, clock=clock or Clock())


# -- tiers


async def test_what_only_the_far_one_has_is_near_afterwards() -> None:
    near, far = MemoryStorage(1 << 20), MemoryStorage(1 << 20)
    await far.put("a", ONE)
    tiers = TieredStorage(near, far)
    assert await tiers.get("a") == ONE
    assert await near.get("a") == ONE


async def test_what_is_near_is_not_requested_of_the_far_one(failing: Failing) -> None:
    tiers = TieredStorage(MemoryStorage(1 << 20), failing)
    await tiers.put("a", ONE)
    requested = failing.asked
    assert await tiers.get("a") == ONE
    assert failing.asked == requested


async def test_both_are_reported_of_changes() -> None:
    near, far = MemoryStorage(1 << 20), MemoryStorage(1 << 20)
    tiers = TieredStorage(near, far)
    await tiers.put("a", ONE)
    assert (await near.get("a"), await far.get("a")) == (ONE, ONE)
    await tiers.delete("a")
    assert (await near.get("a"), await far.get("a")) == ((), ())


# -- failures


@pytest.mark.parametrize("kind", ["broken", "stalled"])
async def test_a_storage_that_fails_is_an_empty_one(failing: Failing, kind: str) -> None:
    storage = forgiving(failing)
    await storage.put("a", ONE)
    setattr(failing, kind, True)
    assert await storage.get("a") == ()
    await storage.put("a", OTHER)
    await storage.delete("a")
    await storage.aclose()


async def test_it_is_left_alone_for_a_while_and_used_again(failing: Failing) -> None:
    clock = Clock()
    storage = forgiving(failing, clock)
    await storage.put("a", ONE)
    failing.broken = True
    for _ in range(10):
        assert await storage.get("a") == ()
    assert failing.asked == 2
    failing.broken = False
    clock.now += 6
    assert await storage.get("a") == ONE


async def test_it_is_reported_once_a_rest(
    failing: Failing, caplog: pytest.LogCaptureFixture
) -> None:
    failing.broken = True
    storage = forgiving(failing)
    with caplog.at_level(logging.WARNING):
        for _ in range(10):
            await storage.get("a")
    assert [record.getMessage() for record in caplog.records] == [
        "made to fail; it is not used for 5 s."
    ]


@pytest.mark.parametrize("change", ["put", "delete"])
async def test_what_could_not_be_changed_is_not_read_afterwards(
    failing: Failing, change: str
) -> None:
    clock = Clock()
    storage = forgiving(failing, clock)
    await storage.put("a", ONE)
    failing.broken = True
    await (storage.put("a", OTHER) if change == "put" else storage.delete("a"))
    failing.broken = False
    clock.now += 6
    assert await storage.get("a") == ()
    await storage.put("a", OTHER)
    assert await storage.get("a") == OTHER


async def test_what_is_owed_is_bounded(failing: Failing) -> None:
    failing.broken = True
    storage = forgiving(failing)
    for number in range(MAX_PENDING_DELETES + 10):
        await storage.delete(str(number))
    assert storage.pending_deletes == MAX_PENDING_DELETES
