"""Fetches another form of a page, for one that its scripts write."""

from __future__ import annotations

from dataclasses import dataclass

from winnow.document.values import Page
from winnow.features.render.alternates import FEED, Alternate, alternates
from winnow.features.render.jobs import FeedItemJob
from winnow.jobs.job_types import Workers
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.upstream.fetcher import FEEDS, Fetcher


@dataclass(frozen=True, slots=True)
class AlternatePages:
    """``fetcher`` follows no redirect, or another site would be told the address."""

    fetcher: Fetcher
    workers: Workers
    permit: Permit = public_only

    async def __call__(self, page: Page) -> tuple[Page, str] | None:
        """The first of a page's other forms that has it, and what the page calls it."""
        for alternate in alternates(page):
            try:
                found = await self._fetched(alternate, page.url or "")
            except ProxyError:
                continue  # the next one, or the browser
            if found:
                return found, alternate.kind
        return None

    async def _fetched(self, alternate: Alternate, url: str) -> Page | None:
        if alternate.kind != FEED:
            return await self.fetcher.page(alternate.url, self.permit)
        feed = await self.fetcher.get(alternate.url, self.permit, accept=FEEDS)
        if feed.status != 200:
            return None
        markup = await self.workers.run(FeedItemJob(feed.page, url))
        return Page(markup.encode(), url, "utf-8") if markup else None
