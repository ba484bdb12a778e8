"""The fields of the request that goes to the origin; a pure function of the one that came."""

from __future__ import annotations

from winnow.proxy.access.referrers import UNKNOWN, referrer_of
from winnow.proxy.access.request_head import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.preferences import FIELDS
from winnow.proxy.decisions.routing import travels_on
from winnow.proxy.http.accept import limited_to
from winnow.proxy.http.content_coding import DECODABLE
from winnow.proxy.http.headers import Field, Headers, hop_by_hop
from winnow.proxy.http.origins import Target

_REFUSED_UPGRADES = frozenset({"h2c", "tls/1.0"})
"""Upgrades that would change HTTP itself under us."""


_ENDS_HERE = frozenset(("host", "expect", *FIELDS))


def relays_upgrade(request: RequestHead) -> bool:
    """Whether the connection may change to another protocol, which is then relayed."""
    return bool(request.upgrade) and request.upgrade.split("/", 1)[0] not in _REFUSED_UPGRADES


def outgoing(
    request: RequestHead, target: Target, prefix: str, policy: Policy, page: bool
) -> Headers:
    """What the origin gets. ``page`` says that the reply might be extracted.

    ``prefix`` is what stands before addresses in the gateway, "" outside of it.
    """
    headers = request.headers.without(hop_by_hop(request.headers) | _ENDS_HERE)
    if page and "accept-encoding" in headers:
        known = limited_to(headers.joined("accept-encoding"), DECODABLE)
        headers = headers.replaced(("Accept-Encoding", known))
    if prefix:
        headers = _without_gateway(headers, prefix)
    hops = travels_on(request)
    if hops is not None:
        headers = headers.replaced(("Max-Forwards", hops))
    length = headers.get("content-length")
    if length:  # its zeros could be more than the origin reads as a number
        headers = headers.replaced(("Content-Length", length.lstrip("0") or "0"))
    via = via_field(headers, request.version, policy)
    return Headers((("Host", target.origin.authority), *headers.replaced(via), *_framing(request)))


def via_field(headers: Headers, version: tuple[int, int], policy: Policy) -> Field:
    """Via with this hop added (RFC 9110, section 7.6.3)."""
    earlier = headers.joined("via")
    own = f"{version[0]}.{version[1]} {policy.name}"
    return "Via", f"{earlier}, {own}" if earlier else own


def _framing(request: RequestHead) -> tuple[Field, ...]:
    """How the body ends, written anew so that it is said once only."""
    if "transfer-encoding" in request.headers:
        return (("Transfer-Encoding", "chunked"),)
    if relays_upgrade(request):
        return (("Connection", "Upgrade"), ("Upgrade", request.headers.get("upgrade")))
    return ()


def _without_gateway(headers: Headers, prefix: str) -> Headers:
    """Referer and Origin of the page that made the request, as if it had not been shown by us.

    A page of another site is never made to look like one of the target's. To a browser all sites in
    the gateway are one, ours: what it keeps there, and the password that it gave us, is no single
    site's to see.
    """
    origin, referer = headers.get("origin"), headers.get("referer")
    page = referrer_of(referer, prefix.rstrip("/"))
    kept = headers.without(("referer", "origin", "cookie", "authorization"))
    if page.url or page.is_foreign:
        kept = kept.plus(("Referer", page.url or referer))
    if origin:
        is_ours = origin.lower() == prefix.rstrip("/").lower()
        kept = kept.plus(("Origin", (page.hosted or UNKNOWN) if is_ours else origin))
    return kept
