"""What decides about requests, made from the settings and stores."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from winnow.balancers import network
from winnow.config.errors import ConfigError
from winnow.config.settings import ReachSettings, Settings
from winnow.proxy.access.address_kinds import AddressKind, Network, is_local, kind_of, parse_address
from winnow.proxy.access.client_networks import in_networks
from winnow.proxy.access.credentials.authentication import Authenticator
from winnow.proxy.access.credentials.passwords import PasswordError, PasswordHash, read_users
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import NO_RULE, Policy, RuleFor, SiteRule
from winnow.proxy.decisions.site_rules import SiteRules
from winnow.proxy.http.messages import Permit, anywhere
from winnow.proxy.http.request_target import Origin
from winnow.proxy.own.listening_place import ListeningPlace
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.site_keys import host_key
from winnow.proxy.tls.interception_policy import Hosts, InterceptionPolicy, spared_banks
from winnow.proxy.tls.listener_context import listener_context
from winnow.proxy.upstream.ad_list_updates import AdLists
from winnow.proxy.upstream.connections.parent_proxy import ParentError, ParentProxy, parse_parent


def interception_of(settings: Settings) -> InterceptionPolicy:
    """Which hosts' TLS is intercepted."""
    section = settings.interception
    banks = spared_banks() if section.exclude_banks else Hosts()
    never = Hosts.of(section.never) | banks
    return InterceptionPolicy(Hosts.of(section.hosts), never, settings.server.http2)


def spares(interception: InterceptionPolicy) -> Callable[[str], str]:
    """Why a host's TLS is not intercepted; "" where the handshake decides."""
    return lambda host: interception.spares(host) or ""


def rules(settings: Settings, store: ChoiceStore) -> RuleFor:
    """The rule for an origin and an owner, as of now. Raises ``ConfigError`` for a bad rule."""
    configured = SiteRules.of_settings(settings.sites)

    def rule(origin: Origin, owner: str) -> SiteRule:
        if not (configured.rules or configured.presets or store.now.owners):
            return NO_RULE
        return configured.of(origin, owner, store.now)

    return rule


def permits(settings: Settings) -> Callable[[str], Permit]:
    """Which addresses a client may reach."""
    reach = settings.access.private_addresses
    if reach is ReachSettings.EVERYONE:
        return lambda _client: anywhere
    if reach is ReachSettings.NOBODY:
        return lambda _client: public_only
    return lambda client: anywhere if is_local(client) else public_only


def private_names(settings: Settings, store: ChoiceStore) -> Callable[[str], frozenset[str]]:
    """The names that may lead to private addresses for an owner, as ``ClientPermit`` has them."""
    listed = frozenset(f".{host_key(name)}" for name in settings.access.private_names)

    def names(owner: str) -> frozenset[str]:
        owners = store.now.owners
        return listed | owners[owner].private_names if owner in owners else listed

    return names


def annotators(settings: Settings) -> Callable[[str], bool]:
    """Whether the client at an address may annotate: on this computer, or logged in at the gate.

    Who comes from a network that needs no password has not logged in.
    """
    networks = tuple(network(text, "access.open_to") for text in settings.access.open_to)
    return lambda client: is_local(client) or (bool(client) and not in_networks(client, networks))


def gate_of(settings: Settings) -> Authenticator:
    """Who is let in. Raises ``ConfigError`` if others reach the listener and none could enter."""
    section = settings.access
    users = _hashes("users", section.users)
    if unknown := sorted(frozenset(section.admins) - frozenset(users)):
        raise ConfigError(f"access.admins: {unknown[0]!r} is no user of access.users.")
    networks = tuple(network(text, "access.open_to") for text in section.open_to)
    if not users and not is_only_here(settings.server.host) and not any(map(_beyond, networks)):
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
        return listener_context(section.tls_cert, section.tls_key, http2=section.http2)
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

    Those named in ``access.admins``; where none are, whoever needs no password on this computer.
    """
    admins = frozenset(settings.access.admins)
    if admins:
        return lambda head: head.user in admins
    return lambda head: is_local(head.client) and not head.user


def is_only_here(host: str) -> bool:
    """Whether nobody but this machine reaches who listens there."""
    address = parse_address(host)
    return host == "localhost" or (address is not None and kind_of(address) is AddressKind.LOOPBACK)


def _beyond(network: Network) -> bool:
    return kind_of(network.network_address) is not AddressKind.LOOPBACK


class CurrentPolicy:
    """The policy now: with the listener's names and the current ad list."""

    def __init__(self, policy: Policy, ads: AdLists | None, place: ListeningPlace) -> None:
        self.policy = replace(policy, lists=ads.names) if ads and ads.blocks else policy
        self.ads, self.place, self.now = ads, place, self.policy

    def __call__(self) -> Policy:
        """Called for each request; a new policy only where something changed."""
        names, now, ads = self.place.names(), self.now, self.ads.now() if self.ads else ""
        if (now.own_names, now.recipe.options.ads) != (names, ads):
            recipe = self.policy.recipe
            blocked = ads if self.ads and self.ads.blocks else ""
            recipe = replace(recipe, options=replace(recipe.options, ads=ads), blocked=blocked)
            self.now = replace(self.policy, own_names=names, recipe=recipe)
        return self.now
