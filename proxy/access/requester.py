"""Who is asking: the client that a request's work is counted against, wherever it is done.

It is carried in a context variable, so that it is no part of what pages are made of (a cache key).
Tasks inherit it from whoever starts them.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv6Address
from typing import Final

from winnow.proxy.access.ip_addresses import parse_address

_NETWORK_BITS: Final = 64
"""What one subscriber has of IPv6 at least (RFC 6177): its addresses count as one client."""


@dataclass(frozen=True, slots=True)
class Requester:
    """``client`` as ``client_key`` names it, "" for none; ``since``: loop time, None for now."""

    client: str = ""
    since: float | None = None


NOBODY: Final = Requester()
REQUESTER: ContextVar[Requester] = ContextVar("requester", default=NOBODY)


def client_key(user: str, address: str) -> str:
    """The signed-in user, else the address, of IPv6 its /64 network."""
    return f"user {user}" if user else network_of(address)


def network_of(address: str) -> str:
    """An IPv6 address without its interface identifier; any other text as it is."""
    parsed = parse_address(address)
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> _NETWORK_BITS << _NETWORK_BITS))
    return address
