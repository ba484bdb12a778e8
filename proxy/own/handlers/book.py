"""``/-/book?url=...&url=...``: pages as the chapters of one EPUB, images included."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from itertools import islice
from typing import Any, Final, Protocol

from winnow.document.values import Format
from winnow.proxy.access.private_addresses import permit_across
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError
from winnow.proxy.http.request_target import completed
from winnow.proxy.own.handlers.page_parameters import NO_ADDRESS, every, recipe_at
from winnow.proxy.own.handlers.small import Shrinker
from winnow.proxy.own.handlers.time_limits import results_within
from winnow.proxy.own.router import OwnRequest, OwnResponse, only
from winnow.proxy.upstream.fetcher import Fetcher, host_of

MOST_PAGES: Final = 20
MOST_IMAGES: Final = 60
AT_ONCE: Final = 4
WIDTH: Final = 1000
LARGEST: Final = 120_000
"""Bytes of one image of a book."""
PATIENCE: Final = 30.0
"""Seconds for all images; later ones become links."""
_IMAGE: Final = re.compile(r'<img [^>]*?\bsrc="(https?://[^"]+)"')
"""In sanitised markup all attributes are quoted and escaped."""
Images = Mapping[str, tuple[bytes, str]]


class Binder(Protocol):
    """Writes books. Raises TransformError."""

    async def bind(
        self, chapters: Sequence[Mapping[str, Any]], title: str, images: Images
    ) -> bytes: ...


@dataclass(frozen=True)
class BookPage:
    """A page that cannot be fetched is an error, a missing image is not."""

    fetcher: Fetcher
    transform: Transform
    shrinker: Shrinker
    binder: Binder
    policy: Callable[[], Policy]
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        urls = [completed(url) for url in every(request, "url")]
        if not 1 <= len(urls) <= MOST_PAGES:
            message = f"Enter 1 to {MOST_PAGES} pages: /-/book?url=https://...&url=https://..."
            raise ClientFaultError(message, 400, "too-many" if urls else NO_ADDRESS)
        permit = request.permit
        tasks = (self._chapter(url, request, permit) for url in urls)
        chapters = await asyncio.gather(*tasks)
        pages = zip(urls, chapters, strict=True)
        wanted = {} if request.query.get("images") == "off" else images_of(pages, permit)
        images = await self._images(wanted)
        title = request.query.get("title", "")
        book = await self.binder.bind(chapters, title, images)
        saved = ("Content-Disposition", 'attachment; filename="winnow.epub"')
        return OwnResponse(book, "application/epub+zip", 200, (saved,))

    async def _chapter(self, url: str, request: OwnRequest, permit: Permit) -> dict[str, Any]:
        query = {**request.query, "format": "json"}
        recipe = recipe_at(query, url, request.head.owner, self.policy())
        async with self._places:
            page = await self.fetcher.page(url, permit)
            rendered = await self.transform(page, replace(recipe, format=Format.JSON))
        chapter: dict[str, Any] = json.loads(rendered.body)
        return chapter

    async def _images(self, wanted: Mapping[str, Permit]) -> Images:
        jobs = {url: self._image(url, permit) for url, permit in wanted.items()}
        images = await results_within(jobs, PATIENCE)
        return {url: image for url, image in images.items() if image[0]}

    async def _image(self, url: str, permit: Permit) -> tuple[bytes, str]:
        """A shrunk image and its media type; empty where it cannot be fetched."""
        async with self._places:
            try:
                fetched = await self.fetcher.get(url, permit, accept="image/*")
                if fetched.status != 200:
                    return b"", ""
                return await self.shrinker.shrink(fetched.body, WIDTH, LARGEST, webp=False)
            except ProxyError:
                return b"", ""


def images_of(
    pages: Iterable[tuple[str, Mapping[str, Any]]], permit: Permit
) -> Mapping[str, Permit]:
    """The addresses of the pages' images, each once, with its permit."""
    found: dict[str, Permit] = {}
    for page, chapter in pages:
        for address in map(unescape, _IMAGE.findall(chapter["content"])):
            found.setdefault(address, permit_across(permit, host_of(page), host_of(address)))
    return dict(islice(found.items(), MOST_IMAGES))
