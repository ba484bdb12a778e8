"""The authority and its contexts, made when they are first needed and not before.

Knows where the authority is kept; refuses to know who asks for it. What makes certificates is
imported then, too: most proxies open no TLS, and it takes as long as a tenth of their start.
"""

from __future__ import annotations

import asyncio
import ssl
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from winnow.proxy.access.request_head import log_failure
from winnow.proxy.stores.notices import Notices, Notify, notify_nobody

if TYPE_CHECKING:
    from winnow.proxy.tls.authority import Authority
    from winnow.proxy.tls.context_cache import ContextCache


class LazyAuthority:
    """Who never opens TLS never gets an authority."""

    def __init__(self, folder: Path, hostname: str, notices: Notices | None = None) -> None:
        self.notices = notices or Notices()
        self._folder = folder
        self._hostname = hostname
        self._contexts: ContextCache | None = None
        self._making: asyncio.Task[Authority] | None = None
        self.notify: Notify = notify_nobody
        """Awaited when leaves were dropped; other processes drop theirs (``on_notify``)."""

    async def authority(self) -> Authority:
        """The authority, read or made once. Raises ``AuthorityError``; the next call tries anew."""
        if self._making is None or (self._making.done() and self._making.exception()):
            work = asyncio.to_thread(_ensured, self._folder, self._hostname, self.notices)
            self._making = asyncio.ensure_future(work)
            self._making.add_done_callback(log_failure)
        return await asyncio.shield(self._making)

    async def known(self) -> Authority | None:
        """The authority if there is one; makes none. Raises ``AuthorityError``."""
        if self._making is None and not await asyncio.to_thread(_is_kept, self._folder):
            return None
        return await self.authority()

    async def replaced(self) -> list[str]:
        """The names of damaged authorities' files that were set aside, oldest first."""
        return await asyncio.to_thread(_set_aside, self._folder)

    @property
    def leaves(self) -> int:
        """How many hosts' certificates this process holds; none is ever on disk."""
        return len(self._contexts) if self._contexts else 0

    async def forget_leaves(self) -> None:
        """Hold no host's certificate any more, here and in the other processes."""
        self.on_notify()
        await self.notify(None)

    def on_notify(self, _told: None = None) -> None:
        """Another process forgot its hosts' certificates."""
        if self._contexts:
            self._contexts.forget()

    async def context_for(self, host: str) -> ssl.SSLContext:
        """What a client that asks for ``host`` is shown. Raises ``TlsError``."""
        authority = await self.authority()
        if self._contexts is None:
            from winnow.proxy.tls.context_cache import ContextCache  # noqa: PLC0415 - at hand since the authority

            self._contexts = ContextCache(authority)
        return await self._contexts.for_host(host)

    def close(self) -> None:
        """Let the minting thread go."""
        if self._contexts:
            self._contexts.close()


def _ensured(folder: Path, hostname: str, notices: Notices) -> Authority:
    """The authority, and all that makes certificates of it at hand; may take a while."""
    from winnow.proxy.tls.authority import ensure_authority  # noqa: PLC0415

    import_module("winnow.proxy.tls.context_cache")
    return ensure_authority(folder, hostname, notices=notices)


def _is_kept(folder: Path) -> bool:
    from winnow.proxy.tls.authority import FILE_NAME  # noqa: PLC0415

    return (folder / FILE_NAME).exists()


def _set_aside(folder: Path) -> list[str]:
    from winnow.proxy.tls.authority import FILE_NAME  # noqa: PLC0415

    return sorted(path.name for path in folder.glob(f"{FILE_NAME}.damaged-*"))
