"""What sites taught the proxy of these settings, for commands that read a page of one."""

from __future__ import annotations

import asyncio

from winnow.config.settings import Settings
from winnow.data_folder import data_folder, learning_rules, pages_of, shares_sites, sites_of
from winnow.document.addresses import host_of
from winnow.document.values import NO_KNOWLEDGE, SiteKnowledge
from winnow.proxy.learning.service import knowledge_of
from winnow.proxy.stores.site_keys import learned_key_of
from winnow.proxy.stores.sqlite_sites import FILE_NAME
from winnow.proxy.stores.store_errors import StoreError


def site_knowledge(url: str | None, settings: Settings) -> SiteKnowledge:
    """As the proxy would use it for a page at an address; a page that a command reads teaches
    nothing. Nothing is known without an address, nor where nothing was ever stored."""
    section = settings.learning
    file = data_folder(settings) / FILE_NAME
    stored = shares_sites(settings) or (section.on_disk and file.exists())
    if not (section.enabled and stored and learned_key_of(url)):
        return NO_KNOWLEDGE
    try:
        return asyncio.run(_recalled(url or "", settings))
    except StoreError:  # the page is read as one of an unknown site
        return NO_KNOWLEDGE


async def _recalled(url: str, settings: Settings) -> SiteKnowledge:
    store, site = await sites_of(settings), learned_key_of(url)
    try:
        memory = (await store.recall({site})).get(site, b"")
        key = await store.secret()
    finally:
        await store.aclose()
    if pages_of(memory) < settings.learning.pages:
        memory = b""
    return knowledge_of(host_of(url), memory, key, learning_rules(settings))
