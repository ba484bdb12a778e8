"""``/-/saved/export``: saved pages as a file. Nothing is fetched."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from winnow.features.books.book import book_response
from winnow.features.books.jobs import BindJob
from winnow.features.saved.jobs import MarkdownJob
from winnow.features.saved.save_page import record_of
from winnow.features.saved.saved_export import json_of, markdown_file, zipped
from winnow.features.saved.saved_pages import images_of
from winnow.features.saved.stores.saved_page import PageQuery, SavedEntry, SavedPage
from winnow.features.saved.stores.saved_page_store import Images, SavedPageStore
from winnow.features.saved.templates.saved_file_pages import export_page
from winnow.jobs.job_types import Workers
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.downloads import file_response
from winnow.proxy.own.handlers.form_checks import (
    refuse_strange_name,
)
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.translation import says

LARGEST_EXPORT: Final = 256 * 1024 * 1024
"""Bytes of texts and images of one file."""
MOST_CHAPTERS: Final = 100
AT_ONCE: Final = 4


@dataclass(frozen=True)
class SavedExport:
    """All pages of a reader, or those of a tag."""

    store: SavedPageStore
    workers: Workers

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        refuse_strange_name(request)
        tag, kind = request.query.get("tag", ""), request.query.get("format", "")
        if not kind:
            return shown(export_page(await self.store.tags(request.head.owner), tag))
        makers = {"json": self._json, "markdown": self._markdown, "epub": self._book}
        if kind not in makers:
            raise ClientFaultError(
                says("The formats are json, markdown and epub."), 400, "bad-format"
            )
        most = MOST_CHAPTERS if kind == "epub" else -1
        entries = await self.store.find(request.head.owner, PageQuery(tag=tag, limit=most))
        return await makers[kind](request, entries, tag)

    async def _json(
        self, request: OwnRequest, entries: Sequence[SavedEntry], _tag: str
    ) -> OwnResponse:
        images = request.query.get("images") == "on"
        pages = await self._pages(request.head.owner, entries, images=images)
        body = await asyncio.to_thread(json_of, pages)
        return file_response(body, "application/json", "winnow-saved.json")

    async def _markdown(
        self, request: OwnRequest, entries: Sequence[SavedEntry], _tag: str
    ) -> OwnResponse:
        pages = await self._pages(request.head.owner, entries, images=False)
        places = asyncio.Semaphore(AT_ONCE)

        async def written(page: SavedPage) -> tuple[str, str]:
            async with places:
                body = await self.workers.run(MarkdownJob(page.content, page.title))
            return page.title or page.url, markdown_file(page, body)

        files = await asyncio.gather(*(written(page) for page, _ in pages))
        return file_response(
            await asyncio.to_thread(zipped, files), "application/zip", "winnow-saved.zip"
        )

    async def _book(
        self, request: OwnRequest, entries: Sequence[SavedEntry], tag: str
    ) -> OwnResponse:
        read = [entry for entry in entries if entry.is_fetched]
        if not read:
            raise ClientFaultError(says("No saved page with its text is there."), 404, "not-found")
        pages = await self._pages(request.head.owner, read, images=True)
        images: Images = {url: image for _, some in pages for url, image in some.items()}
        chapters = [record_of(page) for page, _ in pages]
        book = await self.workers.run(BindJob(chapters, tag or "Saved pages", images))
        return book_response(book, tag or "winnow-saved")

    async def _pages(
        self, owner: str, entries: Sequence[SavedEntry], *, images: bool
    ) -> list[tuple[SavedPage, Images]]:
        """Whole pages. Raises ClientFaultError where they are too much for one file."""
        found: list[tuple[SavedPage, Images]] = []
        space = LARGEST_EXPORT
        for entry in entries:
            page = await self.store.page(owner, entry.number)
            if page is None:
                continue
            held = await images_of(self.store, owner, entry.number) if images else {}
            space -= (
                len(page.content) + len(page.text) + sum(len(body) for body, _ in held.values())
            )
            if space < 0:
                message = says("This is too much for one file. Export by tags, or without images.")
                raise ClientFaultError(message, 413, "too-large")
            found.append((page, held))
        return found
