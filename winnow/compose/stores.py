"""The stores of a run: authority, choices, library, learned sites; on disk and in Redis."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import platformdirs

from winnow.compose.shares import SharedState
from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.extractors.site_learners import learned, merged, page_counts
from winnow.proxy.learning.recent_pages import RecentPages, RecentPagesLimits
from winnow.proxy.learning.service import LearningRules, LearningService
from winnow.proxy.stores import library, saved_page_store
from winnow.proxy.stores.choice_store import ChoiceStore, NotifyingChoices
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.saved_page_store import SavedPageBounds, SavedPageStore
from winnow.proxy.stores.site_store import SiteStore, SiteStoreBounds
from winnow.proxy.stores.sqlite_choices import FILE_NAME, SqliteChoices
from winnow.proxy.stores.sqlite_sites import SqliteSites
from winnow.proxy.tls.lazy_authority import LazyAuthority

if TYPE_CHECKING:
    from redis.asyncio import Redis

SPREAD: Final = frozenset({"shared choices", "shared shelf", "views", "gate", "forget"})
"""Subjects that other instances receive; all others stay within one instance."""
FORM_KEY: Final = "winnow:form-key"
PATIENCE: Final = 2.0
"""Seconds until an access to Redis counts as failed."""


def data_folder(settings: Settings) -> Path:
    """The folder of all stored files."""
    return settings.storage.folder or platformdirs.user_data_path("winnow", appauthor=False)


def ca_folder(settings: Settings) -> Path:
    """The folder of the local authority."""
    return data_folder(settings) / "ca"


def keys_of(settings: Settings, notices: Notices | None = None) -> LazyAuthority:
    """The local authority, created when it is first needed. Raises ``ConfigError``."""
    shared = settings.interception.authority
    if shared and not os.access(shared, os.R_OK):
        raise ConfigError(f"interception.authority {shared} cannot be read.")
    return LazyAuthority(
        ca_folder(settings), socket.gethostname(), notices, shared, http2=settings.server.http2
    )


async def choices_of(settings: Settings, notices: Notices | None = None) -> SqliteChoices:
    """The choices of readers. Raises ``StoreError``."""
    return await SqliteChoices.open(data_folder(settings) / FILE_NAME, notices)


async def learning_of(settings: Settings, notices: Notices | None = None) -> LearningService | None:
    """Site learning, None where it is off. Raises ``StoreError`` and ``ConfigError``."""
    section = settings.learning
    if not section.enabled:
        return None
    store = await sites_of(settings, notices)
    learning = LearningService(store, merged, pages_of, learning_rules(settings))
    if section.words:
        limits = RecentPagesLimits(section.last_pages, min(section.pages, section.last_pages))
        learning.rows = RecentPages(merged_rows, learning.taught, limits)
    await learning.start()
    return learning


def learning_rules(settings: Settings) -> LearningRules:
    """From how many pages a site's memory counts, and of which hosts."""
    return LearningRules(settings.learning.pages, settings.learning.private_hosts)


def merged_rows(rows: Sequence[bytes]) -> bytes:
    """What the rows of one site teach, as of now."""
    return learned(rows, int(time.time()))


async def sites_of(settings: Settings, notices: Notices | None = None) -> SiteStore:
    """The store of learned sites. Raises ``StoreError`` and ``ConfigError``."""
    section = settings.learning
    bounds = SiteStoreBounds(section.sites, section.days)
    if not section.redis:
        return await SqliteSites.open(data_folder(settings), merged, bounds, notices)
    try:
        from winnow.proxy.stores.redis_sites import RedisSites  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigError(
            "learning.redis needs the package redis: pip install 'winnow-proxy[redis]'."
        ) from error
    try:
        return RedisSites(section.redis, merged, bounds)
    except ValueError as error:
        raise ConfigError(f"learning.redis is no address of a Redis: {error}.") from error


def pages_of(memory: bytes) -> int:
    """The most pages in the memories of a site."""
    return max(page_counts(memory).values(), default=0)


async def library_of(settings: Settings, notices: Notices | None = None) -> LibraryStore:
    """The library of readers. Raises ``StoreError``."""
    path = data_folder(settings) / library.FILE_NAME
    return await asyncio.to_thread(LibraryStore.open, path, notices)


def saved_pages_of(settings: Settings, notices: Notices | None = None) -> SavedPageStore:
    """The saved pages of readers; the file is opened when it is first needed."""
    bounds = SavedPageBounds(settings.saved.pages, settings.saved.space)
    return SavedPageStore(data_folder(settings) / saved_page_store.FILE_NAME, bounds, notices)


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
    from winnow.proxy.stores.redis_choices import RedisChoices  # noqa: PLC0415 - an extra
    from winnow.proxy.stores.redis_library import RedisLibrary  # noqa: PLC0415 - an extra

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

        from winnow.proxy.stores.redis_connection import redis_at  # noqa: PLC0415
    except ImportError as error:
        raise ConfigError(
            f"{setting} needs the package redis: pip install 'winnow-proxy[redis]'."
        ) from error
    try:
        retry = Retry(NoBackoff(), 0)
        return redis_at(url, timeout=2 * PATIENCE, connect_timeout=PATIENCE, retry=retry)
    except ValueError as error:
        raise ConfigError(f"{setting} is no address of a Redis: {error}.") from error
