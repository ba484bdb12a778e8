"""TLS contexts for intercepted hosts: minted once each, off the event loop, in a bounded cache.

Knows how a leaf becomes an ``ssl.SSLContext``; refuses to know which hosts are intercepted.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from cachetools import TTLCache
from cryptography.hazmat.primitives.asymmetric import ec

from winnow.proxy.access.request_head import log_failure
from winnow.proxy.tls.authority import Authority
from winnow.proxy.tls.leaf_certificates import certificate_name, leaf_chain, new_leaf
from winnow.proxy.tls.listener_context import server_context

CAPACITY = 1024
KEPT = timedelta(days=30)


def _now() -> datetime:
    return datetime.now(UTC)


class ContextCache:
    """Server-side contexts, one a host.

    The leaf key is drawn once per run and shared by all leaves: a leaf then costs one signature,
    and whoever could read one key from this process's memory could read them all.
    """

    def __init__(
        self, authority: Authority, capacity: int = CAPACITY, now: Callable[[], datetime] = _now
    ) -> None:
        self._authority = authority
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._now = now
        self._kept: TTLCache[str, ssl.SSLContext] = TTLCache(capacity, KEPT.total_seconds())
        self._minting: dict[str, asyncio.Task[ssl.SSLContext]] = {}
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="winnow-leaf")

    async def for_host(self, host: str) -> ssl.SSLContext:
        """The context for ``host``; those who ask at once wait for the same minting.

        Raises ``NameRefusedError`` if ``host`` is no host name.
        """
        name = str(certificate_name(host))
        known = self._kept.get(name)
        if known is not None:
            return known
        task = self._minting.get(name) or self._start(name)
        return await asyncio.shield(task)  # one client going away must not fail the others

    def _start(self, name: str) -> asyncio.Task[ssl.SSLContext]:
        task = asyncio.ensure_future(self._mint(name))
        self._minting[name] = task
        task.add_done_callback(lambda _: self._minting.pop(name, None))
        task.add_done_callback(log_failure)
        return task

    async def _mint(self, name: str) -> ssl.SSLContext:
        loop = asyncio.get_running_loop()
        context = await loop.run_in_executor(self._thread, self.mint, name)
        self._kept[name] = context
        return context

    def mint(self, name: str) -> ssl.SSLContext:
        """A fresh context for ``name``, past the cache. Blocks for some tenths of a millisecond."""
        leaf = new_leaf(self._authority, self._key, name, self._now())
        return server_context(leaf_chain(leaf, self._key))

    def __len__(self) -> int:
        """How many hosts' certificates are held."""
        return len(self._kept)

    def forget(self) -> None:
        """Hold no certificate any more: the next connection to a host mints anew."""
        self._kept.clear()

    def close(self) -> None:
        """Let the minting thread go; what is being minted is finished first."""
        self._thread.shutdown(wait=True)
