"""Requests that are refused since a list of advertisements names their address. Pure."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from winnow.document.addresses import host_of
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.routing import (
    ForwardRoute,
    InterceptRoute,
    RefuseRoute,
    Route,
    TunnelRoute,
    referred_page,
)
from winnow.proxy.http.request_target import Origin
from winnow.proxy.http.sentences import N_, says
from winnow.proxy.stores.site_choice import SiteMode

_KINDS: Final = MappingProxyType(
    {
        "document": "document",
        "script": "script",
        "worker": "script",
        "serviceworker": "script",
        "sharedworker": "script",
        "image": "image",
        "style": "stylesheet",
        "font": "font",
        "iframe": "subdocument",
        "frame": "subdocument",
        "object": "object",
        "embed": "object",
        "audio": "media",
        "video": "media",
        "track": "media",
        "empty": "xmlhttprequest",
        "websocket": "websocket",
    }
)
"""What Adblock calls the request that Sec-Fetch-Dest tells of."""
MESSAGE: Final = N_(
    "This address is on a list of advertisements (ads.lists), and such requests are refused "
    "(ads.block). To reach it, choose “never change” for {host} on the settings page."
)


def unless_listed(request: RequestHead, route: Route, policy: Policy) -> Route:
    """The route, or the refusal of a request whose address a list names.

    Nothing is refused while Winnow is paused, nor at a site that is never changed.
    """
    found = _addressed(route)
    if found is None:
        return route
    origin, url = found
    kind = _KINDS.get(request.headers.get("sec-fetch-dest").lower(), "other")
    page = referred_page(request.headers.get("referer"))
    host = host_of(page) or (origin.host if kind == "document" else "")
    if not policy.lists(url, host, kind):
        return route
    is_free = policy.rule_for(origin, request.owner).mode is SiteMode.NEVER
    if is_free or policy.is_paused(request.owner):
        return route
    return RefuseRoute(403, "ad-list", says(MESSAGE, host=origin.host))


def _addressed(route: Route) -> tuple[Origin, str] | None:
    """The origin that a route leads to, and as much of the address as is known."""
    match route:
        case ForwardRoute(target):
            return target.origin, target.url
        case TunnelRoute(origin) | InterceptRoute(origin):
            return origin, f"{origin}/"
        case _:
            return None
