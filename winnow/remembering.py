"""What is remembered between requests: replies and renderings. Settings to objects, no rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

from config.errors import ConfigError
from config.settings import Cache, CacheMode, Settings
from document.values import Rendered
from proxy.caching.breaker import Breaker
from proxy.caching.client import CachingClient, Rules
from proxy.caching.disk import FILE_NAME, DiskStorage
from proxy.caching.renderings import RememberingTransform
from proxy.caching.shared_renderings import SharedTransform
from proxy.caching.spreading import Spreading
from proxy.caching.storage import MemoryStorage, Storage
from proxy.caching.storing import Mode
from proxy.caching.tiers import Forgiving, Tiers
from proxy.parents import ParentsTransform
from proxy.upstream.client import Sender
from proxy.values import Transform
from proxy.workers.bus import ALONE, Bus
from winnow.parcels import Failure, pack_answer, unpack_answer
from winnow.sharing import join
from winnow.steering import data_folder

DISK_PATIENCE: Final = 1.0
"""Seconds that the disk is waited for."""


def remembering(client: Sender, settings: Settings, bus: Bus = ALONE) -> Sender:
    """The client behind a cache of replies, unless the settings want none. Raises ConfigError."""
    cache = settings.cache
    if not cache.enabled:
        return client
    mode = Mode(shared=cache.mode is CacheMode.SHARED, household=cache.private_cache)
    rules = Rules(mode, cache.largest_reply, max(cache.memory // 2, cache.largest_reply))
    near = MemoryStorage(cache.memory)
    storage = storage_of(settings, near)
    if bus is not ALONE:
        storage = Spreading(storage, near)
        join(bus, "forget", storage)
    return CachingClient(client, storage, rules)


def once(transform: Transform, settings: Settings) -> Transform:
    """The transform behind the caches of renderings, as the settings want. Raises ConfigError."""
    cache = settings.cache
    if cache.redis and cache.renderings:
        values = _redis(
            cache,
            lambda redis: redis.RedisValues(cache.redis, redis.RENDERINGS, cache.redis_timeout),
        )
        breaker = Breaker(cache.redis_timeout)
        transform = SharedTransform(transform, values, breaker, (written, read))
    return RememberingTransform(transform, cache.renderings) if cache.renderings else transform


async def let_go(transform: Transform) -> None:
    """End what a cache of renderings holds besides memory."""
    while isinstance(transform, (ParentsTransform, RememberingTransform)):
        transform = transform.transform
    if isinstance(transform, SharedTransform):
        await transform.aclose()


def written(rendered: Rendered) -> bytes:
    """A rendering without what is not to leave this process."""
    return pack_answer(replace(rendered, lesson=b"", row=b""))


def read(data: bytes) -> Rendered:
    """What ``written`` wrote. Raises ValueError for anything else."""
    try:
        answer = unpack_answer(data)
    except (KeyError, TypeError) as error:
        raise ValueError(str(error)) from error
    if isinstance(answer, Failure):
        raise ValueError(answer.message)
    return answer


def storage_of(settings: Settings, near: Storage | None = None) -> Storage:
    """Memory before the disk before Redis, as far as they are wanted. Raises ConfigError."""
    cache = settings.cache
    storage = near or MemoryStorage(cache.memory)
    if cache.disk:
        disk = DiskStorage(data_folder(settings) / FILE_NAME, cache.disk)
        storage = Tiers(storage, Forgiving(disk, DISK_PATIENCE))
    if cache.redis:
        far = _redis(
            cache,
            lambda redis: redis.RedisStorage(cache.redis, cache.memory // 8, cache.redis_timeout),
        )
        storage = Tiers(storage, Forgiving(far, cache.redis_timeout))
    return storage


def _redis(cache: Cache, made: Callable[[Any], Any]) -> Any:
    """What is made of the module that needs the extra."""
    try:
        module = import_module("proxy.caching.redis_storage")
    except ImportError as error:
        raise ConfigError(
            "cache.redis needs the package redis: pip install 'winnow-proxy[redis]'."
        ) from error
    try:
        return made(module)
    except ValueError as error:
        raise ConfigError(f"cache.redis is no address of a Redis: {error}.") from error
