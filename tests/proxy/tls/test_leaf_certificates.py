"""A leaf names exactly one host and is what browsers accept."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_address

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.proxy.tls.support import NOW
from winnow.proxy.tls.authority import Authority, new_authority
from winnow.proxy.tls.leaf_certificates import leaf_chain, leaf_key, new_leaf
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


def test_every_host_and_every_day_has_a_serial_number_of_its_own() -> None:
    names = [f"{number}.example.com" for number in range(20)]
    days = [NOW + timedelta(days=number) for number in range(20)]
    serials = {new_leaf(AUTHORITY, KEY, name, NOW).serial_number for name in names}
    serials |= {new_leaf(AUTHORITY, KEY, "example.com", day).serial_number for day in days}
    assert len(serials) == 40
    assert all(0 < serial < 2**159 for serial in serials)


def test_all_processes_make_the_same_certificate() -> None:
    """Issue 20, fault 14: a browser met another certificate at each process of one Winnow."""
    loaded = Authority(
        AUTHORITY.certificate,
        ec.derive_private_key(AUTHORITY.key.private_numbers().private_value, ec.SECP256R1()),
    )
    morning = NOW.replace(hour=1)
    one, other = (
        leaf_chain(new_leaf(each, leaf_key(each), "example.com", now), leaf_key(each))
        for each, now in ((AUTHORITY, morning), (loaded, morning + timedelta(hours=20)))
    )
    assert one == other


def test_another_authority_has_another_key_and_serial_number() -> None:
    other = new_authority("desk", NOW)
    assert leaf_key(other).private_numbers() != leaf_key(AUTHORITY).private_numbers()
    one, two = (new_leaf(each, KEY, "example.com", NOW) for each in (AUTHORITY, other))
    assert one.serial_number != two.serial_number


def test_its_authority_signed_it() -> None:
    new_leaf(AUTHORITY, KEY, "example.com", NOW).verify_directly_issued_by(AUTHORITY.certificate)
