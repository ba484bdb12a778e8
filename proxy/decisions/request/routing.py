"""Where a request goes, decided from its head alone. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from winnow.jobs.small_gateway import OWN_NAME, SMALL_PATH
from winnow.proxy.access.own_addresses import SHEETS
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.device_profiles import machine_options
from winnow.proxy.http.headers import number
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import (
    Origin,
    Target,
    origin_target,
    parse_authority,
    parse_target,
    parse_url,
    quoted,
)
from winnow.proxy.http.sentences import says


class Face(StrEnum):
    """How a request reached the proxy."""

    PROXY = "proxy"
    GATEWAY = "gateway"
    INTERCEPTED = "intercepted"


@dataclass(frozen=True, slots=True)
class ForwardRoute:
    """Send it to the origin."""

    target: Target
    face: Face = Face.PROXY


@dataclass(frozen=True, slots=True)
class TunnelRoute:
    """Relay bytes between client and this address; ``reason`` says why it is not intercepted."""

    origin: Origin
    reason: str = "not-intercepted"


@dataclass(frozen=True, slots=True)
class InterceptRoute:
    """Intercept the client's TLS to this address."""

    origin: Origin


@dataclass(frozen=True, slots=True)
class OwnPageRoute:
    """One of our own pages."""

    path: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class RedirectRoute:
    """Redirect to another address of the gateway or of a small page."""

    location: str


@dataclass(frozen=True, slots=True)
class ReflectRoute:
    """Answer OPTIONS or TRACE here: Max-Forwards is 0 (RFC 9110, section 7.6.2)."""


@dataclass(frozen=True, slots=True)
class RefuseRoute:
    """Refuse the request with this status."""

    status: int
    reason: str
    message: str


Route = (
    ForwardRoute
    | TunnelRoute
    | InterceptRoute
    | OwnPageRoute
    | RedirectRoute
    | ReflectRoute
    | RefuseRoute
)

_GATEWAY = re.compile(r"/(https?):/{1,2}([^/?#].*)\Z", re.IGNORECASE | re.DOTALL)
_PATHLESS = re.compile(r"https?://[^/?#]*\Z", re.IGNORECASE)
_REFERRED = re.compile(r"https?://[^/]+/(https?://[^?#]*)", re.IGNORECASE)
_SHEET = re.compile(rf"{SHEETS}[0-9a-f]{{16}}\.css\Z")
_OURS = frozenset({"/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"})
"""Browsers request icons by themselves, even of a refused page."""


def route(request: RequestHead, policy: Policy) -> Route:
    """Never raises: an invalid request is refused."""
    try:
        return answered_here(request, policy) or _route(request, policy)
    except ClientFaultError as error:
        return RefuseRoute(error.status, error.reason, str(error))


def is_own_face(route: Route) -> bool:
    """Whether a request is for one of our own faces, or for none: not for an origin by proxy."""
    return not isinstance(route, ForwardRoute) or route.face is Face.GATEWAY


def _route(request: RequestHead, policy: Policy) -> Route:
    if request.inside:
        return _intercepted(request, request.inside, policy)
    if request.method == "CONNECT":
        return _connect(request, policy)
    if request.target.startswith("/"):
        return _own_or_gateway(request, request.target, policy)
    if request.target == "*":
        return ReflectRoute()
    return _absolute(request, parse_target(request.target), policy)


def _absolute(request: RequestHead, target: Target, policy: Policy) -> Route:
    if request.redirected and _is_elsewhere(target.origin, request.redirected):
        return RefuseRoute(421, "misdirected", "This connection leads to another port.")
    if is_own(target.origin, policy):
        return _own_or_gateway(request, target.path, policy)
    if request.method in ("GET", "HEAD") and _is_old(request, policy):
        return RedirectRoute(f"http://{OWN_NAME}{SMALL_PATH}{target.url}")
    if request.method == "OPTIONS" and _PATHLESS.match(request.target):
        target = Target(target.origin, "*")  # RFC 9112, section 3.2.4
    return _forwarded(request, target, Face.PROXY)


def _forwarded(request: RequestHead, target: Target, face: Face) -> Route:
    """To the origin; the style sheets of our pages stand below each, whom nothing tells so."""
    if _SHEET.match(target.path) and request.method in ("GET", "HEAD"):
        return OwnPageRoute(target.path)
    return ForwardRoute(target, face)


def _is_old(request: RequestHead, policy: Policy) -> bool:
    """Whether an old machine asks that the owner named: it gets small pages alone."""
    return policy.gateway and bool(machine_options(request.headers, policy.devices))


def _connect(request: RequestHead, policy: Policy) -> Route:
    """Of a redirected connection the ClientHello, not the address, says which host is meant."""
    origin = parse_authority(request.target, "https")
    if request.redirected is None:
        spared = policy.spares(origin.host)
        return TunnelRoute(origin, spared) if spared else InterceptRoute(origin)
    if origin.address != request.redirected.address:
        return RefuseRoute(421, "misdirected", "This connection leads to another address.")
    return InterceptRoute(origin)


def _is_elsewhere(origin: Origin, redirected: Origin) -> bool:
    """Whether a request names what its client cannot have connected to."""
    return (origin.scheme, origin.port) != ("http", redirected.port)


def answered_here(request: RequestHead, policy: Policy) -> RefuseRoute | ReflectRoute | None:
    """Requests in a loop, and those whose Max-Forwards is 0."""
    if any(entry.split()[1:2] == [policy.name.lower()] for entry in request.headers.items("via")):
        return RefuseRoute(
            508, "loop", says("This request has come through this very proxy before.")
        )
    if request.method in ("TRACE", "OPTIONS") and _is_last_hop(request):
        return ReflectRoute()
    return None


def _is_last_hop(request: RequestHead) -> bool:
    return number(request.headers.get("max-forwards")) == 0


def _intercepted(request: RequestHead, inside: Origin, policy: Policy) -> Route:
    """Within intercepted TLS the origin is the one that CONNECT named."""
    if request.method == "CONNECT":
        return RefuseRoute(400, "bad-request", says("A tunnel within a tunnel is not offered."))
    if request.target == "*":
        return ForwardRoute(Target(inside, "*"), Face.INTERCEPTED)
    if request.target.startswith("/"):
        target = origin_target(inside, request.target)
    else:
        target = parse_target(request.target)
    host = request.headers.get("host")
    if target.origin != inside or (host and parse_authority(host, "https").host != inside.host):
        return RefuseRoute(
            421,
            "misdirected",
            says("This connection leads to {authority} only.", authority=inside.authority),
        )
    if is_own(inside, policy):
        return _own_or_gateway(request, target.path, policy)
    return _forwarded(request, target, Face.INTERCEPTED)


def is_own(origin: Origin, policy: Policy) -> bool:
    """Whether the proxy itself answers at this address."""
    return origin.address in policy.own_names or origin.host in policy.own_names


def _own_or_gateway(request: RequestHead, path: str, policy: Policy) -> Route:
    """An address of ours; ``path`` with its query, which in the gateway is an address itself."""
    match = _GATEWAY.match(path)
    if match and not policy.gateway:
        return RefuseRoute(
            403, "gateway-off", says("The gateway is switched off in the configuration.")
        )
    if match:
        return ForwardRoute(parse_url(quoted(f"{match[1]}://{match[2]}")), Face.GATEWAY)
    own = _own(path)
    if own.path == "/" and _is_old(request, policy):
        return OwnPageRoute(SMALL_PATH)
    if own.path in _OURS or own.path.startswith("/-/"):
        return own
    return _relative_to_referer(request, path, own)


def _relative_to_referer(request: RequestHead, path: str, own: OwnPageRoute) -> Route:
    """``/`` or ``/style.css`` requested by a page in the gateway means that page's own origin."""
    referred = _REFERRED.match(request.headers.get("referer"))
    if referred:
        origin = parse_url(quoted(referred[1])).origin
        return RedirectRoute(f"/{origin}{origin_target(origin, path).path}")
    return own


def referred_page(referer: str) -> str:
    """The address of the page that a Referer names; in the gateway it stands behind ours."""
    inside = _REFERRED.match(referer)
    return inside[1] if inside else referer


def _own(path: str) -> OwnPageRoute:
    bare, _, query = path.partition("#")[0].partition("?")
    return OwnPageRoute(bare, quoted(query))


def travels_on(request: RequestHead) -> str | None:
    """Max-Forwards for the next hop: one less for TRACE and OPTIONS, else unchanged (None)."""
    if request.method not in ("TRACE", "OPTIONS"):
        return None
    limit = number(request.headers.get("max-forwards"))
    return str(limit - 1) if limit else None
