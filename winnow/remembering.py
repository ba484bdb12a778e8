"""What is remembered between requests: replies and renderings. Settings to objects, no rule."""

from __future__ import annotations

from config.settings import CacheMode, Settings
from proxy.caching.client import CachingClient, Rules
from proxy.caching.renderings import RememberingTransform
from proxy.caching.storage import MemoryStorage
from proxy.caching.storing import Mode
from proxy.upstream.client import Sender
from proxy.values import Transform


def remembering(client: Sender, settings: Settings) -> Sender:
    """The client behind a cache of replies, unless the settings want none."""
    cache = settings.cache
    if not cache.enabled:
        return client
    rules = Rules(Mode(shared=cache.mode is CacheMode.SHARED), cache.largest_reply)
    return CachingClient(client, MemoryStorage(cache.memory), rules)


def once(transform: Transform, settings: Settings) -> Transform:
    """The transform behind a cache of renderings, unless the settings want none."""
    limit = settings.cache.renderings
    return RememberingTransform(transform, limit) if limit else transform
