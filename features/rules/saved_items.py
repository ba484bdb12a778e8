"""``/-/settings/saved``: a user's saved items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import OwnForms, served
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.navigation import SAVED
from winnow.proxy.own.templates.settings.all_settings_page import STYLE
from winnow.proxy.own.translation import says
from winnow.proxy.stores.library import Library, LibraryStore

_PURPOSE: Final = "forget {what}"
_TEMPLATE: Final = page_template(__package__, "saved_items.html")


@dataclass(frozen=True)
class SavedItems:
    """A user's own items of the library, each with a button that deletes it."""

    library: LibraryStore
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._done)

    async def _done(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        owner = request.head.owner
        steps: dict[str, Callable[[Library], Library]] = {
            "history": lambda now: now.without_history(owner),
            "bookmarks": lambda now: now.without_bookmarks(owner),
            "looks": lambda now: now.with_looks(owner, ""),
        }
        if fields.get("what") not in steps:
            raise ClientFaultError(says("There is no such item to delete."), 400, "bad-form")
        await self.library.change(steps[fields["what"]])
        return see_other(SAVED)

    def _page(self, request: OwnRequest) -> HtmlPage:
        owner, now = request.head.owner, self.library.now
        return page_of(
            _TEMPLATE,
            style=STYLE,
            library=now,
            looks=owner in now.looks,
            bookmarks=sum(entry.owner == owner for entry in now.bookmarks),
            recent=sum(entry.owner == owner for entry in now.recent),
            forms=OwnForms(self.tokens, owner, SAVED, _PURPOSE),
        )
