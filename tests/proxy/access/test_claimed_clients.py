"""Forwarded and X-Forwarded-For count from trusted proxies only, and only what these wrote."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.access.address_kinds import is_local, parse_address
from winnow.proxy.access.claimed_clients import ClaimField, claimed_by_field
from winnow.proxy.http.headers import Headers

BALANCER = "10.0.0.2"
TRUSTED = (ip_network("10.0.0.2/32"), ip_network("10.0.0.3/32"), ip_network("127.0.0.1/32"))
BY_LIST = claimed_by_field(ClaimField.X_FORWARDED_FOR, TRUSTED)
BY_NODES = claimed_by_field(ClaimField.FORWARDED, TRUSTED)


def listed(*values: str) -> str:
    return BY_LIST(BALANCER, Headers(tuple(("X-Forwarded-For", each) for each in values)))[0]


def noted(*values: str) -> str:
    return BY_NODES(BALANCER, Headers(tuple(("Forwarded", each) for each in values)))[0]


@pytest.mark.parametrize(
    ("values", "client"),
    [
        (["198.51.100.7"], "198.51.100.7"),
        (["1.2.3.4, 198.51.100.7"], "198.51.100.7"),
        (["1.2.3.4", "198.51.100.7"], "198.51.100.7"),
        (["1.2.3.4,198.51.100.7, 10.0.0.3"], "198.51.100.7"),
        (["198.51.100.7:51000"], "198.51.100.7"),
        (["2001:db8::7"], "2001:db8::7"),
        (["[2001:db8::7]:51000"], "2001:db8::7"),
        (["::ffff:198.51.100.7"], "198.51.100.7"),
        (["10.0.0.3"], ""),
        (["198.51.100.7, "], ""),
        (["198.51.100.7, unknown"], ""),
        (["198.51.100.7, 127.0.0.9"], ""),
        (["127.0.0.9"], ""),
        (["[::1]"], ""),
        (["127.0.0.9:80"], ""),
        ([], ""),
    ],
)
def test_the_last_address_that_is_no_trusted_proxy_is_the_client(
    values: list[str], client: str
) -> None:
    assert listed(*values) == client


@pytest.mark.parametrize(
    ("values", "client"),
    [
        (["for=198.51.100.7"], "198.51.100.7"),
        (["For=198.51.100.7;proto=http;by=203.0.113.43"], "198.51.100.7"),
        (['for="198.51.100.7:4711"'], "198.51.100.7"),
        (['for="[2001:db8::7]:4711"'], "2001:db8::7"),
        (["for=1.2.3.4, for=198.51.100.7", "for=10.0.0.3"], "198.51.100.7"),
        (['for="1.2.3.4', "for=198.51.100.7"], "198.51.100.7"),
        (["for=unknown"], ""),
        (["for=_hidden"], ""),
        (["for=1.2.3.4, proto=http"], ""),
        (["for=1.2.3.4;for=198.51.100.7"], ""),
        (['for="[::1]"'], ""),
        (["for=127.0.0.9"], ""),
        ([], ""),
    ],
)
def test_so_it_is_with_the_nodes_of_forwarded(values: list[str], client: str) -> None:
    assert noted(*values) == client


def test_the_field_that_was_not_chosen_is_no_claim() -> None:
    fields = Headers((("Forwarded", "for=1.2.3.4"), ("X-Forwarded-For", "5.6.7.8")))
    assert BY_LIST(BALANCER, fields)[0] == "5.6.7.8"
    assert BY_NODES(BALANCER, fields)[0] == "1.2.3.4"


def test_no_origin_learns_the_client_from_a_trusted_proxy() -> None:
    fields = Headers((("Forwarded", "for=1.2.3.4"), ("X-Forwarded-For", "5.6.7.8"), ("A", "b")))
    assert BY_LIST(BALANCER, fields)[1] == Headers((("A", "b"),))


def test_others_are_clients_themselves_and_their_fields_stay() -> None:
    fields = Headers((("X-Forwarded-For", "5.6.7.8"),))
    assert BY_LIST("10.0.0.4", fields) == ("10.0.0.4", fields)
    assert BY_LIST("", fields) == ("", fields)


@given(st.lists(st.text(max_size=40), max_size=4))
def test_no_claim_is_a_loopback_address(values: list[str]) -> None:
    for client in (listed(*values), noted(*values), noted(*(f"for={each}" for each in values))):
        assert client == "" or parse_address(client)
        assert not is_local(client)


def test_a_trace_is_taken_from_trusted_proxies_alone() -> None:
    fields = Headers(
        (("traceparent", "00-1-2-01"), ("X-Forwarded-For", "198.51.100.7"), ("A", "1"))
    )
    assert "traceparent" in BY_LIST(BALANCER, fields)[1]
    left = BY_LIST("198.51.100.9", fields)[1]
    assert "traceparent" not in left
    assert "a" in left
