"""``/-/book?url=...&url=...``: pages as the chapters of one EPUB, images included."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from winnow.features.books.jobs import BindJob
from winnow.jobs.job_types import Workers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import completed
from winnow.proxy.http.sentences import says
from winnow.proxy.own.downloads import file_name, file_response
from winnow.proxy.own.handlers.article_fetch import ArticleFetch
from winnow.proxy.own.handlers.page_parameters import NO_ADDRESS, every
from winnow.proxy.own.router import OwnRequest, OwnResponse, only

MOST_PAGES: Final = 20


@dataclass(frozen=True)
class BookPage:
    """A page that cannot be fetched is an error, a missing image is not."""

    articles: ArticleFetch
    workers: Workers

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        urls = [completed(url) for url in every(request, "url")]
        if not 1 <= len(urls) <= MOST_PAGES:
            message = says(
                "Enter 1 to {most_pages} pages: /-/book?url=https://...&url=https://...",
                most_pages=MOST_PAGES,
            )
            raise ClientFaultError(message, 400, "too-many" if urls else NO_ADDRESS)
        records = (self.articles.record(url, request, request.query) for url in urls)
        chapters = await asyncio.gather(*records)
        pages = () if request.query.get("images") == "off" else zip(urls, chapters, strict=True)
        images = await self.articles.images(pages, request.permit, drawings=True)
        title = request.query.get("title", "")
        named = title or (str(chapters[0]["title"] or "") if len(chapters) == 1 else "")
        book = await self.workers.run(BindJob(chapters, title, images))
        return book_response(book, named)


def book_response(book: bytes, title: str) -> OwnResponse:
    """A book to be saved as a file, named by its title."""
    return file_response(book, "application/epub+zip", f"{file_name(title, 'winnow')}.epub")
