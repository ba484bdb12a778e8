"""Requests to advertisers, which a page that is drawn does not get to make."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from winnow.chromium.request_gate import none_refused
from winnow.extractors.crunch.ad_matching import load_ads

_ELEMENTS: Final = MappingProxyType(
    {"Script": "script", "Stylesheet": "link", "Document": "iframe", "Image": "img"}
)
"""The element of a list's rules by the kind of request (DevTools, Network.ResourceType)."""


def ad_refusals(path: str, page: str) -> Callable[[str, str], bool]:
    """Whether a request of the page, by address and kind, is one of the list at ``path``.

    The page itself is never refused. Raises ParameterError if the list cannot be read.
    """
    ads = load_ads(path)
    if not ads:
        return none_refused
    on_page = ads.of(page)

    def refuses(url: str, kind: str) -> bool:
        return url != page and on_page.matches(url, _ELEMENTS.get(kind, ""))

    return refuses
