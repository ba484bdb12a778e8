"""PROXY headers of both versions: read to the last byte and no further, never half understood."""

from __future__ import annotations

import struct
from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.server.proxy_protocol import (
    LONGEST_LINE,
    MAX_HEAD,
    PREFIX_2,
    ProxyHeaderError,
    bytes_wanted,
    claimed_client,
)

PORTS = st.integers(0, 65535)


def line(client: str, port: int = 40000, words: str = "") -> bytes:
    """Version 1, from ``client`` to a documentation address of its family."""
    family, to = ("TCP6", "2001:db8::2") if ":" in client else ("TCP4", "192.0.2.2")
    return (words or f"PROXY {family} {client} {to} {port} 8080").encode() + b"\r\n"


def binary(
    client: str = "198.51.100.7",
    *,
    command: int = 0x21,
    family: int = 0,
    more: bytes = b"",
    cut: int = 0,
) -> bytes:
    """Version 2; ``more`` are its extensions, ``cut`` bytes of the addresses are missing."""
    address = ip_address(client)
    first = address.packed
    data = (first * 2 + struct.pack("!HH", 40000, 8080) + more)[: -cut or None]
    kind = family or (0x21 if address.version == 6 else 0x11)
    return PREFIX_2 + bytes((command, kind)) + struct.pack("!H", len(data)) + data


def received(data: bytes) -> tuple[bytes, bytes]:
    """The header as a reader of ``bytes_wanted`` gets it, and the rest."""
    have = b""
    while wanted := bytes_wanted(have):
        assert data[len(have) :], "it would wait"
        have = data[: len(have) + wanted]
    return have, data[len(have) :]


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)), PORTS, st.binary(max_size=40))
def test_no_byte_behind_the_header_is_read(
    client: IPv4Address | IPv6Address, port: int, rest: bytes
) -> None:
    for header in (line(str(client), port), binary(str(client), more=b"\x04\0\x01x")):
        assert received(header + rest) == (header, rest)
        claimed = claimed_client(header)
        assert claimed in {str(client), str(getattr(client, "ipv4_mapped", None)), ""}
        assert not is_local(claimed)


@pytest.mark.parametrize(
    "client",
    ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::",
     "0.0.0.0", "::", "::ffff:0.0.0.0", "::127.0.0.1"],
)  # fmt: skip
def test_a_claimed_loopback_address_is_a_stranger(client: str) -> None:
    assert claimed_client(line(client)) == ""
    assert claimed_client(binary(client)) == ""


def test_a_mapped_address_is_the_ipv4_one() -> None:
    assert claimed_client(line("::ffff:198.51.100.7")) == "198.51.100.7"
    assert claimed_client(binary("::ffff:198.51.100.7")) == "198.51.100.7"


@pytest.mark.parametrize(
    "header",
    [
        b"PROXY UNKNOWN\r\n",
        b"PROXY UNKNOWN ffff:f::1 ffff:f::1 65535 65535\r\n",
        binary(command=0x20),
        PREFIX_2 + b"\x20\0\0\0",
        PREFIX_2 + b"\x21\0\0\0",
        binary(family=0x12),  # UDP
        PREFIX_2 + b"\x21\x31\0\xd8" + b"/" * 216,  # two paths of Unix sockets
    ],
)
def test_a_header_without_an_address_of_tcp_names_no_client(header: bytes) -> None:
    assert received(header + b"GET")[1] == b"GET"
    assert claimed_client(header) == ""


@pytest.mark.parametrize(
    "words",
    [
        "PROXY TCP4 198.51.100.7 192.0.2.2 1",
        "PROXY TCP4 198.51.100.7 192.0.2.2 1 2 3",
        "PROXY TCP4 198.51.100.7 192.0.2.2 1 65536",
        "PROXY TCP4 198.51.100.7 192.0.2.2 1 -2",
        "PROXY TCP4 198.51.100.7 192.0.2.2 1 ²",
        "PROXY TCP4  198.51.100.7 192.0.2.2 1 2",
        "PROXY TCP4 2001:db8::1 2001:db8::2 1 2",
        "PROXY TCP6 198.51.100.7 192.0.2.2 1 2",
        "PROXY TCP4 198.51.100.007 192.0.2.2 1 2",
        "PROXY TCP4 198.51.100.7 example 1 2",
        "PROXY TCP4 [::1] 192.0.2.2 1 2",
        "PROXY UDP4 198.51.100.7 192.0.2.2 1 2",
        "PROXY UNKNOWN\nGET / HTTP/1.1",
        "PROXY TCP4 198.51.100.7\r\nGET / HTTP/1.1",
        "PROXY " + "x" * LONGEST_LINE,
        "proxy TCP4 198.51.100.7 192.0.2.2 1 2",
        "PROXYTCP4 198.51.100.7 192.0.2.2 1 2",
        "GET / HTTP/1.1",
        "",
    ],
)
def test_a_malformed_line_is_refused(words: str) -> None:
    with pytest.raises(ProxyHeaderError):
        claimed_client(received(words.encode() + b"\r\n" * 9)[0])


@pytest.mark.parametrize(
    "header",
    [
        binary(command=0x22),
        binary(command=0x11),
        binary(command=0x31),
        binary(cut=1),
        binary(family=0x21),
        PREFIX_2 + b"\x21\x11" + struct.pack("!H", MAX_HEAD - 15) + bytes(MAX_HEAD),
        b"\r\n\r\n\0\r\nQUIX\n\x21\x11\0\x0c" + bytes(12),
        b"\r\n\r\nGET / HTTP/1.1\r\n\r\n",
    ],
)
def test_a_malformed_binary_header_is_refused(header: bytes) -> None:
    with pytest.raises(ProxyHeaderError):
        claimed_client(received(header)[0])


@given(st.binary(max_size=120), st.sampled_from([b"", b"PROXY ", b"PROXY TCP4 ", PREFIX_2]))
def test_any_bytes_are_a_header_or_refused(data: bytes, prefix: bytes) -> None:
    have = b""
    try:
        while wanted := bytes_wanted(have):
            assert 0 < wanted <= MAX_HEAD
            have = (prefix + data)[: len(have) + wanted]
            if len(have) == len(prefix + data):
                return
        assert not is_local(claimed_client(have))
    except ProxyHeaderError:
        pass
