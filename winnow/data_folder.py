"""What the data folder holds, opened as the settings say: authority and learned sites."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import platformdirs

from winnow.config.errors import ConfigError
from winnow.config.settings import Settings
from winnow.extractors.site_learners import merged, page_counts
from winnow.feature_list import sharing_of
from winnow.proxy.learning.service import LearningRules
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_store import SiteStore, SiteStoreBounds
from winnow.proxy.stores.sqlite_sites import SqliteSites
from winnow.proxy.tls.lazy_authority import LazyAuthority


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


def shares_sites(settings: Settings) -> bool:
    """Whether several instances share what was learned of sites."""
    sharing = sharing_of(settings)
    return sharing is not None and sharing.has_sites


async def sites_of(settings: Settings, notices: Notices | None = None) -> SiteStore:
    """The store that outlives a run. Raises ``StoreError`` and ``ConfigError``."""
    section, sharing = settings.learning, sharing_of(settings)
    bounds = SiteStoreBounds(section.sites, section.days)
    if sharing and (shared := sharing.sites(merged, bounds)):
        return shared
    return await SqliteSites.open(data_folder(settings), merged, bounds, notices)


def pages_of(memory: bytes) -> int:
    """The most pages in the memories of a site."""
    return max(page_counts(memory).values(), default=0)


def learning_rules(settings: Settings) -> LearningRules:
    """From how many pages a site's memory counts, and of which hosts."""
    return LearningRules(settings.learning.pages, settings.learning.private_hosts)
