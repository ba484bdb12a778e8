"""Where requests go: a table of request lines and routes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.routing import (
    Face,
    ForwardRoute,
    InterceptRoute,
    OwnPageRoute,
    RedirectRoute,
    ReflectRoute,
    RefuseRoute,
    Route,
    TunnelRoute,
    route,
    travels_on,
)
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.request_target import Origin, Target

NAMES = frozenset({"winnow.internal", "127.0.0.1:8080", "[::1]:8080"})
POLICY = Policy(
    name="Winnow-1", own_names=NAMES, spares=lambda host: "" if host == "shop.example" else "never"
)
IDN = Origin("http", "xn--bcher-kva.example", 80)
HTTP = Origin("http", "a.example", 80)
HTTPS = Origin("https", "a.example", 443)

ROUTES: list[tuple[str, str, Route]] = [
    ("GET", "http://a.example/x?y", ForwardRoute(Target(HTTP, "/x?y"))),
    ("GET", "http://a.example", ForwardRoute(Target(HTTP, "/"))),
    ("GET", "http://a.example?q", ForwardRoute(Target(HTTP, "/?q"))),
    ("GET", "HTTP://A.Example/", ForwardRoute(Target(HTTP, "/"))),
    ("GET", "http://a.example:80/#f", ForwardRoute(Target(HTTP, "/"))),
    ("GET", "http://u:p@a.example/", ForwardRoute(Target(HTTP, "/"))),
    ("GET", "https://a.example/", ForwardRoute(Target(HTTPS, "/"))),
    ("PROPFIND", "http://a.example/", ForwardRoute(Target(HTTP, "/"))),
    ("GET", "http://[::1]:81/", ForwardRoute(Target(Origin("http", "::1", 81), "/"))),
    (
        "GET",
        "http://bücher.example/",
        ForwardRoute(Target(Origin("http", "xn--bcher-kva.example", 80), "/")),
    ),
    ("CONNECT", "a.example:443", TunnelRoute(HTTPS, "never")),
    ("CONNECT", "a.example:22", TunnelRoute(Origin("https", "a.example", 22), "never")),
    ("CONNECT", "shop.example:443", InterceptRoute(Origin("https", "shop.example", 443))),
    ("CONNECT", "[::1]:443", TunnelRoute(Origin("https", "::1", 443), "never")),
    ("GET", "/", OwnPageRoute("/")),
    ("GET", "/?x", OwnPageRoute("/", "x")),
    ("GET", "/-/read?url=http://a", OwnPageRoute("/-/read", "url=http://a")),
    ("GET", "/elsewhere", OwnPageRoute("/elsewhere")),
    ("GET", "http://winnow.internal/-/setup", OwnPageRoute("/-/setup")),
    ("GET", "http://127.0.0.1:8080/-/health", OwnPageRoute("/-/health")),
    ("GET", "http://[::1]:8080/", OwnPageRoute("/")),
    ("GET", "http://127.0.0.1:81/", ForwardRoute(Target(Origin("http", "127.0.0.1", 81), "/"))),
    ("GET", "/https://a.example/x", ForwardRoute(Target(HTTPS, "/x"), Face.GATEWAY)),
    ("GET", "/http://a.example", ForwardRoute(Target(HTTP, "/"), Face.GATEWAY)),
    (
        "GET",
        "http://winnow.internal/https://a.example/x?y",
        ForwardRoute(Target(HTTPS, "/x?y"), Face.GATEWAY),
    ),
    ("GET", "/https:/a.example/x", ForwardRoute(Target(HTTPS, "/x"), Face.GATEWAY)),
    ("POST", "/https://a.example/x", ForwardRoute(Target(HTTPS, "/x"), Face.GATEWAY)),
    ("OPTIONS", "*", ReflectRoute()),
]


@pytest.mark.parametrize(("method", "target", "expected"), ROUTES)
def test_a_request_line_has_its_route(method: str, target: str, expected: Route) -> None:
    assert route(RequestHead(method, target, Headers()), POLICY) == expected


REFUSED = [
    ("GET", "ftp://a.example/", "bad-address"),
    ("GET", "http://", "bad-address"),
    ("GET", "http://a.example:0/", "bad-address"),
    ("GET", "http://a.example:65536/", "bad-address"),
    ("GET", "http://a b/", "bad-address"),
    ("GET", "http://a.example\\@b.example/", "bad-address"),
    ("GET", "http://[::1/", "bad-address"),
    ("CONNECT", "a.example:port", "bad-address"),
    ("CONNECT", "https://a.example/", "bad-address"),
]


@pytest.mark.parametrize(("method", "target", "reason"), REFUSED)
def test_an_address_that_is_none_is_refused(method: str, target: str, reason: str) -> None:
    decision = route(RequestHead(method, target, Headers()), POLICY)
    assert isinstance(decision, RefuseRoute)
    assert decision.reason == reason


SHEET = "/-/winnow/0123456789abcdef.css"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_the_style_sheet_below_a_pages_origin_is_ours_alone(method: str) -> None:
    inside = RequestHead(method, SHEET, Headers((("Host", "a.example"),)), inside=HTTPS)
    for head in (RequestHead(method, f"http://a.example{SHEET}", Headers()), inside):
        assert route(head, POLICY) == OwnPageRoute(SHEET)


@pytest.mark.parametrize(
    "path", ["/-/winnow/", "/-/winnow/0123.css", f"/a{SHEET}", f"{SHEET}x", "/-/settings"]
)
def test_all_else_below_a_pages_origin_is_the_sites(path: str) -> None:
    inside = RequestHead("GET", path, Headers((("Host", "a.example"),)), inside=HTTPS)
    assert route(inside, POLICY) == ForwardRoute(Target(HTTPS, path), Face.INTERCEPTED)
    outside = RequestHead("GET", f"http://a.example{path}", Headers())
    assert route(outside, POLICY) == ForwardRoute(Target(HTTP, path))
    sent = RequestHead("POST", f"http://a.example{SHEET}", Headers())
    assert route(sent, POLICY) == ForwardRoute(Target(HTTP, SHEET))


INSIDE: list[tuple[str, str, str, Route | int]] = [
    ("GET", "/x", "a.example", ForwardRoute(Target(HTTPS, "/x"), Face.INTERCEPTED)),
    ("GET", "/http://b", "a.example", ForwardRoute(Target(HTTPS, "/http://b"), Face.INTERCEPTED)),
    ("GET", "/x", "A.Example:443", ForwardRoute(Target(HTTPS, "/x"), Face.INTERCEPTED)),
    (
        "GET",
        "https://a.example/x",
        "a.example",
        ForwardRoute(Target(HTTPS, "/x"), Face.INTERCEPTED),
    ),
    ("OPTIONS", "*", "a.example", ForwardRoute(Target(HTTPS, "*"), Face.INTERCEPTED)),
    ("GET", "/x", "b.example", 421),
    ("GET", "https://b.example/x", "b.example", 421),
    ("GET", "http://a.example/x", "a.example", 421),
    ("CONNECT", "a.example:443", "a.example", 400),
]  # fmt: skip


@pytest.mark.parametrize(("method", "target", "host", "expected"), INSIDE)
def test_within_intercepted_tls_only_that_origin_is_reached(
    method: str, target: str, host: str, expected: Route | int
) -> None:
    head = RequestHead(method, target, Headers((("Host", host),)), inside=HTTPS)
    decision = route(head, POLICY)
    assert (decision.status if isinstance(decision, RefuseRoute) else decision) == expected


@pytest.mark.parametrize(
    "via", ["1.1 winnow-1", "1.0 x, 1.1 Winnow-1 (comment)", "1.1 WINNOW-1, 1.1 y"]
)
def test_a_loop_is_refused_whatever_the_way(via: str) -> None:
    head = RequestHead("GET", "http://a.example/", Headers((("Via", via),)))
    assert isinstance(route(head, POLICY), RefuseRoute)


def test_another_proxy_is_no_loop() -> None:
    head = RequestHead("GET", "http://a.example/", Headers((("Via", "1.1 winnow-2"),)))
    assert isinstance(route(head, POLICY), ForwardRoute)


@pytest.mark.parametrize(
    ("method", "hops", "goes", "left"),
    [
        ("TRACE", "0", False, None),
        ("OPTIONS", "0", False, None),
        ("OPTIONS", "5", True, "4"),
        ("OPTIONS", "000", False, None),
        ("TRACE", "9" * 5000, True, str(2**31 - 1)),
        ("GET", "0", True, None),
        ("OPTIONS", "many", True, None),
    ],
)
def test_max_forwards_counts_for_options_and_trace(
    method: str, hops: str, goes: bool, left: str | None
) -> None:
    head = RequestHead(method, "http://a.example/", Headers((("Max-Forwards", hops),)))
    assert isinstance(route(head, POLICY), ForwardRoute) is goes
    if goes:
        assert travels_on(head) == left


@pytest.mark.parametrize("path", ["/favicon.ico", "/apple-touch-icon.png"])
def test_an_icon_is_not_requested_of_the_site_of_a_page_that_was_refused(path: str) -> None:
    referer = ("Referer", "http://127.0.0.1:8080/http://192.168.1.1/secret")
    assert route(RequestHead("GET", path, Headers((referer,))), POLICY) == OwnPageRoute(path)


@pytest.mark.parametrize("path", ["/style.css", "/"])
def test_a_strayed_address_returns_to_the_page_that_named_it(path: str) -> None:
    referer = ("Referer", "http://127.0.0.1:8080/https://a.example:444/deep/page")
    head = RequestHead("GET", path, Headers((referer,)))
    assert route(head, POLICY) == RedirectRoute(f"/https://a.example:444{path}")


@pytest.mark.parametrize("referer", ["", "http://127.0.0.1:8080/-/why?url=https://a.example/"])
def test_our_first_page_is_ours_from_elsewhere(referer: str) -> None:
    fields = (("Referer", referer),) if referer else ()
    assert route(RequestHead("GET", "/", Headers(fields)), POLICY) == OwnPageRoute("/")


@given(st.text(max_size=60), st.sampled_from(["GET", "CONNECT", "OPTIONS"]))
def test_no_target_raises(target: str, method: str) -> None:
    assert route(RequestHead(method, target, Headers()), POLICY) is not None
