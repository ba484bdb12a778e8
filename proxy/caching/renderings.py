"""Renderings cached by what they are made of: never stale, since a transform is a pure function.

Knows sizes; shares nothing with the cache of origins' replies.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from winnow.document.values import Page, Recipe, Rendered
from winnow.jobs.rendering_key import MemoryKey, memory_key
from winnow.proxy.access.request_head import REQUESTER, log_failure
from winnow.proxy.caching.sized import SizedCache
from winnow.proxy.decisions.policy import Transform
from winnow.proxy.http.proxy_errors import TransformError
from winnow.proxy.http.reasons import Reason


def size_of(rendered: Rendered) -> int:
    """Bytes that a rendering takes, roughly."""
    texts = (rendered.title, rendered.next_page, *rendered.reasons)
    return len(rendered.body) + sum(map(len, texts)) + 600


class CachingTransform:
    """A Transform before another one: the same page and recipe are transformed once.

    Equal pages at the same time wait for one transform. ``limit``: bytes of all renderings; one
    may take an eighth of it.
    """

    def __init__(self, transform: Transform, limit: int) -> None:
        self.transform = transform
        self.largest = limit // 8
        self._cache: SizedCache[MemoryKey, Rendered] = SizedCache(limit)
        self._running: dict[MemoryKey, asyncio.Task[Rendered]] = {}

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        """Raises what the transform raises; a failure is not cached."""
        key = memory_key(page, await self.fingerprint(recipe))
        cached = self._cache.get(key)
        if cached is not None:
            return cached
        started = asyncio.get_running_loop().time()
        joined = self._running.get(key)
        try:
            # One client that leaves must not take the page from the others that wait for it.
            return await asyncio.shield(joined or self._start(key, page, recipe))
        except TransformError as error:
            if joined is None or error.reason != Reason.BUSY:
                raise
        # The one who began it had too many pages waiting; this client may have none.
        REQUESTER.set(replace(REQUESTER.get(), since=started))
        return await asyncio.shield(self._running.get(key) or self._start(key, page, recipe))

    def _start(self, key: MemoryKey, page: Page, recipe: Recipe) -> asyncio.Task[Rendered]:
        task = asyncio.create_task(self._render(key, page, recipe))
        self._running[key] = task
        task.add_done_callback(log_failure)
        return task

    @property
    def size(self) -> int:
        """Bytes cached now."""
        return self._cache.size

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own."""
        return await self.transform.fingerprint(recipe)

    async def aclose(self) -> None:
        await self.transform.aclose()

    async def _render(self, key: MemoryKey, page: Page, recipe: Recipe) -> Rendered:
        try:
            rendered = await self.transform(page, recipe)
        finally:
            del self._running[key]
        size = size_of(rendered) + len(page.url or "")
        if size <= self.largest:
            self._cache.put(key, rendered, size)
        return rendered
