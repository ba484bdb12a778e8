"""Settings of the cache become its objects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.caching.making import MadeOrigin, entry
from winnow.compose.caches import cached_sender, storage_of
from winnow.config.cache_settings import Cache
from winnow.config.settings import Settings, StorageSettings
from winnow.proxy.caching.caching_client import CachingClient
from winnow.proxy.caching.memory_storage import MemoryStorage


def settings(cache: Cache, folder: Path | None = None) -> Settings:
    return replace(Settings(), cache=cache, storage=StorageSettings(folder))


def test_without_a_cache_the_client_stands_alone() -> None:
    client = MadeOrigin()
    assert cached_sender(client, settings(Cache(enabled=False)), MemoryStorage(0)) is client


@pytest.mark.parametrize(
    ("memory", "largest", "spool"),
    [(100_000_000, 4_000_000, 50_000_000), (1_000_000, 4_000_000, 4_000_000)],
)
def test_bodies_under_way_take_half_the_memory_and_at_least_one_whole_reply(
    memory: int, largest: int, spool: int
) -> None:
    wanted = settings(Cache(memory=memory, largest_reply=largest))
    client = cached_sender(MadeOrigin(), wanted, MemoryStorage(memory))
    assert isinstance(client, CachingClient)
    assert (client.rules.largest, client.rules.spool) == (largest, spool)


def test_memory_is_enough_unless_more_is_requested_for() -> None:
    assert isinstance(storage_of(settings(Cache())), MemoryStorage)


async def test_memory_stands_before_the_disk_and_the_disk_survives(tmp_path: Path) -> None:
    wanted = settings(Cache(disk=10_000_000), tmp_path)
    first, again = storage_of(wanted), storage_of(wanted)
    await first.put("a", (entry(),))
    await first.aclose()
    assert await again.get("a") == (entry(),)
    await again.aclose()
