"""Fields on their way: to the origin, and back to the client."""

from __future__ import annotations

import pytest

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.request_headers import outgoing
from winnow.proxy.decisions.response_headers import (
    RepresentationShape,
    in_gateway,
    outcome_fields,
    passed_on,
    transformed,
    varied,
)
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import ResponseHead
from winnow.proxy.http.reasons import WinnowAction
from winnow.proxy.http.request_target import parse_url

POLICY = Policy(name="me")
TARGET = parse_url("https://a.example:444/x")


GATEWAY = "http://reader:8080/"


def sent(*fields: Field, prefix: str = "", page: bool = False) -> Headers:
    request = RequestHead("GET", "https://a.example:444/x", Headers(fields))
    return outgoing(request, TARGET, prefix, POLICY, page)


def test_the_origin_gets_one_host_first_and_our_via_last() -> None:
    fields = sent(("Host", "evil.example"), ("X", "1"), ("Via", "1.0 them"))
    assert fields.fields == (
        ("Host", "a.example:444"),
        ("X", "1"),
        ("Via", "1.0 them, 1.1 me"),
    )


@pytest.mark.parametrize(
    "name",
    ["Winnow-Mode", "Winnow-Https", "Proxy-Authorization", "TE", "Keep-Alive", "Expect", "Upgrade"],
)
def test_what_is_for_us_ends_here(name: str) -> None:
    assert name not in sent((name, "x"))


@pytest.mark.parametrize(
    ("hosts", "is_sent"), [((), False), (("b.example",), False), (("a.example",), True)]
)
def test_the_trace_of_a_request_reaches_listed_hosts_alone(
    hosts: tuple[str, ...], is_sent: bool
) -> None:
    """Issue 44: it would join a reader's visits across sites."""
    fields = (("Traceparent", "00-1-2-01"), ("tracestate", "a=b"), ("Baggage", "user=ann"))
    request = RequestHead("GET", "https://a.example:444/x", Headers(fields))
    policy = Policy(name="me", traced_hosts=frozenset(hosts))
    went = outgoing(request, TARGET, "", policy, False)
    assert [name in went for name, _ in fields] == [is_sent] * 3


def test_chunks_are_announced_once_and_a_length_is_stored() -> None:
    chunked = sent(("Transfer-Encoding", "chunked"))
    assert chunked.every("transfer-encoding") == ("chunked",)
    assert sent(("Content-Length", "5")).every("content-length") == ("5",)


def test_only_for_a_page_the_codings_are_cut() -> None:
    accepting = ("Accept-Encoding", "sdch, br")
    assert sent(accepting, page=True).get("accept-encoding") == "br"
    assert sent(accepting).get("accept-encoding") == "sdch, br"


@pytest.mark.parametrize(
    ("referer", "origin", "expected"),
    [
        # A page shown in the gateway: its own address and origin, whatever the target is.
        ("https://a.example/story", "own", ("https://a.example/story", "https://a.example")),
        ("http://evil.example/", "own", ("http://evil.example/", "http://evil.example")),
        ("-/read?url=http://evil.example/&a=b", "own", ("http://evil.example/",) * 2),
        ("-/read?url=http://evil.example/%0d%0aX:1", "own", ("", "http://evil.example")),
        # Our own pages, and pages that hide: nothing is known of who asks.
        ("", "own", ("", "null")),
        ("-/settings", "own", ("", "null")),
        (None, "own", ("", "null")),
        (None, "null", ("", "null")),
        (None, "", ("", "")),
    ],
)
def test_the_origin_sees_which_page_in_the_gateway_asks(
    referer: str | None, origin: str, expected: tuple[str, str]
) -> None:
    fields: list[Field] = [("Cookie", "a=b"), ("Authorization", "Basic x")]
    if referer is not None:
        fields.append(("Referer", GATEWAY + referer))
    if origin:
        fields.append(("Origin", GATEWAY.rstrip("/") if origin == "own" else origin))
    made = sent(*fields, prefix=GATEWAY)
    assert (made.get("referer"), made.get("origin").rstrip("/")) == (
        expected[0],
        expected[1].rstrip("/"),
    )
    assert "cookie" not in made
    assert "authorization" not in made


def test_a_page_elsewhere_never_looks_like_one_of_the_target() -> None:
    foreign = ("Referer", "http://evil.example/https://a.example:444/x")
    made = sent(foreign, ("Origin", "http://evil.example"), prefix=GATEWAY)
    assert made.get("referer") == foreign[1]
    assert made.get("origin") == "http://evil.example"


def reply(*fields: Field) -> ResponseHead:
    return ResponseHead(200, "OK", Headers(fields))


def test_a_reply_loses_what_is_of_its_connection_and_what_leads_round_us() -> None:
    fields = passed_on(
        reply(
            ("Connection", "x-hop"),
            ("X-Hop", "1"),
            ("Keep-Alive", "1"),
            ("Alt-Svc", "h3"),
            ("Content-Length", "5"),
            ("Winnow-Action", "forged"),
            ("Set-Cookie", "a=b"),
            ("Set-Cookie", "c=d"),
        ),
        POLICY,
    )
    assert fields.fields == (("Set-Cookie", "a=b"), ("Set-Cookie", "c=d"), ("Via", "1.1 me"))


def test_a_transformed_page_says_nothing_that_is_true_of_the_original_only() -> None:
    old = reply(
        ("Content-Type", "text/html; charset=koi8-r"),
        ("Content-Encoding", "br"),
        ("ETag", "x"),
        ("Last-Modified", "x"),
        ("Content-Language", "ru"),
        ("Cache-Control", "max-age=5"),
        ("Strict-Transport-Security", "max-age=1"),
    )
    fields = transformed(old, POLICY, RepresentationShape(), 'W/"ours"')
    assert fields.every("content-type") == ("text/html; charset=utf-8",)
    assert fields.every("etag") == ('W/"ours"',)
    assert "content-encoding" not in fields
    assert "last-modified" not in fields
    assert fields.get("content-language") == "ru"
    assert fields.get("strict-transport-security") == "max-age=1"
    assert fields.get("cache-control") == "max-age=5, no-cache"


def test_vary_names_each_field_once() -> None:
    both = varied(Headers((("Vary", "accept, Cookie"),)))
    assert both.startswith("accept, Cookie, Accept-Encoding, ")
    assert both.lower().split(", ").count("accept") == 1
    assert varied(Headers((("Vary", "*"),))) == "*"


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("/b", "http://me/https://a.example/b"),
        ("c?d", "http://me/https://a.example/x/c?d"),
        ("//b.example/", "http://me/https://b.example/"),
        ("http://b.example/#f", "http://me/http://b.example/#f"),
        ("mailto:a@b.example", "mailto:a@b.example"),
    ],
)
def test_redirects_stay_in_the_gateway(location: str, expected: str) -> None:
    headers = Headers((("Location", location),))
    stored = in_gateway(headers, "https://a.example/x/y", "http://me/", ours=False)
    assert stored.get("location") == expected


OF_A_HOST = (
    ("Set-Cookie", "a=b"),
    ("Strict-Transport-Security", "max-age=9"),
    ("Clear-Site-Data", '"*"'),
    ("Service-Worker-Allowed", "/"),
    ("WWW-Authenticate", "Basic"),
    ("Access-Control-Allow-Origin", "*"),
)


@pytest.mark.parametrize("ours", [True, False])
def test_in_the_gateway_no_site_speaks_for_our_host(ours: bool) -> None:
    stored = in_gateway(Headers((*OF_A_HOST, ("X", "1"))), "https://a.example/", "http://me/", ours)
    assert not any(name in stored for name, _ in OF_A_HOST)
    assert stored.get("x") == "1"


def test_in_the_gateway_no_script_of_a_site_runs() -> None:
    theirs = Headers((("Content-Security-Policy", "default-src *"),))
    stored = in_gateway(theirs, "https://a.example/", "http://me/", ours=False)
    (policy,) = stored.every("content-security-policy")
    assert policy.startswith("sandbox ")
    assert "allow-scripts" not in policy


def test_in_the_gateway_no_site_sees_what_belongs_to_our_host() -> None:
    fields = sent(("Cookie", "a=b"), ("Authorization", "Basic eDp5"), prefix=GATEWAY)
    assert fields.fields == (("Host", "a.example:444"), ("Via", "1.1 me"))


def test_a_page_that_keeps_its_look_may_load_its_style_sheets() -> None:
    plain = transformed(reply(), POLICY, RepresentationShape(), "x").get("content-security-policy")
    pruned = transformed(reply(), POLICY, RepresentationShape(keeps_look=True), "x")
    assert "style-src 'self' 'unsafe-inline'" in plain
    assert "style-src * 'unsafe-inline'" in pruned.get("content-security-policy")


def test_what_happened_is_reported() -> None:
    assert outcome_fields(WinnowAction.EXTRACTED, "page", "bte", "fetch;dur=1.0") == (
        ("Winnow-Action", "extracted"),
        ("Winnow-Reason", "page"),
        ("Winnow-Extractor", "bte"),
        ("Server-Timing", "fetch;dur=1.0"),
    )
    assert outcome_fields(WinnowAction.ORIGINAL, "status") == (
        ("Winnow-Action", "original"),
        ("Winnow-Reason", "status"),
    )
