"""TLS contexts of intercepted hosts, created off the event loop and cached."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from cachetools import TTLCache

from winnow.proxy.access.requester import log_failure
from winnow.proxy.tls.authority import Authority
from winnow.proxy.tls.leaf_certificates import (
    certificate_name,
    leaf_chain,
    leaf_key,
    new_leaf,
)
from winnow.proxy.tls.listener_context import server_context

CAPACITY = 1024
CACHED_FOR = timedelta(days=30)


def _now() -> datetime:
    return datetime.now(UTC)


class ContextCache:
    """Server-side contexts by host.

    All leaves share one key, so that each costs one signature only.
    """

    def __init__(
        self,
        authority: Authority,
        capacity: int = CAPACITY,
        now: Callable[[], datetime] = _now,
        *,
        http2: bool = False,
    ) -> None:
        """``http2``: ALPN offers it."""
        self._authority, self._http2 = authority, http2
        self._key = leaf_key(authority)
        self._now = now
        self._cache: TTLCache[str, ssl.SSLContext] = TTLCache(capacity, CACHED_FOR.total_seconds())
        self._tasks: dict[str, asyncio.Task[ssl.SSLContext]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="winnow-leaf")

    async def for_host(self, host: str) -> ssl.SSLContext:
        """The context of ``host``, created once for concurrent callers.

        Raises ``NameRefusedError`` if ``host`` is no host name.
        """
        name = str(certificate_name(host))
        cached = self._cache.get(name)
        if cached is not None:
            return cached
        task = self._tasks.get(name) or self._start(name)
        return await asyncio.shield(task)  # a client that leaves must not cancel it for others

    def _start(self, name: str) -> asyncio.Task[ssl.SSLContext]:
        task = asyncio.ensure_future(self._create(name))
        self._tasks[name] = task
        task.add_done_callback(lambda _: self._tasks.pop(name, None))
        task.add_done_callback(log_failure)
        return task

    async def _create(self, name: str) -> ssl.SSLContext:
        loop = asyncio.get_running_loop()
        context = await loop.run_in_executor(self._thread, self.create, name)
        self._cache[name] = context
        return context

    def create(self, name: str) -> ssl.SSLContext:
        """A new context for ``name``, not cached. Blocks for some tenths of a millisecond."""
        leaf = new_leaf(self._authority, self._key, name, self._now())
        return server_context(leaf_chain(leaf, self._key), http2=self._http2)

    def __len__(self) -> int:
        """The number of cached hosts."""
        return len(self._cache)

    def forget(self) -> None:
        """Remove all; the next connection to a host creates its context again."""
        self._cache.clear()

    def close(self) -> None:
        """End the thread, after the work in its queue."""
        self._thread.shutdown(wait=True)
