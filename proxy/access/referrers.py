"""The page that made a request, from its Referer (RFC 9110, section 10.1.3).

In the gateway pages of all sites have our origin. Their scripts do not run, so the browser alone
writes the path of a Referer with our origin, which names the site of the page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

_HOSTING: Final = re.compile(
    r"/-/(?:read|compare|why(?:/page|/part)?|feed|book|annotate)(?:[?#]|\Z)"
)
"""Own pages with the content of the page that their parameter ``url`` names."""
_GATEWAY: Final = re.compile(r"/(?:-/small/(?:[a-z0-9.]+/)?)?(https?:/.*)\Z", re.IGNORECASE)
_ORIGIN: Final = re.compile(
    r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(?=[/?#]|\Z)", re.IGNORECASE
)
_DEFAULT_PORTS: Final = {"http": "80", "https": "443"}
UNKNOWN: Final = "null"
"""The serialisation of an opaque origin (RFC 6454, section 6.1)."""


@dataclass(frozen=True, slots=True)
class Referrer:
    """``is_foreign``: another site's. ``hosted``: the origin of a page in the gateway, or "null".

    ``url`` is that page's address, "" if unknown. ``site``: the origin of another site's page.
    """

    is_foreign: bool = False
    is_own_page: bool = False
    hosted: str = ""
    url: str = ""
    site: str = ""

    @property
    def same(self) -> frozenset[str]:
        """The origins that are the page's own."""
        return frozenset({self.hosted} - {"", UNKNOWN})


def referrer_of(referer: str, own: str) -> Referrer:
    """Parse Referer; ``own`` is our origin as the client names it.

    Our front page counts as none: a gateway page with ``referrerpolicy=origin`` looks the same.
    """
    if not referer:
        return Referrer()
    start, path = referer[: len(own)], referer[len(own) :]
    if start.lower() != own.lower() or path[:1] not in ("", "/"):
        return Referrer(is_foreign=True, site=origin_of(referer))
    if _HOSTING.match(path):
        return _hosting(path)
    gateway = _GATEWAY.match(path)
    if gateway:
        return Referrer(hosted=origin_of(gateway[1]) or UNKNOWN, url=gateway[1])
    return Referrer(is_own_page=path.startswith("/-/"))


def _hosting(path: str) -> Referrer:
    """An own page with the content of the pages that its query names."""
    query = path.partition("?")[2].partition("#")[0]
    urls = [value for name, value in parse_qsl(query) if name == "url"]
    if not urls:
        return Referrer(is_own_page=True)
    origins = {origin_of(url) for url in urls}
    hosted = origins.pop() if len(origins) == 1 else ""
    is_sendable = bool(hosted) and urls[0].isascii() and urls[0].isprintable()
    return Referrer(hosted=hosted or UNKNOWN, url=urls[0] if is_sendable else "")


def origin_of(url: str) -> str:
    """The origin of an address without the default port; "" if the address is malformed."""
    match = _ORIGIN.match(url)
    if not match:
        return ""
    scheme, host = match[1].lower(), match[2].lower()
    port = match[3]
    return f"{scheme}://{host}" + (f":{port}" if port and port != _DEFAULT_PORTS[scheme] else "")
