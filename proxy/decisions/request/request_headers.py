"""The fields of the request for the origin, from those of the client's request. Pure."""

from __future__ import annotations

from winnow.proxy.access.claimed_clients import TRACING_FIELDS
from winnow.proxy.access.referrers import UNKNOWN, referrer_of
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.preferences import FIELDS
from winnow.proxy.decisions.request.routing import travels_on
from winnow.proxy.http.accept import limited_to
from winnow.proxy.http.content_coding import DECODABLE
from winnow.proxy.http.headers import HOP_BY_HOP, Field, Headers, hop_by_hop
from winnow.proxy.http.request_target import Target

_REFUSED_UPGRADES = frozenset({"h2c", "tls/1.0"})
"""Upgrades to another version of HTTP."""
_ENDS_HERE = frozenset(("host", "expect", *FIELDS, *TRACING_FIELDS))
"""What joins the requests of a trace would join a reader's visits across sites."""
_REMOVED = HOP_BY_HOP | _ENDS_HERE


def relays_upgrade(request: RequestHead) -> bool:
    """Whether the connection may change to another protocol, which is then relayed."""
    return bool(request.upgrade) and request.upgrade.split("/", 1)[0] not in _REFUSED_UPGRADES


def outgoing(
    request: RequestHead, target: Target, prefix: str, policy: Policy, page: bool
) -> Headers:
    """The origin's request fields. ``page``: the response might be extracted.

    ``prefix`` stands before addresses in the gateway, "" outside of it.
    """
    headers = _without_gateway(request.headers, prefix) if prefix else request.headers
    changed: list[Field] = []
    if page and "accept-encoding" in headers:
        codings = limited_to(headers.joined("accept-encoding"), DECODABLE)
        changed.append(("Accept-Encoding", codings))
    hops = travels_on(request)
    if hops is not None:
        changed.append(("Max-Forwards", hops))
    length = headers.get("content-length")
    if length:  # its zeros could be more than the origin reads as a number
        changed.append(("Content-Length", length.lstrip("0") or "0"))
    changed.append(via_field(headers, request.version, policy))
    hop = hop_by_hop(request.headers)
    removed = _REMOVED if hop is HOP_BY_HOP else hop | _ENDS_HERE
    sent = headers.edited(removed, *changed)
    added = (*_framing(request), *_trailers(request), *_expectation(request))
    if target.origin.host in policy.traced_hosts:
        added += tuple(each for each in headers.fields if each[0].lower() in TRACING_FIELDS)
    return Headers((("Host", target.origin.authority), *sent.fields, *added))


def via_field(headers: Headers, version: tuple[int, int], policy: Policy) -> Field:
    """Via with this hop added (RFC 9110, section 7.6.3)."""
    earlier = headers.joined("via")
    own = f"{version[0]}.{version[1]} {policy.name}"
    return "Via", f"{earlier}, {own}" if earlier else own


def _framing(request: RequestHead) -> tuple[Field, ...]:
    """The fields of the body's framing, each exactly once."""
    if "transfer-encoding" in request.headers:
        return (("Transfer-Encoding", "chunked"),)
    if relays_upgrade(request):
        return (("Connection", "Upgrade"), ("Upgrade", request.headers.get("upgrade")))
    return ()


def _trailers(request: RequestHead) -> tuple[Field, ...]:
    """TE of a client that accepts trailers, which are forwarded (RFC 9110, section 10.1.4)."""
    fields = request.headers
    listed = request.version >= (2, 0) or "te" in fields.items("connection")
    accepts = listed and not request.upgrade and "trailers" in fields.items("te")
    return (("TE", "trailers"), ("Connection", "TE")) if accepts else ()


def _expectation(request: RequestHead) -> tuple[Field, ...]:
    """The one expectation there is, of a body (RFC 9110, section 10.1.1); HTTP/1.0 has none."""
    fields = request.headers
    has_body = "content-length" in fields or "transfer-encoding" in fields
    expects = request.version >= (1, 1) and "100-continue" in fields.items("expect")
    return (("Expect", "100-continue"),) if expects and has_body else ()


def _without_gateway(headers: Headers, prefix: str) -> Headers:
    """Referer and Origin of the page that made the request, as if it had not been shown by us.

    A page of another site never looks like one of the target's. To a browser all sites in the
    gateway are one, ours: its cookies there, and the password for us, are not sent to any site.
    """
    origin, referer = headers.get("origin"), headers.get("referer")
    page = referrer_of(referer, prefix.rstrip("/"))
    sent = headers.without(("referer", "origin", "cookie", "authorization"))
    if page.url or page.is_foreign:
        sent = sent.plus(("Referer", page.url or referer))
    if origin:
        is_ours = origin.lower() == prefix.rstrip("/").lower()
        sent = sent.plus(("Origin", (page.hosted or UNKNOWN) if is_ours else origin))
    return sent
