"""The views of a site's own pages, below a prefix: ``/-/read/story`` shows ``/story``. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

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


def site_view(target: str, prefix: str) -> SiteView:
    """The view that a target in origin form asks for; any other name is a path of the site."""
    if target.startswith(prefix):
        name, slash, path = target.removeprefix(prefix).partition("/")
        if slash and name in VIEWS:
            return SiteView(name, f"/{path}")
    return SiteView("", target)
