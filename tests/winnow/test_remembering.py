"""Settings of the cache become its objects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from config.errors import ConfigError
from config.settings import Cache, Settings
from config.settings import Storage as StorageSettings
from proxy.caching.storage import MemoryStorage
from proxy.caching.tiers import Forgiving, Tiers
from tests.proxy.caching.making import MadeOrigin, entry
from winnow.remembering import remembering, storage_of


def settings(cache: Cache, folder: Path | None = None) -> Settings:
    return replace(Settings(), cache=cache, storage=StorageSettings(folder))


def test_without_a_cache_the_client_stands_alone() -> None:
    client = MadeOrigin()
    assert remembering(client, settings(Cache(enabled=False))) is client


def test_memory_is_enough_unless_more_is_asked_for() -> None:
    assert isinstance(storage_of(settings(Cache())), MemoryStorage)


async def test_memory_stands_before_the_disk_and_the_disk_survives(tmp_path: Path) -> None:
    wanted = settings(Cache(disk=10_000_000), tmp_path)
    first, again = storage_of(wanted), storage_of(wanted)
    await first.put("a", (entry(),))
    await first.aclose()
    assert await again.get("a") == (entry(),)
    await again.aclose()


async def test_redis_stands_behind_what_is_near(tmp_path: Path) -> None:
    wanted = settings(Cache(disk=10_000_000, redis="redis://127.0.0.1:1/0"), tmp_path)
    storage = storage_of(wanted)
    assert isinstance(storage, Tiers)
    assert isinstance(storage.near, Tiers)
    assert isinstance(storage.far, Forgiving)
    assert await storage.get("a") == ()
    await storage.aclose()


def test_an_address_that_is_none_is_told_without_its_password() -> None:
    with pytest.raises(ConfigError, match=r"cache\.redis is no address") as told:
        storage_of(settings(Cache(redis="http://user:secret@host/")))
    assert "secret" not in str(told.value)
