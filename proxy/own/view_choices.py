"""What readers chose for the view of pages: original or extracted for an hour, and the appearance.

The appearance is stored twice: in a cookie of Winnow's own host name, where several people may
share an address; and in the library by RequestHead.owner, for other sites' pages, which get no such
cookie.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cachetools import TTLCache

from winnow.config.appearance import Appearance, Voice
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.preferences import RequestMode
from winnow.proxy.own.templates.appearance_style import read_word, style_of
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.notices import Notify, notify_nobody

VIEW_SECONDS: Final = 3600.0
"""How long a view is remembered; the line in an original says so."""
MAX_VIEWS: Final = 4096
COOKIE: Final = "winnow-looks"


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


@dataclass(frozen=True)
class AppearanceChoices:
    """Readers' choices; ``usual`` is the default."""

    library: LibraryStore = field(default_factory=LibraryStore)
    usual: Appearance = field(default_factory=Appearance)

    def of(self, request: RequestHead, *, ours: bool) -> Appearance:
        """``ours``: the page is read under our own name, where the cookie takes precedence."""
        stored = self.library.now.looks.get(request.owner, "")
        word = (request.cookie(COOKIE) if ours else "") or stored
        return read_word(word, self.usual) if word else self.usual

    def reads_aloud(self, request: RequestHead, prefix: str) -> bool:
        """Whether the reader chose the voice profile; ``prefix`` as below."""
        return self.of(request, ours=bool(prefix)).voice is Voice.ON

    def __call__(self, request: RequestHead, prefix: str) -> bytes:
        """The style of a reader page; ``prefix`` is that of links in the gateway."""
        return style_of(self.of(request, ours=bool(prefix)))
