"""Cache keys of requests, and those that an unsafe request invalidates. Pure."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final
from urllib.parse import urljoin

from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, anywhere
from winnow.proxy.http.origins import Target, parse_target
from winnow.proxy.http.proxy_errors import ClientFaultError

_LOCAL = "local "
"""Prefix of responses for clients that may reach every address; no address begins so."""


LONGEST: Final = 512
"""Letters of an address that is its own key; a longer one's is a digest, so that keys are small."""


def key_of(request: OriginRequest) -> str:
    """The address; what only this machine's own clients may reach is kept apart from the rest."""
    url = _short(request.target.url)
    return _LOCAL + url if request.permit is anywhere else url


def invalidated_keys(request: OriginRequest, reply: Headers) -> tuple[str, ...]:
    """The keys that a successful unsafe request invalidates (RFC 9111, section 4.4).

    Location and Content-Location count where they name the same origin.
    """
    here = request.target
    urls_named = [reply.get(name) for name in ("location", "content-location") if name in reply]
    targets = [here, *(target for url in urls_named if (target := _absolute(here, url)))]
    urls = dict.fromkeys(_short(each.url) for each in targets if each.origin == here.origin)
    return tuple(key for url in urls for key in (url, _LOCAL + url))


def _short(url: str) -> str:
    if len(url) <= LONGEST:
        return url
    return "blake2b " + blake2b(url.encode("utf-8", "surrogatepass"), digest_size=32).hexdigest()


def _absolute(here: Target, url: str) -> Target | None:
    try:
        return parse_target(urljoin(here.url, url))
    except (ClientFaultError, ValueError):  # not an address that could be stored
        return None
