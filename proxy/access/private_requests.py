"""Decides whether a request to an address in the reader's own network is answered. Pure.

Browsers keep pages of public sites from the reader's network (Local Network Access, WICG). Behind a
proxy they cannot: only the proxy knows which addresses are private. Sources: Fetch Metadata Request
Headers (W3C), RFC 6454 (Origin), RFC 9110 section 10.1.3 (Referer).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from winnow.document.addresses import host_of
from winnow.proxy.access.own_faces import is_browser
from winnow.proxy.access.private_addresses import is_public_host, trusts
from winnow.proxy.access.referrers import origin_of
from winnow.proxy.http.headers import Headers

SAFE_METHODS: Final = frozenset({"GET", "HEAD"})
_OWN: Final = frozenset({"none", "same-origin"})
_EXTENSION: Final = "-extension://"


class PrivateAnswer(StrEnum):
    """``ask``: where a page can be shown; else it is refused."""

    ALLOW = "allow"
    ASK = "ask"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class PrivateRequest:
    """What the decision depends on: a request's fields as sent, "" where missing.

    ``names`` as in ``ClientPermit``, with the private addresses that their reader allowed.
    """

    host: str
    method: str = "GET"
    site: str = ""
    mode: str = ""
    dest: str = ""
    origin: str = ""
    referer: str = ""
    accept: str = ""
    is_upgrade: bool = False
    is_browser: bool = True
    names: frozenset[str] = frozenset()

    @property
    def is_safe(self) -> bool:
        """Whether it asks for something and changes nothing."""
        return self.method in SAFE_METHODS and not self.is_upgrade

    @property
    def is_top_level(self) -> bool:
        """Whether it opens a page in a window, as the browser says."""
        return self.is_safe and self.mode == "navigate" and self.dest == "document"

    @property
    def opens_a_page(self) -> bool:
        """Whether it may be a page in a window: a link, an address that was typed, or a frame."""
        return self.is_safe and "text/html" in self.accept


def private_request(
    host: str, method: str, headers: Headers, names: frozenset[str]
) -> PrivateRequest:
    """The input of ``decide``, read from a request."""
    return PrivateRequest(
        host,
        method,
        headers.joined("sec-fetch-site").lower(),
        headers.joined("sec-fetch-mode").lower(),
        headers.joined("sec-fetch-dest").lower(),
        headers.joined("origin"),
        headers.joined("referer"),
        headers.joined("accept"),
        "upgrade" in headers,
        is_browser(headers.get("user-agent")),
        names,
    )


def is_of_a_browser(headers: Headers) -> bool:
    """Whether a page may have caused the request: its client names itself as a browser or says
    which page asks."""
    says_page = headers.has_any(("origin", "referer", "sec-fetch-site"))
    return says_page or is_browser(headers.get("user-agent"))


def is_inside(host: str, names: frozenset[str]) -> bool:
    """Whether a host is of the reader's own network: a private address, a name of a local network,
    or a public name that may lead there."""
    return not is_public_host(host) or trusts(names, host)


def decide(request: PrivateRequest) -> PrivateAnswer:
    """Whether a request for a host that ``is_inside`` is answered."""
    if request.site in _OWN or _EXTENSION in request.origin:
        return PrivateAnswer.ALLOW
    if request.site and request.is_top_level:
        return PrivateAnswer.ALLOW  # a link, or a log-in that leads back
    if page := request.origin or request.referer:
        return _of_page(request, host_of(origin_of(page)))
    if request.site:
        return PrivateAnswer.REFUSE
    return _without_provenance(request)


def _of_page(request: PrivateRequest, host: str) -> PrivateAnswer:
    """``host``: of the page that asks, "" for one that is hidden."""
    if host and is_inside(host, request.names):
        return PrivateAnswer.ALLOW
    if request.opens_a_page and not request.site and not request.origin:
        return PrivateAnswer.ASK  # a link or a frame
    return PrivateAnswer.REFUSE


def _without_provenance(request: PrivateRequest) -> PrivateAnswer:
    """Over plain HTTP browsers say nothing of an address that is typed, nor of what a page requests
    that hides itself (``Referrer-Policy: no-referrer``)."""
    if not request.is_browser:
        return PrivateAnswer.ALLOW
    if not request.is_safe:
        return PrivateAnswer.REFUSE  # browsers send Origin with these
    if trusts(request.names, request.host):
        return PrivateAnswer.ALLOW
    return PrivateAnswer.ASK if request.opens_a_page else PrivateAnswer.REFUSE
