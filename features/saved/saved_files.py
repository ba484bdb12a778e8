"""``/-/saved/import``: saved pages of a file. Nothing is fetched."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO, Final

from winnow.features.saved.imported_page import ImportedPage
from winnow.features.saved.jobs import GivenArticleJob
from winnow.features.saved.save_page import now
from winnow.features.saved.saved_import import LARGEST_UPLOAD, ImportJob, pages_in
from winnow.features.saved.stores.saved_page import SavedPage
from winnow.features.saved.stores.saved_page_store import Images, SavedPageStore
from winnow.features.saved.templates.saved_file_pages import import_page, imported_page
from winnow.jobs.job_types import Workers
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.memory_account import MemoryAccount
from winnow.proxy.http.form_data import form_spans
from winnow.proxy.http.proxy_errors import ClientFaultError, TransformError
from winnow.proxy.own.handlers.article_fetch import within
from winnow.proxy.own.handlers.form_checks import (
    check_token,
    form_token,
    refuse_cross_site,
    refuse_strange_name,
)
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, shown

PURPOSE: Final = "import saved pages"
AT_ONCE: Final = 4
_LONGEST_TOKEN: Final = 1024
_STATUS: Final = {"bad-import": 422, "too-large": 413, "worker-died": 413, "deadline": 413}
PORTION: Final = 100
"""Pages that are read or stored in one transaction."""


@dataclass(frozen=True)
class SavedImport:
    """``image_space``: bytes of the images of one page. Addresses are stored, never fetched.

    ``spools``: what uploads have on disk.
    """

    store: SavedPageStore
    workers: Workers
    tokens: FormTokens
    image_space: int
    spools: MemoryAccount = field(
        default_factory=partial(MemoryAccount, 2 * LARGEST_UPLOAD, 8 * LARGEST_UPLOAD)
    )

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD", "POST")
        refuse_strange_name(request)
        owner = request.head.owner
        if request.head.method != "POST":
            return shown(import_page(form_token(self.tokens, owner, PURPOSE, {})))
        refuse_cross_site(request)
        with tempfile.TemporaryDirectory(prefix="winnow-import-") as folder:
            source, sink = Path(folder) / "body", Path(folder) / "pages"
            held = self.spools.holding()
            try:
                with source.open("w+b") as file:
                    await request.spooled(LARGEST_UPLOAD, file, held)
                    start, end = self._checked(request, file)
                job = ImportJob(str(source), start, end, str(sink))
                found, left_out = await self._read(job)
                with sink.open("rb") as pages:
                    while portion := await asyncio.to_thread(pages_in, pages, PORTION):
                        await self._stored(owner, portion)
            finally:
                held.release()
        return shown(imported_page(found, left_out))

    def _checked(self, request: OwnRequest, body: BinaryIO) -> tuple[int, int]:
        """Where the export stands in the form. Raises ClientFaultError for a form without token."""
        if not body.tell():  # nothing can be mapped
            check_token(request, self.tokens, PURPOSE, {"token": ""})
        with mmap(body.fileno(), 0, access=ACCESS_READ) as form:
            parts = form_spans(form, request.head.headers.get("content-type"))
            start, end = parts.get("token", (0, 0))
            token = form[start : min(end, start + _LONGEST_TOKEN)].decode("utf-8", "replace")
        check_token(request, self.tokens, PURPOSE, {"token": token})
        return parts.get("file", (0, 0))

    async def _read(self, job: ImportJob) -> tuple[int, int]:
        """How many pages there are and how many were left out. Raises ClientFaultError."""
        try:
            return await self.workers.run(job, anew=True)
        except TransformError as error:
            status = _STATUS.get(error.reason, 503)
            raise ClientFaultError(error.sentence, status, error.reason) from error

    async def _stored(self, owner: str, pages: Sequence[ImportedPage]) -> None:
        places = asyncio.Semaphore(AT_ONCE)
        made = await asyncio.gather(*(self._harmless(page, places) for page in pages))
        await self.store.save_all(owner, made)

    async def _harmless(
        self, given: ImportedPage, places: asyncio.Semaphore
    ) -> tuple[SavedPage, Images]:
        """The page with sanitised content; without any where that cannot be made."""
        page = given.page if given.page.saved else replace(given.page, saved=now())
        if not page.content:
            return replace(page, text=""), {}
        try:
            async with places:
                article = await self.workers.run(GivenArticleJob(page.content))
        except TransformError:
            return replace(page, content="", text=""), {}
        is_as_given = article.content == page.content and page.text
        text = page.text if is_as_given else article.text
        page = replace(page, content=article.content, text=text)
        return page, within(given.images, self.image_space)
