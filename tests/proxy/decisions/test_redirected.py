"""Requests of redirected connections: what they mean, and what they may reach."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.routing import ForwardRoute, InterceptRoute, OwnPageRoute, route
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import (
    Origin,
    parse_authority,
    parse_target,
    redirected_target,
)

PUBLIC, PRIVATE = Origin("http", "9.9.9.9", 80), Origin("http", "192.168.1.1", 80)


@pytest.mark.parametrize(
    ("target", "host", "port", "absolute"),
    [
        ("/a?b", "site.test", 80, "http://site.test/a?b"),
        ("/a", "Site.Test:80", 80, "http://site.test/a"),
        ("/a", "site.test", 8000, "http://site.test:8000/a"),
        ("/a", "site.test:8000", 80, "http://site.test:8000/a"),
        ("/a", "", 8000, "http://9.9.9.9:8000/a"),
        ("*", "site.test", 80, "http://site.test"),
        ("//x/", "site.test", 80, "http://site.test//x/"),
        ("http://other.test/", "site.test", 80, "http://other.test/"),
    ],
)
def test_the_host_and_the_port_connected_to_make_a_target(
    target: str, host: str, port: int, absolute: str
) -> None:
    assert redirected_target(target, host, replace(PUBLIC, port=port)) == absolute


@given(st.text(st.sampled_from("ab.:/?#@[]\\ %1"), min_size=1))
def test_no_host_leads_to_another_one_or_into_the_path(host: str) -> None:
    try:
        target = parse_target(redirected_target("/path", host, PUBLIC))
    except ClientFaultError:
        return
    assert target.path == "/path"
    assert target.origin.host == parse_authority(host, "http").host


def of(redirected: Origin | None, client: str = "127.0.0.1", target: str = "") -> RequestHead:
    host = Headers((("Host", "site.test"),))
    return RequestHead("GET", target or "http://site.test/", host, client, redirected=redirected)


def test_even_this_computer_s_programs_are_not_led_from_a_public_address_to_a_private_one() -> None:
    policy = Policy()
    assert policy.permit_of(of(None))("10.0.0.1", 80)
    assert policy.permit_of(of(PRIVATE))("10.0.0.1", 80)
    assert not policy.permit_of(of(PUBLIC))("10.0.0.1", 80)
    assert policy.permit_of(of(PUBLIC))("9.9.9.10", 80)


def test_routes() -> None:
    policy = Policy(spares=lambda _: "not-intercepted")
    forwarded = route(of(PUBLIC), policy)
    assert forwarded == ForwardRoute(parse_target("http://site.test/"))
    assert route(of(PUBLIC, target="http://winnow.internal/-/x"), policy) == OwnPageRoute("/-/x")
    connect = replace(of(PUBLIC, target=PUBLIC.address), method="CONNECT")
    assert isinstance(route(connect, policy), InterceptRoute)
