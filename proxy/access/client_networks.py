"""Networks of clients: those that need no password, and the one that a client is counted by."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Final

from winnow.proxy.access.address_kinds import Network, parse_address

_CACHED: Final = 4096
_NETWORK_BITS: Final = 64
"""One subscriber's IPv6 prefix at least (RFC 6177), which counts as one client."""


def in_networks(text: str, networks: tuple[Network, ...]) -> bool:
    """Whether the address ``text`` lies in one of ``networks``."""
    address = parse_address(text)
    if address is None:
        return False
    plain = (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
    return any(plain in network for network in networks)


def open_to(networks: tuple[Network, ...]) -> Callable[[str], bool]:
    """Whether the client at an address is in one of ``networks``; the last answers are cached."""
    return lru_cache(_CACHED)(lambda client: in_networks(client, networks))


def client_key(user: str, address: str) -> str:
    """The user, else the address, of IPv6 its /64 network: whom work is counted for."""
    return f"user {user}" if user else network_of(address)


def network_of(address: str) -> str:
    """An IPv6 address without its interface identifier; any other text as it is."""
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> _NETWORK_BITS << _NETWORK_BITS))
    return address
