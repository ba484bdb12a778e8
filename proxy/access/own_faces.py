"""Decides who may use the gateway, the API and own pages, and which addresses they may fetch.

A test compares ``decide`` with the table in docs/security.md. Sources: Fetch Metadata Request
Headers (W3C), RFC 6454 (Origin), RFC 9110 section 10.1.3 (Referer).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from winnow.document.addresses import host_of
from winnow.proxy.access.own_addresses import OwnFace
from winnow.proxy.access.private_addresses import is_public_host
from winnow.proxy.access.referrers import Referrer, referrer_of
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.sentences import N_


class Credential(StrEnum):
    """``token``: from an own page's form, for this client; ``image``: see ``image_signatures``.

    ``extension``: see ``extension_pairing``.
    """

    NONE = "none"
    PASSWORD = "password"  # noqa: S105  # names a kind of proof, holds no secret
    API_KEY = "api-key"
    TOKEN = "token"  # noqa: S105  # as above
    IMAGE = "image"
    EXTENSION = "extension"


class Reach(StrEnum):
    """Which addresses may be fetched."""

    CLIENT = "everything the client may"
    PUBLIC = "public addresses only"


@dataclass(frozen=True, slots=True)
class Allowed:
    reach: Reach


@dataclass(frozen=True, slots=True)
class Refused:
    status: int
    reason: str
    sentence: str


Decision = Allowed | Refused


@dataclass(frozen=True, slots=True)
class FaceRequest:
    """What the decision depends on. Request fields are as sent, "" where missing.

    ``own`` is our origin as the client names it, such as ``http://127.0.0.1:8080``;
    ``is_own_host`` is false under a name that is not ours (DNS rebinding). ``targets`` are the
    origins to be fetched. ``is_redirected``: by a page in the gateway, after which browsers send
    Sec-Fetch-Site ``none`` as for a typed address. ``asks_password``: users are configured.
    """

    face: OwnFace
    own: str
    method: str = "GET"
    site: str = ""
    mode: str = ""
    dest: str = ""
    origin: str = ""
    referer: str = ""
    user_agent: str = ""
    targets: frozenset[str] = frozenset()
    credential: Credential = Credential.NONE
    is_own_host: bool = True
    is_loopback: bool = True
    is_upgrade: bool = False
    is_redirected: bool = False
    asks_password: bool = False


CROSS_SITE: Final = Refused(
    403, "cross-site", N_("Another site sent this request. Open the address yourself instead.")
)
STRANGE_NAME: Final = Refused(
    421,
    "misdirected",
    N_("Winnow does not answer to this name. Use its address, or add the name to access.names."),
)
PASSWORD: Final = Refused(
    401, "password", N_("Winnow requires a user name and a password, which its owner assigns.")
)
REDIRECTED_COOKIE: Final = "winnow-redirected"
"""Its value: the origin to which a page in the gateway has just redirected, or "null"."""
_BY_KEY: Final = {Credential.API_KEY: Reach.CLIENT, Credential.EXTENSION: Reach.PUBLIC}
_SAFE: Final = frozenset({"GET", "HEAD"})
_OF_A_USER: Final = frozenset({"", "none", "same-origin"})
"""Values of Sec-Fetch-Site other than those for another site."""


def decide(request: FaceRequest) -> Decision:
    """Whether the request is answered, and which addresses may be fetched for it."""
    if request.face is OwnFace.HARMLESS:
        return Allowed(Reach.PUBLIC)
    if not request.is_own_host:
        return _under_strange_name(request)
    if request.face is OwnFace.SHOW:
        return Allowed(Reach.PUBLIC) if _opens_a_page(request) else CROSS_SITE
    if request.credential in _BY_KEY:  # no page can send a key without a preflight
        return Allowed(_BY_KEY[request.credential])
    if _is_of_another_site(request) or (request.is_upgrade and not _may_upgrade(request)):
        return Allowed(Reach.PUBLIC) if _is_signed_image(request) else CROSS_SITE
    return _of_no_other_site(request)


def _of_no_other_site(request: FaceRequest) -> Decision:
    if request.face is OwnFace.AUDIO and not _is_asked_by_us(request):
        return CROSS_SITE
    return Allowed(Reach.CLIENT if _is_for_the_client(request) else Reach.PUBLIC)


def _under_strange_name(request: FaceRequest) -> Decision:
    if request.credential in (Credential.PASSWORD, Credential.API_KEY):
        return CROSS_SITE if _is_of_another_site(request) else Allowed(Reach.PUBLIC)
    return PASSWORD if request.asks_password else STRANGE_NAME


def _is_of_another_site(request: FaceRequest) -> bool:
    """Whether another site's page made the request, other than by a top-level navigation."""
    if _has_foreign_origin(request):  # a preflight always has one
        return True
    if request.site not in _OF_A_USER:
        is_top_level = request.mode == "navigate" and request.dest == "document"
        return not is_top_level or request.method not in _SAFE or request.is_upgrade
    is_unsafe = request.method not in _SAFE and not request.origin and not request.site
    return is_unsafe and _referrer(request).is_foreign


def _is_asked_by_us(request: FaceRequest) -> bool:
    """Whether one of our own pages, a typed address or a program asks: no link of another site."""
    if request.is_redirected:
        return False
    if request.referer:
        return _referrer(request).is_own_page
    return request.site == "none" or (not request.site and not is_browser(request.user_agent))


def _opens_a_page(request: FaceRequest) -> bool:
    """Whether a form, of any site, was sent to be seen in a window of its own: it then asks."""
    seen = request.mode in ("", "navigate") and request.dest in ("", "document")
    return seen and not request.is_upgrade


def _has_foreign_origin(request: FaceRequest) -> bool:
    """``same-origin`` is trusted: where another server terminates TLS, schemes differ.

    But not from a browser extension: Firefox says so of any that may read our pages.
    """
    is_extension = "-extension:" in request.origin
    if not request.origin or (request.site == "same-origin" and not is_extension):
        return False
    return request.origin.lower() != request.own.lower()


def _is_signed_image(request: FaceRequest) -> bool:
    """Whether an image with a signed address is requested for display, without CORS.

    Chromium sends ``Origin: null`` with the images of a frame whose origin is opaque.
    """
    if request.credential is not Credential.IMAGE:
        return False
    is_shown = request.dest in ("", "image") and request.mode in ("", "no-cors")
    plain = request.origin in ("", "null") and not request.is_upgrade
    return is_shown and plain and request.method in _SAFE


def _may_upgrade(request: FaceRequest) -> bool:
    """Browsers always send Origin with a WebSocket's handshake (RFC 6455, section 4.1)."""
    if request.origin:
        return True  # ours: others were refused before
    return not request.site and not is_browser(request.user_agent)


def _is_for_the_client(request: FaceRequest) -> bool:
    """Whether the request is the user's or a program's own, not one of a page it was sent."""
    if _is_private_page_for_itself(request):
        return True
    if request.site not in _OF_A_USER:
        return False
    if request.credential is Credential.TOKEN:
        return True
    if request.is_redirected:
        return False
    return request.site == "none" or _is_of_the_page_itself(request)


def _is_private_page_for_itself(request: FaceRequest) -> bool:
    """Whether a page at a private address, read by proxy, leads to a view of itself, as *Why* does.

    None that has a public name: it could be made to lead to a private address (DNS rebinding).
    """
    if request.face is not OwnFace.FETCH or request.is_redirected:
        return False
    site = _referrer(request).site
    host = host_of(site)
    return bool(host) and request.targets == {site} and not is_public_host(host)


def _is_of_the_page_itself(request: FaceRequest) -> bool:
    """Whether an own page, a page for its own origin, or a program sent the request."""
    if request.referer:
        page = _referrer(request)
        return page.is_own_page or (bool(page.hosted) and request.targets <= page.same)
    if request.site or request.origin or is_browser(request.user_agent):
        return False
    return request.is_loopback or request.credential is Credential.PASSWORD


def _referrer(request: FaceRequest) -> Referrer:
    return referrer_of(request.referer, request.own)


def is_opened_here(headers: Headers, own: str) -> bool:
    """Whether an own page or a page in the gateway led to this one, or a program asks for it.

    A typed address is none of these: browsers send the same for one that a site redirects to.
    """
    if site := headers.joined("sec-fetch-site").lower():
        return site == "same-origin"
    if referer := headers.joined("referer"):
        return not referrer_of(referer, own).is_foreign
    return not is_browser(headers.get("user-agent"))


def is_browser(user_agent: str) -> bool:
    """Whether User-Agent names a graphical browser, which may run other sites' pages."""
    return "mozilla/" in user_agent.lower() or "opera/" in user_agent.lower()
