"""Settings and what is remembered, made what decides over requests. Serves the root alone."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from ipaddress import ip_network
from pathlib import Path

import platformdirs

from winnow.config.errors import ConfigError
from winnow.config.settings import ReachSettings, Settings
from winnow.config.site_rule_file import load_rules
from winnow.extractors.site_learners import learned, merged, page_counts
from winnow.proxy.access.authentication import Authenticator
from winnow.proxy.access.ip_addresses import (
    AddressKind,
    Network,
    in_networks,
    is_local,
    kind_of,
    parse_address,
    public_only,
)
from winnow.proxy.access.passwords import PasswordError, PasswordHash, read_users
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.decisions.policy import RuleFor, SiteMode
from winnow.proxy.decisions.site_rules import SiteRuleError, SiteRules
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.learning.recent_pages import RecentPages, RecentPagesLimits
from winnow.proxy.learning.service import LearningRules, LearningService
from winnow.proxy.stores import library
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.notices import Notices
from winnow.proxy.stores.site_store import SiteStore, SiteStoreBounds
from winnow.proxy.stores.sqlite_choices import FILE_NAME, SqliteChoices
from winnow.proxy.stores.sqlite_sites import SqliteSites
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy, spared_banks
from winnow.proxy.tls.lazy_authority import LazyAuthority
from winnow.proxy.tls.listener_context import listener_context
from winnow.proxy.upstream.parent_proxy import ParentError, ParentProxy, parse_parent


def data_folder(settings: Settings) -> Path:
    """Where Winnow keeps what it must remember."""
    return settings.storage.folder or platformdirs.user_data_path("winnow", appauthor=False)


def ca_folder(settings: Settings) -> Path:
    """Where the local authority is kept."""
    return data_folder(settings) / "ca"


def keys_of(settings: Settings, notices: Notices | None = None) -> LazyAuthority:
    """The local authority, made when it is first needed."""
    return LazyAuthority(ca_folder(settings), socket.gethostname(), notices)


async def choices_of(settings: Settings, notices: Notices | None = None) -> SqliteChoices:
    """What readers chose. Raises ``StoreError``."""
    return await SqliteChoices.open(data_folder(settings) / FILE_NAME, notices)


async def learning_of(settings: Settings, notices: Notices | None = None) -> LearningService | None:
    """What pages teach, None where they do not. Raises ``StoreError`` and ``ConfigError``."""
    section = settings.learning
    if not section.enabled:
        return None
    rules = LearningRules(section.pages, section.private_hosts)
    learning = LearningService(await sites_of(settings, notices), merged, pages_of, rules)
    if section.words:
        limits = RecentPagesLimits(section.last_pages, min(section.pages, section.last_pages))
        learning.rows = RecentPages(learned_now, learning.taught, limits)
    await learning.start()
    return learning


def learned_now(rows: Sequence[bytes]) -> bytes:
    """What the rows of one site amount to today."""
    return learned(rows, int(time.time()))


async def sites_of(settings: Settings, notices: Notices | None = None) -> SiteStore:
    """Where what pages taught is kept. Raises ``StoreError`` and ``ConfigError``."""
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
    """How many pages a site's memories know at most."""
    return max(page_counts(memory).values(), default=0)


async def shelf_of(settings: Settings, notices: Notices | None = None) -> LibraryStore:
    """What readers put by. Raises ``StoreError``."""
    path = data_folder(settings) / library.FILE_NAME
    return await asyncio.to_thread(LibraryStore.open, path, notices)


def interception_of(settings: Settings) -> InterceptionPolicy:
    """Whose TLS is opened."""
    section = settings.interception
    banks = spared_banks() if section.exclude_banks else Hosts()
    return InterceptionPolicy(Hosts.of(section.hosts), Hosts.of(section.never) | banks)


def spares(interception: InterceptionPolicy) -> Callable[[str], str]:
    """Why a host's TLS is not opened for anybody; "" where the handshake is to decide."""
    return lambda host: interception.spares(host) or ""


def rules(settings: Settings, store: ChoiceStore) -> RuleFor:
    """What holds for an origin and an owner, as of now. Raises ``ConfigError`` for a bad rule."""
    section = settings.sites
    try:
        configured = (
            SiteRules()
            .ruled(section.always, SiteMode.ALWAYS)
            .ruled(section.never, SiteMode.NEVER)
            .transformed_anyway(section.ignore_no_transform)
            .extracted_by(section.extractors)
            .at_level(section.levels)
            .with_rules(load_rules(section.rules) if section.rules else ())
        )
    except SiteRuleError as error:
        raise ConfigError(f"sites: {error}") from error
    return lambda origin, owner: configured.of(origin, owner, store.now)


def permits(settings: Settings) -> Callable[[str], Permit]:
    """Which addresses a client may reach."""
    reach = settings.access.private_addresses
    if reach is ReachSettings.EVERYONE:
        return lambda _client: anywhere
    if reach is ReachSettings.NOBODY:
        return lambda _client: public_only
    return lambda client: anywhere if is_local(client) else public_only


def annotators(settings: Settings) -> Callable[[str], bool]:
    """Whether the client at an address may annotate: on this computer, or logged in at the gate.

    Who comes from a network that needs no password has not logged in.
    """
    networks = tuple(_network(text) for text in settings.access.open_to)
    return lambda client: is_local(client) or (bool(client) and not in_networks(client, networks))


def gate_of(settings: Settings) -> Authenticator:
    """Who is let in. Raises ``ConfigError`` if others reach the listener and none could enter."""
    section = settings.access
    users = _hashes("users", section.users)
    if unknown := sorted(frozenset(section.admins) - frozenset(users)):
        raise ConfigError(f"access.admins: {unknown[0]!r} is no user of access.users.")
    networks = tuple(_network(text) for text in section.open_to)
    if not users and not _only_here(settings.server.host) and not any(map(_beyond, networks)):
        raise ConfigError(
            f"server.host {settings.server.host} lets other computers in: add a user to "
            "access.users (`winnow password NAME` makes the line), or their network to "
            "access.open_to."
        )
    return Authenticator(users, networks, keys=_hashes("api_keys", section.api_keys))


def _hashes(name: str, lines: Sequence[str]) -> dict[str, PasswordHash]:
    try:
        return read_users(lines)
    except PasswordError as error:
        raise ConfigError(f"access.{name}: {error}") from error


def listener_tls(settings: Settings) -> ssl.SSLContext | None:
    """TLS of the listener itself. Raises ``ConfigError`` if its files cannot be used."""
    section = settings.server
    if section.tls_cert is None:
        return None
    try:
        return listener_context(section.tls_cert, section.tls_key)
    except OSError as error:
        raise ConfigError(
            f"server.tls_cert {section.tls_cert} and server.tls_key cannot be used: {error}."
        ) from error


def parent_of(settings: Settings) -> ParentProxy | None:
    """The next proxy. Raises ``ConfigError`` if its address cannot be used."""
    try:
        return parse_parent(settings.upstream.proxy, settings.upstream.no_proxy)
    except ParentError as error:
        raise ConfigError(f"upstream.proxy: {error}") from error


def pauses(store: ChoiceStore) -> Callable[[str], bool]:
    """Whether everything goes through unchanged for an owner, as of now."""

    def paused(owner: str) -> bool:
        now = store.now
        return bool(now.owners) and now.is_paused(owner, datetime.now(UTC))

    return paused


def administrators(settings: Settings) -> Callable[[RequestHead], bool]:
    """Whether a request is of who may choose for everybody.

    Those named in ``access.admins``; where there are no users, whoever is on this computer.
    """
    admins, users = frozenset(settings.access.admins), settings.access.users
    if users:
        return lambda head: head.user in admins
    return lambda head: is_local(head.client)


def _network(text: str) -> Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError as error:
        raise ConfigError(f"access.open_to: {text!r} is no network such as 10.0.0.0/8.") from error


def _only_here(host: str) -> bool:
    address = parse_address(host)
    return host == "localhost" or (address is not None and kind_of(address) is AddressKind.LOOPBACK)


def _beyond(network: Network) -> bool:
    return kind_of(network.network_address) is not AddressKind.LOOPBACK
