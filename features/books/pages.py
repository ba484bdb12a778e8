"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Mapping

from winnow.feature import Context
from winnow.features.books.book import BookPage
from winnow.features.books.feed import FeedPage
from winnow.features.books.opml import OPML, opml_page
from winnow.features.books.print_page import PRINT, PrintPage
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.router import OwnPage


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
