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
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import row, table
from winnow.proxy.own.templates.navigation import SAVED, navigation
from winnow.proxy.own.translation import _, filled, ngettext, number, says
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
            raise ClientFaultError(says("There is no such item to delete."), 400, "bad-form")
        common = fields["what"] == "common part"
        refuse_unless_administrator(not common or self.administers(request.head))
        await self.library.change(steps[fields["what"]])
        return see_other(SAVED)

    def _page(self, request: OwnRequest) -> HtmlPage:
        now, owner = self.library.now, request.head.owner
        parts = self._parts(now, owner, common=self.administers(request.head))
        body = Markup("\n").join((parts, self._lists(now, owner), navigation(SAVED)))
        return styled_page(_("Saved items"), body, STYLE, wide=True)

    def _form(self, owner: str, what: str, text: str, site: str = "", part: str = "") -> Markup:
        fields = {"what": what, "site": site, "part": part}
        return OwnForms(self.tokens, owner, SAVED, _PURPOSE).button(fields, text)

    def _parts(self, now: Library, owner: str, *, common: bool) -> Markup:
        owners = {owner: "part"} | ({EVERYBODY: "common part"} if common else {})
        rows = [
            row(
                site if each else _("{site} (everybody)").format(site=site),
                Markup("<code>{}</code>").format(part),
                self._form(owner, what, _("Forget"), site, part),
            )
            for each, what in owners.items()
            for site, parts in sorted(now.own_parts(each).items())
            for part in parts
        ]
        if not rows:
            none = _(
                "None. If Winnow removed a block that you want to see, choose {why} in the bar and "
                "keep it."
            )
            about = filled(none, why=Markup("<em>{}</em>").format(_("Why?")))
            return Markup("<h2>{}</h2>\n<p>{}</p>").format(_("Blocks always kept"), about)
        head = Markup("<h2>{}</h2>\n").format(_("Blocks always kept"))
        return head + table((_("Site"), _("Block"), ""), rows)

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
