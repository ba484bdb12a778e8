"""Which page made a request, as its Referer tells (RFC 9110, section 10.1.3). Pure.

In the gateway pages of all sites have our origin. Their scripts never run, so that the path of a
Referer of ours is the browser's own word, and names the site whose page was shown there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

_HOSTING: Final = re.compile(r"/-/(?:read|compare|why|feed|book|annotate)(?:[?#]|\Z)")
"""Own pages that show a page's content, named by their parameter ``url``."""
_SHOWN: Final = re.compile(r"/(?:-/small/(?:[a-z0-9.]+/)?)?(https?:/.*)\Z", re.IGNORECASE)
_ORIGIN: Final = re.compile(
    r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?(?=[/?#]|\Z)", re.IGNORECASE
)
_DEFAULT_PORTS: Final = {"http": "80", "https": "443"}
UNKNOWN: Final = "null"
"""An opaque origin as it is serialised (RFC 6454, section 6.1)."""


@dataclass(frozen=True, slots=True)
class Referrer:
    """``is_foreign``: another site's. ``hosted``: the origin whose page we showed, or "null".

    ``url`` is the address of that page, "" if none is known.
    """

    is_foreign: bool = False
    is_own_page: bool = False
    hosted: str = ""
    url: str = ""

    @property
    def same(self) -> frozenset[str]:
        """The origins that are the page's own."""
        return frozenset({self.hosted} - {"", UNKNOWN})


def referrer_of(referer: str, own: str) -> Referrer:
    """The page that ``referer`` names; ``own`` is our origin as the client names it.

    Our front page counts as none: a shown page's ``referrerpolicy=origin`` looks the same.
    """
    if not referer:
        return Referrer()
    start, path = referer[: len(own)], referer[len(own) :]
    if start.lower() != own.lower() or path[:1] not in ("", "/"):
        return Referrer(is_foreign=True)
    if _HOSTING.match(path):
        return _hosting(path)
    shown = _SHOWN.match(path)
    if shown:
        return Referrer(hosted=origin_of(shown[1]) or UNKNOWN, url=shown[1])
    return Referrer(is_own_page=path.startswith("/-/"))


def _hosting(path: str) -> Referrer:
    """One of our pages with the content of those that its query names."""
    query = path.partition("?")[2].partition("#")[0]
    urls = [value for name, value in parse_qsl(query) if name == "url"]
    if not urls:
        return Referrer(is_own_page=True)
    origins = {origin_of(url) for url in urls}
    hosted = origins.pop() if len(origins) == 1 else ""
    is_sendable = bool(hosted) and urls[0].isascii() and urls[0].isprintable()
    return Referrer(hosted=hosted or UNKNOWN, url=urls[0] if is_sendable else "")


def origin_of(url: str) -> str:
    """The origin of an address, the default port left out; "" if it is written in an odd way."""
    match = _ORIGIN.match(url)
    if not match:
        return ""
    scheme, host = match[1].lower(), match[2].lower()
    port = match[3]
    return f"{scheme}://{host}" + (f":{port}" if port and port != _DEFAULT_PORTS[scheme] else "")
