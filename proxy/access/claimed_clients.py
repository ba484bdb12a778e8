"""The client's address as a trusted proxy claims it: by Forwarded or X-Forwarded-For. Pure.

A claim gives no rights of this computer: a loopback address, and what is no address, is "" then, a
client without an address. Others' words about the trace of a request are no claim either. Sources:
RFC 7239 (Forwarded), W3C Trace Context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from ipaddress import IPv6Address
from typing import Final

from winnow.proxy.access.address_kinds import Network, is_local, parse_address
from winnow.proxy.access.client_networks import in_networks
from winnow.proxy.http.headers import Headers

Claim = Callable[[str, Headers], tuple[str, Headers]]
"""The client of a request, from its connection's peer and its fields; the fields without claims."""
CLAIMING_FIELDS: Final = frozenset({"forwarded", "x-forwarded-for"})
TRACING_FIELDS: Final = frozenset({"traceparent", "tracestate", "baggage"})


class ClaimField(StrEnum):
    """The field in which trusted proxies name the client."""

    FORWARDED = "forwarded"
    X_FORWARDED_FOR = "x-forwarded-for"


def peer_itself(peer: str, fields: Headers) -> tuple[str, Headers]:
    """Nobody is trusted: the client is who connected."""
    return peer, fields


def always(client: str) -> Claim:
    """The client of all requests of a connection."""
    return lambda _peer, fields: (client, fields)


def claimed_address(text: str) -> str:
    """The address that a trusted proxy claims, an IPv4-mapped one as IPv4.

    "" for a loopback or unspecified one, and for what is no address.
    """
    address = parse_address(text)
    plain = (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
    if plain is None or is_local(text) or plain.is_unspecified:
        return ""
    return str(plain)


def claimed_by_field(field: ClaimField, networks: tuple[Network, ...]) -> Claim:
    """The claims of peers in ``networks``; others' address fields are no claim and stay."""
    values = _nodes if field is ClaimField.FORWARDED else _listed

    def claim(peer: str, fields: Headers) -> tuple[str, Headers]:
        if not in_networks(peer, networks):
            return peer, fields.without(TRACING_FIELDS) if "traceparent" in fields else fields
        client = _last_untrusted(values(fields), networks)
        return client, fields.without(CLAIMING_FIELDS)

    return claim


def _last_untrusted(addresses: Iterator[str], networks: tuple[Network, ...]) -> str:
    """The last address that is no trusted proxy's: those before it are the client's own words."""
    for text in reversed(list(addresses)):
        if not in_networks(text, networks):
            return claimed_address(text)
    return ""


def _listed(fields: Headers) -> Iterator[str]:
    """The addresses of X-Forwarded-For."""
    for value in fields.every("x-forwarded-for"):
        yield from map(_without_port, value.split(","))


def _nodes(fields: Headers) -> Iterator[str]:
    """The ``for`` of each element of Forwarded; "" where it has none, or two (RFC 7239, 4)."""
    for value in fields.every("forwarded"):
        for element in value.split(","):
            pairs = [pair.partition("=") for pair in element.split(";")]
            nodes = [node for name, _, node in pairs if name.strip().lower() == "for"]
            yield _without_port(nodes[0].strip().strip('"')) if len(nodes) == 1 else ""


def _without_port(node: str) -> str:
    """An address as ``192.0.2.1``, ``192.0.2.1:80``, ``2001:db8::1`` or ``[2001:db8::1]:80``."""
    node = node.strip()
    if node.startswith("["):
        return node[1:].partition("]")[0]
    host, _, port = node.partition(":")
    return host if port.isdecimal() else node
