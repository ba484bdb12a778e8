"""Saves what a paired browser extension sends: the page as its reader sees it, or its address."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from winnow.document.values import Format, Page
from winnow.features.saved.save_page import PageSaver, page_of
from winnow.features.show.show import posted_recipe
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.http.sentences import says
from winnow.proxy.own.handlers.article_fetch import Record
from winnow.proxy.own.router import OwnRequest


@dataclass(frozen=True)
class SaveSent:
    """``transform`` keeps and learns nothing of what it renders."""

    saver: PageSaver
    transform: Transform
    policy: Callable[[], Policy]

    async def __call__(self, request: OwnRequest, owner: str) -> int:
        """The number of the saved page. Raises ProxyError.

        Without a body the page is fetched, from public addresses alone.
        """
        url = parse_url(request.query.get("url", "")).url
        body = await request.body(self.policy().largest_body)
        if body.strip():
            record = await self._as_seen(Page(body, url, "utf-8"))
        else:
            record = await self.saver.articles.record(url, request)
        page = page_of(record, url, request.query.get("tags", ""))
        if not page.text.strip():
            raise ClientFaultError(says("This page has no text to save."), 422, "empty")
        return await self.saver.save(owner, page, request.permit)

    async def _as_seen(self, page: Page) -> Record:
        recipe = posted_recipe(self.policy().recipe, Format.JSON)
        rendered = await self.transform(page, recipe)
        record: Record = json.loads(rendered.body)
        return record
