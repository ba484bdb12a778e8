"""What is remembered between requests: replies and renderings. Settings to objects, no rule."""

from __future__ import annotations

from typing import Final

from config.errors import ConfigError
from config.settings import Cache, CacheMode, Settings
from proxy.caching.client import CachingClient, Rules
from proxy.caching.disk import FILE_NAME, DiskStorage
from proxy.caching.renderings import RememberingTransform
from proxy.caching.spreading import Spreading
from proxy.caching.storage import MemoryStorage, Storage
from proxy.caching.storing import Mode
from proxy.caching.tiers import Forgiving, Tiers
from proxy.upstream.client import Sender
from proxy.values import Transform
from proxy.workers.bus import ALONE, Bus
from winnow.sharing import join
from winnow.steering import data_folder

DISK_PATIENCE: Final = 1.0
"""Seconds that the disk is waited for."""


def remembering(client: Sender, settings: Settings, bus: Bus = ALONE) -> Sender:
    """The client behind a cache of replies, unless the settings want none. Raises ConfigError."""
    cache = settings.cache
    if not cache.enabled:
        return client
    rules = Rules(Mode(shared=cache.mode is CacheMode.SHARED), cache.largest_reply)
    near = MemoryStorage(cache.memory)
    storage = storage_of(settings, near)
    if bus is not ALONE:
        storage = Spreading(storage, near)
        join(bus, "forget", storage)
    return CachingClient(client, storage, rules)


def once(transform: Transform, settings: Settings) -> Transform:
    """The transform behind a cache of renderings, unless the settings want none."""
    limit = settings.cache.renderings
    return RememberingTransform(transform, limit) if limit else transform


def storage_of(settings: Settings, near: Storage | None = None) -> Storage:
    """Memory before the disk before Redis, as far as they are wanted. Raises ConfigError."""
    cache = settings.cache
    storage = near or MemoryStorage(cache.memory)
    if cache.disk:
        disk = DiskStorage(data_folder(settings) / FILE_NAME, cache.disk)
        storage = Tiers(storage, Forgiving(disk, DISK_PATIENCE))
    if cache.redis:
        storage = Tiers(storage, Forgiving(_redis(cache), cache.redis_timeout))
    return storage


def _redis(cache: Cache) -> Storage:
    try:
        from proxy.caching.redis_storage import RedisStorage  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigError(
            "cache.redis needs the package redis: pip install 'winnow-proxy[redis]'."
        ) from error
    try:
        return RedisStorage(cache.redis, cache.memory // 8, cache.redis_timeout)
    except ValueError as error:
        raise ConfigError(f"cache.redis is no address of a Redis: {error}.") from error
