"""The stores of a run: choices, library, learned sites; on disk, and shared by instances."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import reduce
from types import MappingProxyType

from winnow.compose.process.shares import SharedState
from winnow.config.settings import Settings
from winnow.data_folder import data_folder, learning_rules, pages_of, shares_sites, sites_of
from winnow.extractors.site_learners import learned, merged
from winnow.feature_list import sharing_of
from winnow.proxy.cluster.sharing import Instance
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
    if section.on_disk or shares_sites(settings):
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
    """State, choices and library, shared with other instances if so set. Raises ``ConfigError``."""
    if sharing := sharing_of(settings):
        own = Instance(shared.name, shared.tokens, shared.bus, store, library)
        async with sharing.joined(own) as (bus, choices, shared_library):
            yield replace(shared, bus=bus), choices, shared_library
    else:
        yield shared, store, library
