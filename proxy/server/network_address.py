"""This machine's address in its own network."""

from __future__ import annotations

import socket
from contextlib import closing
from typing import Final

from winnow.proxy.access.address_kinds import AddressKind, kind_of, parse_address

_OUTSIDE: Final = ("192.0.2.1", 9)
"""Of TEST-NET-1 (RFC 5737): nothing is sent to it, since a datagram socket only looks for a way."""


def network_address() -> str:
    """The private IPv4 address by which the machine reaches others; "" where it has none."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            probe.connect(_OUTSIDE)
            found = str(probe.getsockname()[0])
        except OSError:
            return ""
    address = parse_address(found)
    return found if address is not None and kind_of(address) is AddressKind.SPECIAL else ""
