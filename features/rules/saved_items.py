"""``/-/settings/saved``: a user's saved items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import OwnForms, served
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.navigation import SAVED, navigation
from winnow.proxy.own.templates.settings.all_settings_page import STYLE
from winnow.proxy.own.translation import _, ngettext, number, says
from winnow.proxy.stores.library import Library, LibraryStore

_PURPOSE: Final = "forget {what}"


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
        lists = self._lists(self.library.now, request.head.owner)
        body = Markup("\n").join((lists, navigation(SAVED)))
        return styled_page(_("Saved items"), body, STYLE)

    def _form(self, owner: str, what: str, text: str) -> Markup:
        return OwnForms(self.tokens, owner, SAVED, _PURPOSE).button({"what": what}, text)

    def _lists(self, now: Library, owner: str) -> Markup:
        bookmarks = sum(entry.owner == owner for entry in now.bookmarks)
        recent = sum(entry.owner == owner for entry in now.recent)
        looks = owner in now.looks
        traffic = _("{received} bytes received from sites, {sent} bytes sent to devices.")
        return Markup(
            "<h2>{}</h2>\n<p>{} {}</p>\n<h2>{}</h2>\n<p>{} {}</p>\n<p>{} {}</p>\n<p>{}</p>"
        ).format(
            _("Text and colours"),
            _("Customized") if looks else _("Default"),
            self._form(owner, "looks", _("Reset to default")) if looks else "",
            _("Small screens"),
            ngettext("{number} bookmark", "{number} bookmarks", bookmarks),
            self._form(owner, "bookmarks", _("Delete all bookmarks")) if bookmarks else "",
            ngettext("{number} page in the history", "{number} pages in the history", recent),
            self._form(owner, "history", _("Clear history")) if recent else "",
            traffic.format(received=number(now.fetched), sent=number(now.sent)),
        )
