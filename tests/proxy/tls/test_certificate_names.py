"""A certificate carries one spelling of each host, and no wildcard."""

from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.tls.leaf_certificates import certificate_name
from winnow.proxy.tls.tls_errors import NameRefusedError


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("example.com", "example.com"),
        ("EXAMPLE.Com.", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("Bücher.example", "xn--bcher-kva.example"),
        ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("faß.de", "xn--fa-hia.de"),
        ("under_score.example", "under_score.example"),
        ("localhost", "localhost"),
    ],
)
def test_names_have_one_spelling(host: str, name: str) -> None:
    assert certificate_name(host) == name


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "::1", "2001:db8::1", "[fe80::1%eth0]"])
def test_addresses_are_addresses(host: str) -> None:
    assert certificate_name(host) == ip_address(host.strip("[]").partition("%")[0])


@pytest.mark.parametrize(
    "host",
    ["", ".", "*.example.com", "*", "a b", "a..b", ".example", "ex\0ample", "a/b", "x" * 64,
     "a." * 127 + "aa", "[", "user@host", "host:80", "\ud800.example"],
)  # fmt: skip
def test_what_is_no_name_is_refused(host: str) -> None:
    with pytest.raises(NameRefusedError):
        certificate_name(host)


@given(st.text(max_size=80))
def test_every_text_is_named_or_refused_and_a_name_is_stable(text: str) -> None:
    try:
        name = certificate_name(text)
    except NameRefusedError:
        return
    assert certificate_name(str(name)) == name
