"""Articles that own pages fetch for a reader, with their images, within bounds."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from html import unescape
from itertools import islice
from typing import Any, Final

from winnow.jobs.job_types import Workers
from winnow.jobs.page_jobs import ShrinkJob
from winnow.proxy.access.private_addresses import permit_across
from winnow.proxy.decisions.policy import Policy, Transform
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.own.handlers.page_parameters import article_recipe_at
from winnow.proxy.own.router import OwnRequest
from winnow.proxy.upstream.fetcher import Fetcher, host_of
from winnow.proxy.upstream.time_limits import results_within

MOST_IMAGES: Final = 60
AT_ONCE: Final = 4
WIDTH: Final = 1000
LARGEST: Final = 120_000
"""Bytes of one image."""
PATIENCE: Final = 30.0
"""Seconds for all images; later ones are left out."""
IMAGE: Final = re.compile(r'<img [^>]*?\bsrc="(https?://[^"]+)"')
"""In sanitised markup all attributes are quoted and escaped."""
SVG: Final = b"<svg"
_BEGINNING: Final = 4000
"""Bytes in which the root of a drawing stands."""
Images = Mapping[str, tuple[bytes, str]]
Record = Mapping[str, Any]


@dataclass(frozen=True)
class ArticleFetch:
    """A page that cannot be fetched is an error, a missing image is not."""

    fetcher: Fetcher
    transform: Transform
    workers: Workers
    policy: Callable[[], Policy]
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def record(
        self, url: str, request: OwnRequest, options: Mapping[str, str] | None = None
    ) -> Record:
        """The JSON of a page's extraction. Raises ProxyError.

        ``options``: the request's parameters (winnow.proxy.decisions.request.preferences).
        """
        recipe = article_recipe_at(options or {}, url, request.head.owner, self.policy())
        async with self._places:
            page = await self.fetcher.page(url, request.permit)
            rendered = await self.transform(page, recipe)
        record: Record = json.loads(rendered.body)
        return record

    async def images(
        self, pages: Iterable[tuple[str, Record]], permit: Permit, *, drawings: bool = False
    ) -> Images:
        """The images of pages by address, each made smaller.

        ``drawings``: SVG is among them as it came, for who sanitises it.
        """
        wanted = images_of(pages, permit)
        jobs = {url: self._image(url, permit, drawings) for url, permit in wanted.items()}
        images = await results_within(jobs, PATIENCE)
        return {url: images[url] for url in wanted if images.get(url, (b"",))[0]}

    async def _image(self, url: str, permit: Permit, drawings: bool) -> tuple[bytes, str]:
        """A shrunk image and its media type; empty where it cannot be fetched."""
        async with self._places:
            try:
                fetched = await self.fetcher.get(url, permit, accept="image/*")
                if fetched.status != 200:
                    return b"", ""
                if drawings and SVG in fetched.body[:_BEGINNING]:
                    return fetched.body, "image/svg+xml"
                return await self.workers.run(ShrinkJob(fetched.body, WIDTH, LARGEST))
            except ProxyError:
                return b"", ""


def images_of(pages: Iterable[tuple[str, Record]], permit: Permit) -> Mapping[str, Permit]:
    """The addresses of the pages' images, each once, with its permit."""
    found: dict[str, Permit] = {}
    for page, record in pages:
        for address in map(unescape, IMAGE.findall(record["content"])):
            found.setdefault(address, permit_across(permit, host_of(page), host_of(address)))
    return dict(islice(found.items(), MOST_IMAGES))


def within(images: Images, space: int) -> Images:
    """The first images that fit into so many bytes together."""
    kept: dict[str, tuple[bytes, str]] = {}
    for url, (body, media_type) in images.items():
        if len(body) <= space:
            kept[url] = body, media_type
            space -= len(body)
    return kept
