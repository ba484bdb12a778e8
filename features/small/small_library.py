"""The library of who reads on a small screen: bookmarks, a form of one button each, and history."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.features.small.small_request import SmallRequest
from winnow.features.small.templates.small_pages import button
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.own.handlers.form_checks import form_token
from winnow.proxy.own.translation import _
from winnow.proxy.stores.library import Library, LibraryEntry, LibraryStore
from winnow.proxy.stores.store_errors import StoreError

BOOKMARK_PURPOSE: Final = "bookmark {url}"
RENDER_PURPOSE: Final = "render {url}"
_LOG: Final = logging.getLogger("winnow.small")


@dataclass(frozen=True)
class SmallLibrary:
    """``history``: whether it lists what was read. Forms have tokens of their reader."""

    store: LibraryStore
    tokens: FormTokens
    history: bool

    def entry(self, visit: SmallRequest, url: str, title: str) -> LibraryEntry:
        """A page as its reader's library has it."""
        return LibraryEntry(url, title[:200], visit.owner)

    def mark_form(self, visit: SmallRequest, entry: LibraryEntry, do: str) -> Markup:
        """The form that adds or removes (``do``) a bookmark."""
        text = _("Remove") if do == "remove" else _("Bookmark this page")
        fields = {"url": entry.url, "title": entry.title, "do": do}
        return self._form(visit, "bookmark", BOOKMARK_PURPOSE, fields, text)

    def run_form(self, visit: SmallRequest, url: str) -> Markup:
        """The form that has a page's scripts run."""
        return self._form(visit, "render", RENDER_PURPOSE, {"url": url}, _("Run scripts and read"))

    def _form(
        self, visit: SmallRequest, to: str, purpose: str, fields: dict[str, str], text: str
    ) -> Markup:
        token = form_token(self.tokens, visit.owner, purpose, fields)
        return button(f"{visit.prefix}{to}", {**fields, "token": token}, text)

    async def note(
        self, visit: SmallRequest, entry: LibraryEntry, received: int, sent: int, *, first: bool
    ) -> None:
        """Add a page to the history, by its ``first`` part; bytes are counted of each."""

        def step(now: Library) -> Library:
            if first and self.history:
                return now.with_read(entry, received, sent)
            return now.with_bytes(received if first else 0, sent)

        await self.changed(visit, step)

    async def changed(self, visit: SmallRequest, step: Callable[[Library], Library]) -> None:
        """No other site's link writes there; an error of the library is only logged."""
        if not visit.is_from_here:
            return
        try:
            await self.store.change(step)
        except StoreError as error:
            _LOG.warning("the library was not saved: %s", error)
