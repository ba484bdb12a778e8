"""Whether an IP address is public, by IANA's special-purpose registries (RFC 6890).

IPv6 addresses that embed an IPv4 address are classified by that one.
"""

from __future__ import annotations

from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from winnow.proxy.http.headers import cached_by_text

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


class AddressKind(StrEnum):
    """``special``: neither the public internet nor this computer."""

    PUBLIC = "public"
    LOOPBACK = "loopback"
    SPECIAL = "special"


_LOOPBACK: Final = (IPv4Network("127.0.0.0/8"), IPv6Network("::1/128"))
_SPECIAL: Final[tuple[Network, ...]] = (
    *map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT, RFC 6598
            "168.63.129.16/32",  # Azure's host answers every guest here
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",  # multicast and reserved
        ),
    ),
    IPv6Network("2001::/23"),  # Teredo, ORCHID, benchmarking and the like
    IPv6Network("2001:db8::/32"),
    IPv6Network("3fff::/20"),
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")
_V4_MASK = 0xFFFFFFFF


@cached_by_text
def parse_address(text: str) -> Address | None:
    """The address that ``text`` spells (brackets and zone allowed), or None for a name."""
    bare = text.removeprefix("[").removesuffix("]").partition("%")[0]
    try:
        return ip_address(bare)
    except ValueError:
        return None


def kind_of(address: Address) -> AddressKind:
    """The use of ``address``, or of the IPv4 address embedded in it."""
    embedded = _embedded(address)
    if embedded is not None:
        return kind_of(embedded)
    if any(address in network for network in _LOOPBACK):
        return AddressKind.LOOPBACK
    outside = isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST
    if outside or any(address in network for network in _SPECIAL):
        return AddressKind.SPECIAL
    return AddressKind.PUBLIC


def _embedded(address: Address) -> IPv4Address | None:
    """The embedded IPv4 address: mapped, compatible, NAT64 (RFC 6052), 6to4 (RFC 3056)."""
    if isinstance(address, IPv4Address):
        return None
    if (address in _COMPATIBLE and int(address) > 1) or address in _NAT64:
        return IPv4Address(int(address) & _V4_MASK)
    return address.ipv4_mapped or address.sixtofour


@cached_by_text
def is_local(text: str) -> bool:
    """Whether the address ``text`` is a loopback one."""
    address = parse_address(text)
    return address is not None and kind_of(address) is AddressKind.LOOPBACK
