"""What decides about requests, made from the settings and stores."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from ipaddress import ip_network

from winnow.config.errors import ConfigError
from winnow.config.settings import ReachSettings, Settings
from winnow.config.site_rule_file import load_rules
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
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy, spared_banks
from winnow.proxy.tls.listener_context import listener_context
from winnow.proxy.upstream.parent_proxy import ParentError, ParentProxy, parse_parent


def interception_of(settings: Settings) -> InterceptionPolicy:
    """Which hosts' TLS is intercepted."""
    section = settings.interception
    banks = spared_banks() if section.exclude_banks else Hosts()
    return InterceptionPolicy(Hosts.of(section.hosts), Hosts.of(section.never) | banks)


def spares(interception: InterceptionPolicy) -> Callable[[str], str]:
    """Why a host's TLS is not intercepted; "" where the handshake decides."""
    return lambda host: interception.spares(host) or ""


def rules(settings: Settings, store: ChoiceStore) -> RuleFor:
    """The rule for an origin and an owner, as of now. Raises ``ConfigError`` for a bad rule."""
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
