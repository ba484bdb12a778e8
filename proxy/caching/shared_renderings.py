"""Renderings that several processes and instances share: made once by any of them.

Knows when to ask and when not to wait; how a rendering becomes bytes is injected.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from winnow.document.values import Page, Recipe, Rendered
from winnow.jobs.rendering_key import stored_key
from winnow.proxy.caching.circuit_breaker import CircuitBreaker
from winnow.proxy.decisions.policy import Transform

MAX_PENDING: Final = 64
MAX_PENDING_BYTES: Final = 16 * 1024 * 1024
"""Renderings that may be on their way to Redis at once; further ones are not stored there."""


class SharedValues(Protocol):
    """Bytes by key, elsewhere. Both methods raise StorageError."""

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
        known = self._readable(found) if found else None
        if known is not None:
            return known
        rendered = await self.transform(page, recipe)
        self._store(key, rendered)
        return rendered

    async def fingerprint(self, recipe: Recipe) -> str:
        """The transform's own."""
        return await self.transform.fingerprint(recipe)

    async def aclose(self) -> None:
        """Let go; what is kept stays."""
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
