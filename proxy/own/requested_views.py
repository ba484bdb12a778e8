"""Which pages a reader wants to see as their site sends them, or extracted whatever they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cachetools import TTLCache

from winnow.proxy.decisions.preferences import RequestMode
from winnow.proxy.stores.notices import Notify, notify_nobody

VIEW_SECONDS: Final = 3600.0
"""How long a view is remembered; the line in an original says so."""
MAX_VIEWS: Final = 4096


class RequestedViews:
    """The view that an owner (RequestHead.owner) chose for the address of one page."""

    def __init__(self) -> None:
        self._views: TTLCache[tuple[str, str], RequestMode] = TTLCache(MAX_VIEWS, VIEW_SECONDS)
        self.notify: Notify = notify_nobody
        """Awaited with owner, page and mode, so that other processes know of it too."""

    async def choose(self, owner: str, page: str, mode: RequestMode) -> None:
        """Remember the view of a page; ``AUTO`` undoes what was chosen."""
        self.on_notify([owner, page, mode.value])
        await self.notify([owner, page, mode.value])

    def on_notify(self, change: Sequence[str]) -> None:
        """A client chose, here or in another process of ours."""
        owner, page, mode = change
        self._views[owner, page] = RequestMode(mode)

    def of(self, owner: str, page: str) -> RequestMode:
        """``AUTO`` where nothing was chosen, or too long ago."""
        return self._views.get((owner, page), RequestMode.AUTO)
