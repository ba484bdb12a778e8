"""``/-/print?url=``: a page's article with its images, and the browser's print dialog."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from winnow.features.books.templates.printed_article import print_page
from winnow.proxy.own.handlers.article_fetch import ArticleFetch, within
from winnow.proxy.own.handlers.page_parameters import address_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown

IMAGE_SPACE: Final = 4 * 1024 * 1024
"""Bytes of all images."""


@dataclass(frozen=True)
class PrintPage:
    """Images come from us, within bounds: sites do not see who prints."""

    articles: ArticleFetch

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        """Raises ProxyError."""
        only(request, "GET", "HEAD")
        url = address_of(request)
        record = await self.articles.record(url, request, request.query)
        images = await self.articles.images([(url, record)], request.permit)
        return shown(print_page(record, url, within(images, IMAGE_SPACE)))
