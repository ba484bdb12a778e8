"""The views of a site's own pages, below a prefix: ``/-/read/story`` shows ``/story``. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.decisions.request.preferences import Preferences, from_query
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.request_target import Origin

COOKIE: Final = "winnow-original"
"""Its value: the path of a page whose original its reader chose."""
SECONDS: Final = 600
ORIGINAL: Final = "original"
VIEWS: Final[Mapping[str, Mapping[str, str]]] = {
    "read": {"mode": "extract"},
    "print": {"mode": "extract", "bar": "off"},
    "markdown": {"format": "markdown"},
    "text": {"format": "text"},
    "json": {"format": "json"},
    ORIGINAL: {"mode": "original"},
}
"""By name, the preferences that they stand for (winnow.proxy.decisions.request.preferences)."""


@dataclass(frozen=True, slots=True)
class SiteView:
    """``name``: one of VIEWS, "" where the page is asked for itself. ``path``: with its query."""

    name: str
    path: str


def health_path(target: str, prefix: str) -> str:
    """Our own page that says whether Winnow answers, whatever name it is asked by; "" for others.

    ``/-/health``, ``/-/live`` and ``/-/ready``, with ``prefix`` in place of ``/-/``.
    """
    name = target.removeprefix(prefix)
    return f"/-/{name}" if target != name and name in ("health", "live", "ready") else ""


def site_view(target: str, prefix: str) -> SiteView:
    """The view that a target in origin form asks for; any other name is a path of the site."""
    if target.startswith(prefix):
        name, slash, path = target.removeprefix(prefix).partition("/")
        if slash and name in VIEWS:
            return SiteView(name, f"/{path}")
    return SiteView("", target)


def chosen(public: Origin, path: str) -> Headers:
    """The fields of a redirect to a page whose original is shown from now on."""
    page = quote(path.partition("?")[0], safe="/%")
    cookie = f"{COOKIE}={page}; Path={page}; Max-Age={SECONDS}; HttpOnly; SameSite=Lax"
    location = ("Location", f"{public}{path}")
    return Headers((location, ("Set-Cookie", cookie), ("Cache-Control", "no-store")))


def preferred(head: RequestHead, view: SiteView, policy: Policy) -> Preferences | None:
    """What a view stands for; None: what the request's fields say."""
    name = view.name
    if not name and head.cookie(COOKIE) == quote(view.path.partition("?")[0], safe="/%"):
        name = ORIGINAL
    return from_query(VIEWS[name], policy.recipe) if name else None
