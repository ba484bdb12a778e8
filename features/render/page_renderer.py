"""Draws a page in a browser, a few at a time; blocks no event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from winnow.chromium.errors import ChromiumError, NoChromiumError, NoSandboxError
from winnow.chromium.page_loader import LoadBounds, load
from winnow.chromium.request_gate import none_refused
from winnow.document.addresses import host_of
from winnow.document.values import Page
from winnow.extractors.crunch.ad_matching import load_ads
from winnow.extractors.errors import ParameterError
from winnow.features.render.browser_proxy import BrowserProxy, TrafficBounds
from winnow.features.render.drawn_page import DrawnPage
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.upstream.connections.connector import Connector

BUSY: Final = "busy"
NO_BROWSER: Final = "no-browser"
NO_SANDBOX: Final = "no-sandbox"
FAILED: Final = "render-failed"


@dataclass(frozen=True)
class PageRenderer:
    """``at_once`` browsers, and as many pages again that wait for one."""

    connector: Connector
    bounds: LoadBounds = field(default_factory=LoadBounds)
    traffic: TrafficBounds = field(default_factory=TrafficBounds)
    at_once: int = 1
    permit: Permit = public_only
    _places: asyncio.Semaphore = field(init=False)
    _waiting: list[None] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_places", asyncio.Semaphore(self.at_once))

    async def __call__(self, url: str, ads: str = "") -> DrawnPage:
        """The page as its scripts write it; ``ads``: the path of a list of advertisements.

        Raises TransformError, with the reason.
        """
        if len(self._waiting) >= 4 * self.at_once:
            raise TransformError(BUSY, "Too many pages are being rendered just now.")
        self._waiting.append(None)
        try:
            async with self._places:
                return await self._drawn(url, ads)
        finally:
            self._waiting.pop()

    async def _drawn(self, url: str, ads: str) -> DrawnPage:
        way = BrowserProxy(self.connector, self.traffic, self.permit)
        async with way:
            try:
                refuses = await asyncio.to_thread(ad_refusals, ads, url)
                drawn = await asyncio.to_thread(load, url, way.port, self.bounds, refuses)
            except NoChromiumError as error:
                raise TransformError(NO_BROWSER, str(error)) from error
            except NoSandboxError as error:
                raise TransformError(NO_SANDBOX, str(error)) from error
            except ParameterError as error:
                raise TransformError(FAILED, str(error)) from error
            except ChromiumError as error:
                raise TransformError(FAILED, _why(error, url, way.refused)) from error
        page = Page(drawn.markup.encode("utf-8", "replace"), drawn.url, "utf-8")
        return DrawnPage(page, drawn.goes_on)


def _why(error: ChromiumError, url: str, refused: list[str]) -> str:
    host = host_of(url)
    if host in refused:
        return (
            f"{host} cannot be reached, or is no public address: Winnow's browser opens no other."
        )
    return str(error)


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
