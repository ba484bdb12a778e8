"""Every address that is not on the public internet is recognised in every notation."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.access.address_kinds import AddressKind, is_local, kind_of, parse_address
from winnow.proxy.access.client_networks import in_networks
from winnow.proxy.access.private_addresses import is_public_host

CASES = [
    ("93.184.215.14", AddressKind.PUBLIC),
    ("8.8.8.8", AddressKind.PUBLIC),
    ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", AddressKind.PUBLIC),
    ("127.0.0.1", AddressKind.LOOPBACK),
    ("127.255.255.254", AddressKind.LOOPBACK),
    ("::1", AddressKind.LOOPBACK),
    ("10.1.2.3", AddressKind.SPECIAL),
    ("172.16.0.1", AddressKind.SPECIAL),
    ("172.32.0.1", AddressKind.PUBLIC),
    ("192.168.1.1", AddressKind.SPECIAL),
    ("169.254.169.254", AddressKind.SPECIAL),
    ("fe80::1", AddressKind.SPECIAL),
    ("100.64.0.1", AddressKind.SPECIAL),
    ("100.100.100.200", AddressKind.SPECIAL),
    ("100.128.0.1", AddressKind.PUBLIC),
    ("168.63.129.16", AddressKind.SPECIAL),
    ("fd00:ec2::254", AddressKind.SPECIAL),
    ("fec0::1", AddressKind.SPECIAL),
    ("224.0.0.1", AddressKind.SPECIAL),
    ("ff02::1", AddressKind.SPECIAL),
    ("0.0.0.0", AddressKind.SPECIAL),
    ("0.1.2.3", AddressKind.SPECIAL),
    ("::", AddressKind.SPECIAL),
    ("255.255.255.255", AddressKind.SPECIAL),
    ("192.0.2.1", AddressKind.SPECIAL),
    ("198.18.0.1", AddressKind.SPECIAL),
    ("2001:db8::1", AddressKind.SPECIAL),
    ("2001::1", AddressKind.SPECIAL),
    ("100::1", AddressKind.SPECIAL),
    ("5f00::1", AddressKind.SPECIAL),
]
CARRIED = [
    ("::ffff:127.0.0.1", AddressKind.LOOPBACK),
    ("::ffff:8.8.8.8", AddressKind.PUBLIC),
    ("::127.0.0.1", AddressKind.LOOPBACK),
    ("::ffff:169.254.169.254", AddressKind.SPECIAL),
    ("64:ff9b::10.0.0.1", AddressKind.SPECIAL),
    ("64:ff9b::8.8.8.8", AddressKind.PUBLIC),
    ("64:ff9b:1::8.8.8.8", AddressKind.SPECIAL),
    ("2002:7f00:1::", AddressKind.LOOPBACK),
    ("2002:c0a8:101::1", AddressKind.SPECIAL),
    ("2002:808:808::1", AddressKind.PUBLIC),
]


@pytest.mark.parametrize(("text", "kind"), CASES + CARRIED)
def test_each_has_its_kind(text: str, kind: AddressKind) -> None:
    assert kind_of(ip_address(text)) is kind


@given(st.ip_addresses(v=4))
def test_wrapping_an_address_changes_nothing(address: IPv4Address) -> None:
    wrapped = IPv6Address(f"::ffff:{address}")
    translated = IPv6Address(int(IPv6Address("64:ff9b::")) + int(address))
    assert kind_of(wrapped) is kind_of(translated) is kind_of(address)


@given(st.ip_addresses(v=6).filter(lambda a: a not in ip_network("2000::/3")))
def test_beyond_global_unicast_only_carried_addresses_are_public(address: IPv6Address) -> None:
    carries = address.ipv4_mapped or int(address) >> 32 in {0, 0x64FF9B << 64}
    assert kind_of(address) is not AddressKind.PUBLIC or carries


@given(st.ip_addresses(v=4))
def test_what_python_calls_private_is_never_public_here(address: IPv4Address) -> None:
    assert not (address.is_private and kind_of(address) is AddressKind.PUBLIC)


@pytest.mark.parametrize("text", ["[::1]", "fe80::1%eth0", "127.0.0.1"])
def test_brackets_and_zones_are_no_matter(text: str) -> None:
    assert parse_address(text) is not None


@pytest.mark.parametrize("text", ["example.com", "", "127.1", "2130706433", "0x7f.0.0.1"])
def test_a_name_is_no_address(text: str) -> None:
    assert parse_address(text) is None


@pytest.mark.parametrize(
    ("peer", "local"),
    [("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("192.168.1.7", False),
     ("", False), ("unix", False)],
)  # fmt: skip
def test_a_local_peer_is_on_this_computer(peer: str, local: bool) -> None:
    assert is_local(peer) is local


@pytest.mark.parametrize(
    ("host", "public"),
    [("example.com", True), ("93.184.215.14", True), ("[::1]", False), ("localhost", False),
     ("printer", False), ("a.localhost", False), ("nas.local", False), ("router.lan.", False),
     ("metadata.google.internal", False), ("2130706433", False)],
)  # fmt: skip
def test_a_name_may_betray_itself_before_it_is_resolved(host: str, public: bool) -> None:
    assert is_public_host(host) is public


def test_networks_hold_mapped_addresses_too() -> None:
    networks = (ip_network("192.168.0.0/16"), ip_network("::1/128"))
    assert in_networks("192.168.3.4", networks)
    assert in_networks("::ffff:192.168.3.4", networks)
    assert in_networks("::1", networks)
    assert not in_networks("10.0.0.1", networks)
    assert not in_networks("a name", networks)
