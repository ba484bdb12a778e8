"""The stores of a run: authority, choices, library, learned sites; on disk and in Redis."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial, reduce
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from winnow.compose.process.shares import SharedState
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.data_folder import data_folder, learning_rules, pages_of, sites_of
from winnow.extractors.site_learners import learned, merged
from winnow.proxy.learning.recent_pages import RecentPages, RecentPagesLimits
from winnow.proxy.learning.service import LearningService
from winnow.proxy.stores import library
from winnow.proxy.stores.choice_store import ChoiceStore, NotifyingChoices
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_choice import NO_CHOICE, Choice
from winnow.proxy.stores.site_store import MemorySites, SiteStore, SiteStoreBounds
from winnow.proxy.stores.sqlite_choices import FILE_NAME, SqliteChoices
from winnow.proxy.stores.sqlite_sites import leave_disk

if TYPE_CHECKING:
    from redis.asyncio import Redis

SPREAD: Final = frozenset({"shared choices", "shared shelf", "views", "gate", "forget"})
"""Subjects that other instances receive; all others stay within one instance."""
FORM_KEY: Final = "winnow:form-key"
PATIENCE: Final = 2.0
"""Seconds until an access to Redis counts as failed."""


async def choices_of(settings: Settings, notices: Notices | None = None) -> SqliteChoices:
    """The choices of readers. Raises ``StoreError``."""
    return await SqliteChoices.open(data_folder(settings) / FILE_NAME, notices)


async def learning_of(settings: Settings, notices: Notices | None = None) -> LearningService | None:
    """Site learning, None where it is off. Raises ``StoreError`` and ``ConfigError``."""
    section = settings.learning
    if not section.enabled:
        return None
    store = await _learned_sites(settings, notices or Notices())
    learning = LearningService(store, merged, pages_of, learning_rules(settings))
    if section.words:
        limits = RecentPagesLimits(section.last_pages, min(section.pages, section.last_pages))
        learning.rows = RecentPages(merged_rows, learning.taught, limits)
    await learning.start()
    return learning


async def _learned_sites(settings: Settings, notices: Notices) -> SiteStore:
    """The store in memory, unless the owner chose another. Raises as ``sites_of``."""
    section = settings.learning
    if section.on_disk or section.redis:
        return await sites_of(settings, notices)
    await asyncio.to_thread(leave_disk, data_folder(settings), notices, datetime.now(UTC))
    return MemorySites(merged, SiteStoreBounds(section.sites, section.days))


def merged_rows(rows: Sequence[bytes]) -> bytes:
    """What the rows of one site teach, as of now."""
    return learned(rows, int(time.time()))


async def library_of(settings: Settings, notices: Notices | None = None) -> LibraryStore:
    """The library of readers. Raises ``StoreError``."""
    path = data_folder(settings) / library.FILE_NAME
    return await asyncio.to_thread(LibraryStore.open, path, notices)


async def move_parts(library: LibraryStore, choices: ChoiceStore) -> None:
    """What earlier versions kept or dropped of sites becomes part of what is chosen for them.

    In this order nothing is lost where it ends halfway. Raises ``StoreError``.
    """
    for key, parts in library.now.parts.items():
        site, _, owner = key.partition(" ")
        chosen = choices.now.of(owner).choices.get(site, NO_CHOICE)
        new = (part for part in parts if part.selector not in (*chosen.keep, *chosen.drop))
        await choices.choose(owner, site, reduce(Choice.with_part, new, chosen))
    if library.now.parts:
        await library.change(lambda now: replace(now, parts=MappingProxyType({})))


@asynccontextmanager
async def across_instances(
    settings: Settings, shared: SharedState, store: NotifyingChoices, library: LibraryStore
) -> AsyncIterator[tuple[SharedState, ChoiceStore, LibraryStore]]:
    """State, choices and library, shared with other instances by Redis. Raises ``ConfigError``."""
    if not settings.storage.redis:
        yield shared, store, library
        return
    redis = redis_of(settings.storage.redis)
    from winnow.proxy.cluster.redis_bus import RedisBus  # noqa: PLC0415 - an extra
    from winnow.proxy.stores.redis.redis_choices import RedisChoices  # noqa: PLC0415 - an extra
    from winnow.proxy.stores.redis.redis_library import RedisLibrary  # noqa: PLC0415 - an extra

    instances = RedisBus(shared.bus, redis, shared.name, SPREAD, PATIENCE)
    choices, shared_library = (
        RedisChoices(store, redis, PATIENCE),
        RedisLibrary(library, redis, PATIENCE),
    )
    choices.notify_instances = partial(instances.publish, "shared choices")
    shared_library.notify_instances = partial(instances.publish, "shared shelf")
    instances.subscribe("shared choices", lambda _: choices.refresh())
    instances.subscribe("shared shelf", lambda _: shared_library.refresh())

    async def refresh() -> None:
        shared.tokens.adopt(await form_key(redis))
        await choices.refresh()
        await shared_library.refresh()

    await instances.start(refresh)
    try:
        yield replace(shared, bus=instances), choices, shared_library
    finally:
        await instances.aclose()


async def form_key(redis: Redis) -> bytes:
    """The key of all instances' forms, made by the first. Raises RedisError."""
    await redis.set(FORM_KEY, secrets.token_bytes(32), nx=True)
    found: Any = await redis.get(FORM_KEY)
    return bytes(found)


def redis_of(url: str, setting: str = "storage.redis") -> Redis:
    """Connections to a Redis, none made yet. Raises ConfigError, which names the setting."""
    try:
        from redis.asyncio.retry import Retry  # noqa: PLC0415 - an extra
        from redis.backoff import NoBackoff  # noqa: PLC0415

        from winnow.proxy.stores.redis.redis_connection import redis_at  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError(
            f"{setting} needs the package redis: pip install '.[redis]' in Winnow's checkout."
        ) from error
    try:
        retry = Retry(NoBackoff(), 0)
        return redis_at(url, timeout=2 * PATIENCE, connect_timeout=PATIENCE, retry=retry)
    except ValueError as error:
        raise ConfigError(f"{setting} is no address of a Redis: {error}.") from error
