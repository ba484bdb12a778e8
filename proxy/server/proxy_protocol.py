"""The PROXY header that a trusted proxy sends before all else, versions 1 and 2. Pure.

Source: The PROXY protocol, versions 1 & 2 (Willy Tarreau, HAProxy; doc/proxy-protocol.txt),
sections 2.1 and 2.2.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from winnow.proxy.access.claimed_clients import claimed_address

PREFIX_1: Final = b"PROXY "
PREFIX_2: Final = b"\r\n\r\n\0\r\nQUIT\n"
LONGEST_LINE: Final = 107
"""Bytes of version 1, its line end included."""
MAX_HEAD: Final = 4096
"""Bytes of version 2, its extensions (TLV) included."""
UNKNOWN: Final = b"PROXY UNKNOWN\r\n"
"""A header of a connection that no client's is, such as a check's."""
_SHORTEST_LINE, _FIXED = len(UNKNOWN), 16
_LOCAL, _PROXY = 0x20, 0x21
_ADDRESSES: Final = {0x11: (12, 4), 0x21: (36, 16)}
"""TCP over IPv4 and IPv6: bytes of both addresses with their ports, and of the first address."""
_FAMILIES: Final[dict[str, type[IPv4Address] | type[IPv6Address]]] = {
    "TCP4": IPv4Address,
    "TCP6": IPv6Address,
}
_LARGEST_PORT: Final = 65535


class ProxyHeaderError(ValueError):
    """A connection of a trusted proxy does not begin with a PROXY header."""


def bytes_wanted(received: bytes) -> int:
    """How many bytes may be read next so that none behind the header is; 0: it is complete.

    Raises ProxyHeaderError as soon as the bytes begin no header.
    """
    if received[: len(PREFIX_1)] == PREFIX_1[: len(received)]:
        return _wanted_of_line(received)
    if received[: len(PREFIX_2)] == PREFIX_2[: len(received)]:
        return _wanted_of_binary(received)
    raise ProxyHeaderError("it begins with something else")


def claimed_client(header: bytes) -> str:
    """The client of a complete header, as ``claimed_address`` gives it; "" where it names none.

    Raises ProxyHeaderError.
    """
    return _of_line(header) if header.startswith(PREFIX_1) else _of_binary(header)


def _wanted_of_line(received: bytes) -> int:
    if len(received) < _SHORTEST_LINE:  # the other version's is longer
        return _SHORTEST_LINE - len(received)
    if received.endswith(b"\r\n"):
        return 0
    if len(received) >= LONGEST_LINE or b"\n" in received:
        raise ProxyHeaderError("its line has no end")
    return 1 if received.endswith(b"\r") else 2


def _wanted_of_binary(received: bytes) -> int:
    if len(received) < _FIXED:
        return _FIXED - len(received)
    whole = _FIXED + int.from_bytes(received[14:16], "big")
    if whole > MAX_HEAD:
        raise ProxyHeaderError("it is too long")
    return whole - len(received)


def _of_line(header: bytes) -> str:
    words = header.removesuffix(b"\r\n").decode("latin-1").split(" ")
    if words[1] == "UNKNOWN":
        return ""
    if len(words) != 6 or words[1] not in _FAMILIES:
        raise ProxyHeaderError("its line is malformed")
    for text in words[2:4]:
        _check_address(text, _FAMILIES[words[1]])
    if not all(port.isdecimal() and port.isascii() for port in words[4:]):
        raise ProxyHeaderError("its port is no number")
    if any(int(port) > _LARGEST_PORT for port in words[4:]):
        raise ProxyHeaderError("its port is too large")
    return claimed_address(words[2])


def _check_address(text: str, family: type[IPv4Address] | type[IPv6Address]) -> None:
    try:
        family(text)
    except ValueError as error:
        raise ProxyHeaderError("its address is malformed") from error


def _of_binary(header: bytes) -> str:
    """Families other than TCP name no client that we know (section 2.2)."""
    command, family, data = header[12], header[13], header[_FIXED:]
    if command not in (_LOCAL, _PROXY):
        raise ProxyHeaderError("its version or command is unknown")
    if command == _LOCAL or family not in _ADDRESSES:
        return ""
    both, first = _ADDRESSES[family]
    if len(data) < both:
        raise ProxyHeaderError("its addresses are cut short")
    return claimed_address(str(ip_address(data[:first])))
