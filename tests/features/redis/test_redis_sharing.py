"""Settings that name a Redis become objects that share by it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.winnow.compose.test_caches import settings
from winnow.compose.caches import storage_of
from winnow.config.cache_settings import Cache
from winnow.config.errors import ConfigError
from winnow.config.feature_settings import FeatureSettings
from winnow.config.settings import Settings
from winnow.features.redis.settings import RedisSettings
from winnow.proxy.caching.memory_storage import MemoryStorage
from winnow.proxy.caching.tiered import FaultTolerantStorage, TieredStorage


def by_redis(given: Settings, url: str = "redis://127.0.0.1:1/0") -> Settings:
    """The settings with a cache that instances share."""
    return replace(given, of_features=(RedisSettings(cache=url),))


async def test_redis_stands_behind_what_is_near(tmp_path: Path) -> None:
    wanted = by_redis(settings(Cache(disk=10_000_000), tmp_path))
    storage = storage_of(wanted)
    assert isinstance(storage, TieredStorage)
    assert isinstance(storage.near, TieredStorage)
    assert isinstance(storage.far, FaultTolerantStorage)
    assert await storage.get("a") == ()
    await storage.aclose()


def test_an_address_that_is_none_is_reported_without_its_password() -> None:
    with pytest.raises(ConfigError, match=r"cache\.redis is no address") as reported:
        storage_of(by_redis(settings(Cache()), "http://user:secret@host/"))
    assert "secret" not in str(reported.value)


def test_switched_off_it_shares_nothing_and_its_settings_are_no_error() -> None:
    wanted = by_redis(settings(Cache()))
    off = replace(wanted, features=FeatureSettings(disabled=("redis",)))
    assert isinstance(storage_of(off), MemoryStorage)
