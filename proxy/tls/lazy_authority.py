"""The authority and its contexts, created at first use.

The modules for certificates are imported then too: they take a tenth of the start, and most proxies
intercept nothing.
"""

from __future__ import annotations

import asyncio
import ssl
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from winnow.proxy.access.requester import log_failure
from winnow.proxy.stores.notices import Notices, Notify, notify_nobody

if TYPE_CHECKING:
    from winnow.proxy.tls.authority import Authority
    from winnow.proxy.tls.leaf_cache import ContextCache


class LazyAuthority:
    """A proxy that never intercepts TLS gets no authority."""

    def __init__(
        self,
        folder: Path,
        hostname: str,
        notices: Notices | None = None,
        shared: Path | None = None,
        *,
        http2: bool = False,
    ) -> None:
        """``http2``: the contexts offer it by ALPN; ``shared``: as in ``shared_authority``."""
        self.notices, self._http2 = notices or Notices(), http2
        self._folder, self._shared = folder, shared
        self._hostname = hostname
        self._contexts: ContextCache | None = None
        self._task: asyncio.Task[Authority] | None = None
        self.notify: Notify = notify_nobody
        """Awaited when leaves were removed; other processes remove theirs (``on_notify``)."""

    async def authority(self) -> Authority:
        """The authority, loaded or created once. Raises ``AuthorityError``; later calls retry."""
        if self._task is None or (self._task.done() and self._task.exception()):
            self._task = asyncio.ensure_future(asyncio.to_thread(self._ensured))
            self._task.add_done_callback(log_failure)
        return await asyncio.shield(self._task)

    async def existing(self) -> Authority | None:
        """The authority, None if there is none yet. Raises ``AuthorityError``."""
        is_made = self._shared or self._task is not None
        if not is_made and not await asyncio.to_thread(_exists, self._folder):
            return None
        return await self.authority()

    @property
    def expires(self) -> float | None:
        """When the authority's certificate ends, in seconds since 1970; None before its use."""
        if self._task is None or not self._task.done() or self._task.exception():
            return None
        return self._task.result().certificate.not_valid_after_utc.timestamp()

    async def set_aside_files(self) -> list[str]:
        """Names of damaged authorities' files that were set aside, oldest first."""
        return await asyncio.to_thread(_set_aside, self._folder)

    @property
    def leaves(self) -> int:
        """The number of hosts' certificates in this process; none is on disk."""
        return len(self._contexts) if self._contexts else 0

    async def forget_leaves(self) -> None:
        """Remove all hosts' certificates, here and in the other processes."""
        self.on_notify()
        await self.notify(None)

    def on_notify(self, _payload: None = None) -> None:
        """Remove all hosts' certificates of this process."""
        if self._contexts:
            self._contexts.forget()

    async def context_for(self, host: str) -> ssl.SSLContext:
        """The server-side context for ``host``. Raises ``TlsError``."""
        authority = await self.authority()
        if self._contexts is None:
            from winnow.proxy.tls.leaf_cache import ContextCache  # noqa: PLC0415 - imported with the authority

            self._contexts = ContextCache(authority, http2=self._http2)
        return await self._contexts.for_host(host)

    def _ensured(self) -> Authority:
        """The authority, with the modules for certificates imported. Blocks."""
        from winnow.proxy.tls.authority import ensure_authority, shared_authority  # noqa: PLC0415

        import_module("winnow.proxy.tls.leaf_cache")
        if self._shared:
            return shared_authority(self._shared)
        return ensure_authority(self._folder, self._hostname, notices=self.notices)

    def close(self) -> None:
        """End the contexts' thread."""
        if self._contexts:
            self._contexts.close()


def _exists(folder: Path) -> bool:
    from winnow.proxy.tls.authority import FILE_NAME  # noqa: PLC0415

    return (folder / FILE_NAME).exists()


def _set_aside(folder: Path) -> list[str]:
    from winnow.proxy.tls.authority import FILE_NAME  # noqa: PLC0415

    return sorted(path.name for path in folder.glob(f"{FILE_NAME}.damaged-*"))
