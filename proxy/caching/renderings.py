"""Renderings cached by what they are made of, in this process and shared: never stale."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Protocol

from winnow.document.values import Page, Recipe, Rendered
from winnow.jobs.rendering_key import MemoryKey, memory_key, stored_key
from winnow.proxy.access.requester import REQUESTER, log_failure
from winnow.proxy.caching.memory_storage import SizedCache
from winnow.proxy.caching.tiered import CircuitBreaker
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
        # The client that began it had too many pages waiting; this one may have none.
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
        return await self.transform.fingerprint(recipe)

    async def aclose(self) -> None:
        self._cache.clear()
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


MAX_PENDING: Final = 64
MAX_PENDING_BYTES: Final = 16 * 1024 * 1024
"""Renderings being written to Redis at once; further ones are not stored there."""


class SharedValues(Protocol):
    """Bytes by key, shared by processes and instances. Both methods raise StorageError."""

    async def get(self, key: str) -> bytes | None: ...

    async def put(self, key: str, value: bytes) -> None: ...

    async def aclose(self) -> None: ...


class SharedTransform:
    """A Transform before another one. What fails at ``values`` is a miss, never an error.

    ``read`` raises ValueError for bytes that are no rendering.
    """

    def __init__(
        self,
        transform: Transform,
        values: SharedValues,
        breaker: CircuitBreaker,
        packing: tuple[Callable[[Rendered], bytes], Callable[[bytes], Rendered]],
    ) -> None:
        self.transform, self.values, self.breaker = transform, values, breaker
        self._write, self._read = packing
        self._pending: dict[asyncio.Task[object], int] = {}

    async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
        """Raises what the transform raises."""
        if self.breaker.is_open:
            return await self.transform(page, recipe)
        key = stored_key(page, await self.fingerprint(recipe))
        found = await self.breaker.attempt(lambda: self.values.get(key))
        stored = self._readable(found) if found else None
        if stored is not None:
            return stored
        rendered = await self.transform(page, recipe)
        self._store(key, rendered)
        return rendered

    async def fingerprint(self, recipe: Recipe) -> str:
        return await self.transform.fingerprint(recipe)

    async def aclose(self) -> None:
        """Close the connections; stored values stay."""
        for task in list(self._pending):
            task.cancel()
        await asyncio.gather(*self._pending, return_exceptions=True)
        await self.breaker.attempt(self.values.aclose)
        await self.transform.aclose()

    def _readable(self, found: bytes) -> Rendered | None:
        try:
            return self._read(found)
        except ValueError:
            return None

    def _store(self, key: str, rendered: Rendered) -> None:
        pending = sum(self._pending.values()) + len(rendered.body)
        if len(self._pending) >= MAX_PENDING or pending > MAX_PENDING_BYTES:
            return
        data = self._write(rendered)
        work = self.breaker.attempt(lambda: self.values.put(key, data))
        task: asyncio.Task[object] = asyncio.create_task(work)
        self._pending[task] = len(data)
        task.add_done_callback(self._pending.pop)
