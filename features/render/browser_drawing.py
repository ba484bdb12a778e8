"""Has pages drawn; what that needs is loaded with the first of them: hardly anybody needs it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from winnow.document.values import Page
from winnow.features.render.drawn_page import DrawnPage
from winnow.features.render.rendering_transform import RenderingTransform
from winnow.jobs.job_types import Workers
from winnow.proxy.access.private_addresses import public_only
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.messages import Permit, Sender
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.fetcher import Fetcher

if TYPE_CHECKING:
    from winnow.features.render.alternate_pages import AlternatePages
    from winnow.features.render.page_renderer import PageRenderer


@dataclass(frozen=True)
class BrowserDrawing:
    """A ``Drawing``; ``permit``: where other forms of a page may come from."""

    connector: Connector
    sender: Sender
    workers: Workers
    permit: Permit = public_only

    def before(self, transform: Transform) -> Transform:
        return RenderingTransform(transform, self._drawn, self._alternate)

    async def page(self, url: str, ads: str) -> Page:
        return (await self._drawn(url, ads)).page

    async def _drawn(self, url: str, ads: str) -> DrawnPage:
        return await self._renderer(url, ads)

    async def _alternate(self, page: Page) -> tuple[Page, str] | None:
        return await self._alternates(page)

    @cached_property
    def _renderer(self) -> PageRenderer:
        from winnow.features.render.page_renderer import PageRenderer  # noqa: PLC0415 - see above

        return PageRenderer(self.connector)

    @cached_property
    def _alternates(self) -> AlternatePages:
        """A redirect could lead to another site, so none is followed."""
        from winnow.features.render.alternate_pages import AlternatePages  # noqa: PLC0415 - the same

        fetcher = Fetcher(self.sender, Policy, max_redirects=0)
        return AlternatePages(fetcher, self.workers, self.permit)
