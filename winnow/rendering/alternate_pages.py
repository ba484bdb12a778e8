"""Fetches another form of a page, for one that its scripts write."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.document.values import Page
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.rendering.alternates import alternates


@dataclass(frozen=True, slots=True)
class AlternatePages:
    """``fetcher`` follows no redirect, or another site would be told the address."""

    fetcher: Fetcher
    permit: Permit = public_only

    async def __call__(self, page: Page) -> tuple[Page, str] | None:
        """The first of a page's other forms that answers, and what the page calls it."""
        for alternate in alternates(page):
            try:
                return await self.fetcher.page(alternate.url, self.permit), alternate.kind
            except ProxyError:
                continue  # the next one, or the browser
        return None
