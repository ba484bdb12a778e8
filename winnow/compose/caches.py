"""The caches of responses and renderings, made as the settings say."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from winnow.compose.process.shares import join_bus
from winnow.config.cache_settings import CacheMode
from winnow.config.settings import Settings
from winnow.data_folder import data_folder
from winnow.document.values import Rendered
from winnow.feature_list import sharing_of
from winnow.jobs.codec import pack_result, unpack_result
from winnow.proxy.caching.caching_client import CachingClient, CachingRules
from winnow.proxy.caching.disk_storage import FILE_NAME, DiskStorage
from winnow.proxy.caching.memory_storage import MemoryStorage, ResponseStorage
from winnow.proxy.caching.renderings import CachingTransform, SharedTransform
from winnow.proxy.caching.storing import StoreMode
from winnow.proxy.caching.tiered import (
    CircuitBreaker,
    FaultTolerantStorage,
    Invalidation,
    TieredStorage,
)
from winnow.proxy.cluster.bus import ALONE, Bus
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.messages import Sender

DISK_PATIENCE: Final = 1.0
"""Seconds until an access to the disk counts as failed."""


def cached_sender(
    client: Sender, settings: Settings, near: MemoryStorage, bus: Bus = ALONE
) -> Sender:
    """The client behind a cache of responses, if the settings enable it. Raises ConfigError.

    ``near``: its part in memory.
    """
    cache = settings.cache
    if not cache.enabled:
        return client
    mode = StoreMode(shared=cache.mode is CacheMode.SHARED, household=cache.private_cache)
    rules = CachingRules(mode, cache.largest_reply, max(cache.memory // 2, cache.largest_reply))
    storage = storage_of(settings, near)
    if bus is not ALONE:
        storage = Invalidation(storage, near)
        join_bus(bus, "forget", storage)
    return CachingClient(client, storage, rules)


def shared_transform(transform: Transform, settings: Settings) -> Transform:
    """The transform behind the renderings that instances share, if any. Raises ConfigError."""
    cache, sharing = settings.cache, sharing_of(settings)
    if cache.renderings and sharing and (values := sharing.renderings()):
        breaker = CircuitBreaker(sharing.patience)
        transform = SharedTransform(transform, values, breaker, (pack_rendering, unpack_rendering))
    return transform


def renderings_of(transform: Transform, settings: Settings) -> CachingTransform | None:
    """The transform behind the renderings in memory; None if the settings give them no bytes."""
    limit = settings.cache.renderings
    return CachingTransform(transform, limit) if limit else None


def pack_rendering(rendered: Rendered) -> bytes:
    """A rendering as bytes, without what must not leave this process."""
    return pack_result(replace(rendered, lesson=b"", row=b""))


def unpack_rendering(data: bytes) -> Rendered:
    """The inverse of ``pack_rendering``. Raises ValueError for other bytes."""
    result = unpack_result(data, Rendered)
    if not isinstance(result, Rendered):
        raise ValueError("no rendering")
    return result


def storage_of(settings: Settings, near: ResponseStorage | None = None) -> ResponseStorage:
    """Memory, disk and what instances share, as far as they are enabled. Raises ConfigError."""
    cache, sharing = settings.cache, sharing_of(settings)
    storage = near or MemoryStorage(cache.memory)
    if cache.disk:
        disk = DiskStorage(data_folder(settings) / FILE_NAME, cache.disk)
        storage = TieredStorage(storage, FaultTolerantStorage(disk, DISK_PATIENCE))
    if sharing and (far := sharing.responses()):
        storage = TieredStorage(storage, FaultTolerantStorage(far, sharing.patience))
    return storage
