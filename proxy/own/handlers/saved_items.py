"""``/-/settings/saved``: a user's saved items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import OwnForms, refuse_unless_administrator, served
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.all_settings_page import STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, counted, styled_page
from winnow.proxy.own.templates.elements import row, table
from winnow.proxy.own.templates.navigation import SAVED, navigation
from winnow.proxy.stores.choices import EVERYBODY
from winnow.proxy.stores.library import Library, LibraryStore

_PURPOSE: Final = "forget {what} {site} {part}"


@dataclass(frozen=True)
class SavedItems:
    """A user's own items of the library, each with a button that deletes it."""

    library: LibraryStore
    tokens: FormTokens
    administers: Callable[[RequestHead], bool]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._forgotten)

    async def _forgotten(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        site, part, owner = fields.get("site", ""), fields.get("part", ""), request.head.owner
        steps: dict[str, Callable[[Library], Library]] = {
            "part": lambda now: now.without_part(owner, site, part),
            "common part": lambda now: now.without_part(EVERYBODY, site, part),
            "history": lambda now: now.without_history(owner),
            "bookmarks": lambda now: now.without_bookmarks(owner),
            "looks": lambda now: now.with_looks(owner, ""),
        }
        if fields.get("what") not in steps:
            raise ClientFaultError("There is no such item to delete.", 400, "bad-form")
        common = fields["what"] == "common part"
        refuse_unless_administrator(not common or self.administers(request.head))
        await self.library.change(steps[fields["what"]])
        return see_other(SAVED)

    def _page(self, request: OwnRequest) -> HtmlPage:
        now, owner = self.library.now, request.head.owner
        parts = self._parts(now, owner, common=self.administers(request.head))
        body = Markup("\n").join((parts, self._lists(now, owner), navigation(SAVED)))
        return styled_page("Saved items", body, STYLE, wide=True)

    def _form(self, owner: str, what: str, text: str, site: str = "", part: str = "") -> Markup:
        fields = {"what": what, "site": site, "part": part}
        return OwnForms(self.tokens, owner, SAVED, _PURPOSE).button(fields, text)

    def _parts(self, now: Library, owner: str, *, common: bool) -> Markup:
        owners = {owner: "part"} | ({EVERYBODY: "common part"} if common else {})
        rows = [
            row(
                site if each else f"{site} (everybody)",
                Markup("<code>{}</code>").format(part),
                self._form(owner, what, "Forget", site, part),
            )
            for each, what in owners.items()
            for site, parts in sorted(now.own_parts(each).items())
            for part in parts
        ]
        if not rows:
            return Markup(
                "<h2>Blocks always kept</h2>\n<p>None. If Winnow removed a block that you "
                "want to see, choose <em>Why?</em> in the bar and keep it.</p>"
            )
        return Markup("<h2>Blocks always kept</h2>\n") + table(("Site", "Block", ""), rows)

    def _lists(self, now: Library, owner: str) -> Markup:
        bookmarks = sum(entry.owner == owner for entry in now.bookmarks)
        recent = sum(entry.owner == owner for entry in now.recent)
        looks = owner in now.looks
        return Markup(
            "<h2>Text and colours</h2>\n<p>{}. {}</p>\n"
            "<h2>Small screens</h2>\n<p>{}. {}</p>\n<p>{} in the history. {}</p>\n"
            "<p>{:,} bytes received from sites, {:,} bytes sent to devices.</p>"
        ).format(
            "Customized" if looks else "Default",
            self._form(owner, "looks", "Reset to default") if looks else "",
            counted(bookmarks, "bookmark"),
            self._form(owner, "bookmarks", "Delete all bookmarks") if bookmarks else "",
            counted(recent, "page"),
            self._form(owner, "history", "Clear history") if recent else "",
            now.fetched,
            now.sent,
        )
