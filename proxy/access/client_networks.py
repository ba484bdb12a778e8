"""Networks whose clients need no password."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Final

from winnow.proxy.access.address_kinds import Network, parse_address

_CACHED: Final = 4096


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
