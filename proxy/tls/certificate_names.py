"""How a host is named in a certificate: an IP address or an ASCII DNS name, never a wildcard.

Knows the spelling of names (RFC 5890, RFC 6125 section 6.4); refuses to know what they resolve to.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

import idna

from winnow.proxy.tls.tls_errors import NameRefusedError

_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
_MAX_NAME = 253
_MAX_LABEL = 63


def certificate_name(host: str) -> str | IPv4Address | IPv6Address:
    """The one spelling of ``host`` that a certificate carries.

    Brackets and a final dot go, letters become small, other scripts become A-labels.
    Raises ``NameRefusedError`` for what is no host name.
    """
    bare = host.strip().removeprefix("[").removesuffix("]").removesuffix(".")
    address = _address(bare)
    return address if address is not None else _dns_name(bare)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _dns_name(text: str) -> str:
    name = text.lower() if text.isascii() else _to_ascii(text)
    labels = name.split(".")
    sizes_fit = len(name) <= _MAX_NAME and all(0 < len(label) <= _MAX_LABEL for label in labels)
    if not sizes_fit or not _ALLOWED.issuperset(name):
        raise NameRefusedError(f"{text[:80]!r} is no host name that a certificate can carry.")
    return name


def _to_ascii(text: str) -> str:
    try:
        return idna.encode(text, uts46=True, transitional=False).decode("ascii").lower()
    except idna.IDNAError as error:
        raise NameRefusedError(f"{text[:80]!r} is no host name: {error}.") from error
