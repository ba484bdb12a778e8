"""The pages of this feature, by path."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.document.addresses import host_of
from winnow.feature import Context
from winnow.features.books.book import BookPage
from winnow.features.books.feed import FeedPage
from winnow.features.books.opml import OPML, opml_page
from winnow.features.books.saved_markup import with_images
from winnow.proxy.own.handlers.article_fetch import ArticleFetch, within
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.handlers.page_parameters import address_of
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.base_page import STYLE as FRAME_STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, page_of

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


PRINT: Final = "/-/print"
_SCRIPT: Final = Markup(
    "addEventListener('load',()=>print());const b=document.getElementById('print');"
    "b.hidden=false;b.onclick=()=>print()"
)
_STYLE: Final = FRAME_STYLE + own_file(__package__, "printed_article.css")
_TEMPLATE: Final = page_template(__package__, "printed_article.html")


def print_page(
    record: Mapping[str, object], url: str, images: Mapping[str, tuple[bytes, str]]
) -> HtmlPage:
    """``record``: the JSON of an extraction, its content sanitised; ``images``: those it shows."""
    held = {source: _data(*image) for source, image in images.items()}
    facts = (record["byline"], record["siteName"] or host_of(url), record["publishedTime"])
    return page_of(
        _TEMPLATE,
        style=_STYLE,
        script=_SCRIPT,
        record=record,
        url=url,
        facts=[str(fact)[:200] for fact in facts if fact],
        content=Markup(with_images(str(record["content"]), held)),  # noqa: S704 - sanitised
    )


def _data(body: bytes, media_type: str) -> str:
    """An image as an address (RFC 2397)."""
    return f"data:{media_type};base64,{b64encode(body).decode()}"


def pages(context: Context) -> Mapping[str, OwnPage]:
    articles, workers = context.articles(), context.workers
    return people_pages(
        {
            "/-/book": BookPage(articles, workers),
            PRINT: PrintPage(articles),
            "/-/feed": FeedPage(context.fetcher(), context.transform, workers, context.policy),
            OPML: opml_page,
        }
    )
