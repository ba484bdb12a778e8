"""What several instances have in common by way of Redis; knows no request, no subject's meaning."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from winnow.compose.shares import SharedState
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.proxy.stores.choice_store import ChoiceStore, MemoryChoices
from winnow.proxy.stores.library import LibraryStore

if TYPE_CHECKING:
    from redis.asyncio import Redis

SPREAD: Final = frozenset({"shared choices", "shared shelf", "views", "gate", "forget"})
"""Subjects that other instances get; all others stay within one instance."""
FORM_KEY: Final = "winnow:form-key"
PATIENCE: Final = 2.0
"""Seconds that Redis is waited for."""


@asynccontextmanager
async def among_instances(
    settings: Settings, shared: SharedState, store: MemoryChoices, shelf: LibraryStore
) -> AsyncIterator[tuple[SharedState, ChoiceStore, LibraryStore]]:
    """What is shared, choices and shelf, as the settings want them. Raises ``ConfigError``."""
    if not settings.storage.redis:
        yield shared, store, shelf
        return
    redis = redis_of(settings.storage.redis)
    from winnow.proxy.cluster.redis_bus import RedisBus  # noqa: PLC0415 - an extra
    from winnow.proxy.stores.redis_choices import RedisChoices  # noqa: PLC0415 - an extra
    from winnow.proxy.stores.redis_library import RedisLibrary  # noqa: PLC0415 - an extra

    line = RedisBus(shared.bus, redis, shared.name, SPREAD, PATIENCE)
    choices, put_by = RedisChoices(store, redis, PATIENCE), RedisLibrary(shelf, redis, PATIENCE)
    choices.notify_instances = partial(line.publish, "shared choices")
    put_by.notify_instances = partial(line.publish, "shared shelf")
    line.subscribe("shared choices", lambda _: choices.refresh())
    line.subscribe("shared shelf", lambda _: put_by.refresh())

    async def refresh() -> None:
        shared.tokens.adopt(await form_key(redis))
        await choices.refresh()
        await put_by.refresh()

    await line.start(refresh)
    try:
        yield replace(shared, bus=line), choices, put_by
    finally:
        await line.aclose()


async def form_key(redis: Redis) -> bytes:
    """The key of all instances' forms, drawn by whoever is first. Raises RedisError."""
    await redis.set(FORM_KEY, secrets.token_bytes(32), nx=True)
    found: Any = await redis.get(FORM_KEY)
    return bytes(found)


def redis_of(url: str) -> Redis:
    """Connections to a Redis, none made yet. Raises ConfigError."""
    try:
        from redis.asyncio.retry import Retry  # noqa: PLC0415 - an extra
        from redis.backoff import NoBackoff  # noqa: PLC0415

        from winnow.proxy.stores.redis_connection import redis_at  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError(
            "storage.redis needs the package redis: pip install 'winnow-proxy[redis]'."
        ) from error
    try:
        retry = Retry(NoBackoff(), 0)
        return redis_at(url, timeout=2 * PATIENCE, connect_timeout=PATIENCE, retry=retry)
    except ValueError as error:
        raise ConfigError(f"storage.redis is no address of a Redis: {error}.") from error
