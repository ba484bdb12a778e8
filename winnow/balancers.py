"""The load balancers that the settings trust, and how they name clients."""

from __future__ import annotations

from ipaddress import ip_network

from winnow.config.errors import ConfigError
from winnow.config.server_settings import ClientAddressSource, Server
from winnow.config.settings import Settings
from winnow.proxy.access.address_kinds import Network
from winnow.proxy.access.claimed_clients import Claim, ClaimField, claimed_by_field, peer_itself
from winnow.proxy.server.balancers import Balancers


def balancers_of(section: Server) -> Balancers:
    """Whose connections are those of other clients. Raises ``ConfigError``."""
    networks = tuple(network(text, "server.trusted_proxies") for text in section.trusted_proxies)
    return Balancers(networks, section.client_address is ClientAddressSource.PROXY_PROTOCOL)


def names_clients_by_field(section: Server) -> bool:
    """Whether trusted proxies say in fields of a request for whom they send it."""
    by_field = section.client_address is not ClientAddressSource.PROXY_PROTOCOL
    return by_field and bool(section.trusted_proxies)


def claim_of(settings: Settings) -> Claim:
    """Who the client of a request is. Raises ``ConfigError``."""
    balancers = balancers_of(settings.server)
    if not names_clients_by_field(settings.server):
        return peer_itself
    return claimed_by_field(ClaimField(settings.server.client_address), balancers.networks)


def network(text: str, setting: str) -> Network:
    """A network as a setting names it. Raises ``ConfigError``."""
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError as error:
        raise ConfigError(f"{setting}: {text!r} is no network such as 10.0.0.0/8.") from error
