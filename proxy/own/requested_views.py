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
        self._views: TTLCache[tuple[str, str], tuple[RequestMode, RequestMode]] = TTLCache(
            MAX_VIEWS, VIEW_SECONDS
        )
        self.notify: Notify = notify_nobody
        """Sends owner, page and both modes to the other processes, which call ``on_notify``."""

    async def choose(
        self, owner: str, page: str, mode: RequestMode, before: RequestMode = RequestMode.EXTRACT
    ) -> None:
        """Remember the view of a page; ``AUTO`` is the usual one. ``before``: what it replaces."""
        change = [owner, page, mode.value, before.value]
        self.on_notify(change)
        await self.notify(change)

    async def switch(self, owner: str, page: str, mode: RequestMode) -> None:
        """A click on the page itself: from the original it leads back to what was shown before."""
        now, before = self._views.get((owner, page), (RequestMode.AUTO, RequestMode.AUTO))
        if now is RequestMode.ORIGINAL:
            await self.choose(owner, page, now if mode is now else before, before)
        else:
            await self.choose(owner, page, mode, now)

    def on_notify(self, change: Sequence[str]) -> None:
        """A client chose, here or in another process of ours."""
        owner, page, mode, before = change
        self._views[owner, page] = RequestMode(mode), RequestMode(before)

    def of(self, owner: str, page: str) -> RequestMode:
        """``AUTO`` where nothing was chosen, or too long ago."""
        return self._views.get((owner, page), (RequestMode.AUTO,))[0]
