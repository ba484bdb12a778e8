"""Has pages drawn; what that needs is loaded with the first of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache

from winnow.compose.pooled import PooledWorkers
from winnow.document.values import Page
from winnow.jobs.pool import Pool
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.messages import Sender
from winnow.proxy.upstream.fetcher import Fetcher
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.rendering.drawn_page import DrawnPage

Draw = Callable[[str, str], Awaitable[DrawnPage]]
Alternate = Callable[[Page], Awaitable[tuple[Page, str] | None]]


def drawing(client: OriginClient) -> Draw:
    """Draws pages in a browser of ours."""

    @cache
    def renderer() -> Draw:
        from winnow.rendering.page_renderer import PageRenderer  # noqa: PLC0415 - hardly ever needed

        return PageRenderer(client.connector)

    async def draw(url: str, ads: str) -> DrawnPage:
        return await renderer()(url, ads)

    return draw


def alternates_by(sender: Sender, pool: Pool) -> Alternate:
    """Fetches other forms of a page; a redirect could lead to another site, so none is followed."""

    @cache
    def pages() -> Alternate:
        from winnow.rendering.alternate_pages import AlternatePages  # noqa: PLC0415 - hardly ever needed

        fetcher = Fetcher(sender, Policy, max_redirects=0)
        return AlternatePages(fetcher, PooledWorkers(pool))

    async def alternate(page: Page) -> tuple[Page, str] | None:
        return await pages()(page)

    return alternate
