"""Registrable domains by the public suffix list."""

from __future__ import annotations

import pytest

from winnow.document.addresses import registrable_domain


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.org", "example.org"),
        ("news.example.co.uk", "example.co.uk"),
        ("www.tageszeitung.de", "tageszeitung.de"),
        ("a.b.asahi.com", "asahi.com"),
        ("one.blogspot.com", "one.blogspot.com"),  # a private suffix: another writer's pages
        ("docs.cdc.gov", "cdc.gov"),  # two short labels are no suffix
        ("dl.acm.org", "acm.org"),
        ("www.city.kawasaki.jp", "city.kawasaki.jp"),  # an exception to *.kawasaki.jp
        ("EXAMPLE.COM.", "example.com"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::7", "2001:db8::7"),
        ("zh-0012", "zh-0012"),  # an entry's name, where its address is not known
    ],
)
def test_a_domain_is_its_public_suffix_and_one_label(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain
