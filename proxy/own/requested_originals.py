"""Which pages a reader wants to see unchanged for the next ten minutes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cachetools import TTLCache

from winnow.proxy.stores.notify import Notify, notify_nobody

ORIGINAL_SECONDS: Final = 600.0


class RequestedOriginals:
    """Pages by owner (RequestHead.owner); the oldest is dropped beyond 4096."""

    def __init__(self) -> None:
        self._pages: TTLCache[tuple[str, str], bool] = TTLCache(4096, ORIGINAL_SECONDS)
        self.notify: Notify = notify_nobody
        """Sends owner and page to the other processes, which call ``on_notify``."""

    async def ask(self, owner: str, page: str) -> None:
        self._pages[owner, page] = True
        await self.notify([owner, page])

    def on_notify(self, message: Sequence[str]) -> None:
        """Take over what another process was asked for."""
        owner, page = message
        self._pages[owner, page] = True

    def shows(self, owner: str, page: str) -> bool:
        return bool(self._pages) and (owner, page) in self._pages
