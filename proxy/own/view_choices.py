"""What readers chose for the view of pages: original or extracted for an hour, and the appearance.

The appearance is stored twice: in a cookie of Winnow's own host name, where several people may
share an address; and in the library by RequestHead.owner, for other sites' pages, which get no such
cookie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cachetools import TTLCache

from winnow.config.appearance import Appearance, Voice
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.own.templates.in_page.appearance_style import read_word, style_of
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.notices import Notify, notify_nobody

VIEW_SECONDS: Final = 3600.0
"""How long a view is remembered; the line in an original says so."""
MAX_VIEWS: Final = 4096
COOKIE: Final = "winnow-looks"


IsLeftAlone = Callable[[str, str], bool]
"""Whether an owner's choice, or everybody's, is that a page's site is never changed."""


@dataclass(frozen=True, slots=True)
class _View:
    """``before``: what it replaced. ``by_never``: chosen with *never for this site*."""

    mode: RequestMode = RequestMode.AUTO
    before: RequestMode = RequestMode.AUTO
    by_never: bool = False


_USUAL: Final = _View()


class RequestedViews:
    """The view that an owner (RequestHead.owner) chose for the address of one page."""

    def __init__(self, is_left_alone: IsLeftAlone = lambda _owner, _page: True) -> None:
        self._views: TTLCache[tuple[str, str], _View] = TTLCache(MAX_VIEWS, VIEW_SECONDS)
        self._is_left_alone = is_left_alone
        self.notify: Notify = notify_nobody
        """Sends a change to the other processes, which call ``on_notify``."""

    async def choose(
        self, owner: str, page: str, mode: RequestMode, before: RequestMode = RequestMode.EXTRACT
    ) -> None:
        """Remember the view of a page; ``AUTO`` is the usual one. ``before``: what it replaces."""
        await self._store(owner, page, _View(mode, before))

    async def leave_alone(self, owner: str, page: str) -> None:
        """The original, where the site was left alone on this page: for as long as it is."""
        await self._store(owner, page, _View(RequestMode.ORIGINAL, by_never=True))

    async def switch(self, owner: str, page: str, mode: RequestMode) -> None:
        """A click on the page itself: from the original it leads back to what was shown before."""
        view = self._view(owner, page)
        if view.mode is RequestMode.ORIGINAL:
            shown = view.mode if mode is view.mode else view.before
            await self.choose(owner, page, shown, view.before)
        else:
            await self.choose(owner, page, mode, view.mode)

    async def _store(self, owner: str, page: str, view: _View) -> None:
        change = [owner, page, view.mode.value, view.before.value, "never" * view.by_never]
        self.on_notify(change)
        await self.notify(change)

    def on_notify(self, change: Sequence[str]) -> None:
        """A client chose, here or in another process of ours."""
        owner, page, mode, before, never = change
        self._views[owner, page] = _View(RequestMode(mode), RequestMode(before), bool(never))

    def of(self, owner: str, page: str) -> RequestMode:
        """``AUTO`` where nothing was chosen, too long ago, or with a *never* that was undone."""
        return self._view(owner, page).mode

    def _view(self, owner: str, page: str) -> _View:
        view = self._views.get((owner, page), _USUAL)
        is_over = view.by_never and not self._is_left_alone(owner, page)
        return _USUAL if is_over else view


@dataclass(frozen=True)
class AppearanceChoices:
    """Readers' choices; ``usual`` is the default."""

    library: LibraryStore = field(default_factory=LibraryStore)
    usual: Appearance = field(default_factory=Appearance)

    def of(self, request: RequestHead, *, ours: bool) -> Appearance:
        """``ours``: the page is read under our own name, where the cookie takes precedence."""
        word = self.word(request, ours=ours)
        return read_word(word, self.usual) if word else self.usual

    def word(self, request: RequestHead, *, ours: bool) -> str:
        """The chosen one as it is stored; "" for the default."""
        stored = self.library.now.looks.get(request.owner, "")
        return (request.cookie(COOKIE) if ours else "") or stored

    def reads_aloud(self, request: RequestHead, prefix: str) -> bool:
        """Whether the reader chose the voice profile; ``prefix`` as below."""
        return self.of(request, ours=bool(prefix)).voice is Voice.ON

    def __call__(self, request: RequestHead, prefix: str) -> bytes:
        """The style of a reader page; ``prefix`` is that of links in the gateway."""
        return style_of(self.of(request, ours=bool(prefix)))
