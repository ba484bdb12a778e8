"""A leaf names exactly one host and is what browsers accept."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.proxy.tls.support import NOW
from winnow.proxy.tls.authority import new_authority
from winnow.proxy.tls.leaf_certificates import new_leaf
from winnow.proxy.tls.tls_errors import NameRefusedError

AUTHORITY = new_authority("desk", NOW)
KEY = ec.generate_private_key(ec.SECP256R1())


def _alternatives(leaf: x509.Certificate) -> list[x509.GeneralName]:
    found = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    return list(found.value)


def test_a_name_becomes_a_dns_name() -> None:
    leaf = new_leaf(AUTHORITY, KEY, "Bücher.example", NOW)
    assert _alternatives(leaf) == [x509.DNSName("xn--bcher-kva.example")]


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_an_address_becomes_an_address(host: str) -> None:
    leaf = new_leaf(AUTHORITY, KEY, host, NOW)
    assert _alternatives(leaf) == [x509.IPAddress(ip_address(host.strip("[]")))]


def test_a_long_name_stands_in_the_alternatives_alone() -> None:
    host = ".".join(["label" * 6] * 5)
    leaf = new_leaf(AUTHORITY, KEY, host, NOW)
    assert not list(leaf.subject)
    assert leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).critical


def test_a_short_name_is_the_common_name_too() -> None:
    leaf = new_leaf(AUTHORITY, KEY, "example.com", NOW)
    names = leaf.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    assert [name.value for name in names] == ["example.com"]


def test_no_wildcard_is_ever_signed() -> None:
    with pytest.raises(NameRefusedError):
        new_leaf(AUTHORITY, KEY, "*.example.com", NOW)


def test_it_lives_no_longer_than_browsers_allow() -> None:
    leaf = new_leaf(AUTHORITY, KEY, "example.com", NOW + timedelta(days=30))
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc <= timedelta(days=398)


def test_it_lives_within_its_authority() -> None:
    early = new_leaf(AUTHORITY, KEY, "example.com", NOW - timedelta(days=9))
    late = new_leaf(AUTHORITY, KEY, "example.com", NOW + timedelta(days=3600))
    assert early.not_valid_before_utc == AUTHORITY.certificate.not_valid_before_utc
    assert late.not_valid_after_utc == AUTHORITY.certificate.not_valid_after_utc


def test_it_serves_and_signs_nothing() -> None:
    extensions = new_leaf(AUTHORITY, KEY, "example.com", NOW).extensions
    purposes = extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(purposes) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert not extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert not extensions.get_extension_for_class(x509.KeyUsage).value.key_cert_sign


def test_each_leaf_has_a_new_serial_number() -> None:
    serials = {new_leaf(AUTHORITY, KEY, "example.com", NOW).serial_number for _ in range(20)}
    assert len(serials) == 20


def test_its_authority_signed_it() -> None:
    new_leaf(AUTHORITY, KEY, "example.com", NOW).verify_directly_issued_by(AUTHORITY.certificate)
