"""``/-/settings/saved``: a user's saved items."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import OwnForms, refuse_unless_administrator, served
from winnow.proxy.own.handlers.rules import AT_ONCE, PATIENCE, Trial
from winnow.proxy.own.handlers.time_limits import results_within
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other, shown
from winnow.proxy.own.templates.all_settings_page import STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, sentences, styled_page
from winnow.proxy.own.templates.elements import row, table
from winnow.proxy.own.templates.navigation import SAVED, navigation
from winnow.proxy.own.templates.part_rules import (
    NOT_TRIED,
    Tried,
    as_file,
    file_rule,
    part_words,
    test_words,
    tests_of,
)
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
    trial: Trial

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._done)

    async def _done(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        if fields.get("what") == "tests":
            return shown(self._page(request, await self._tried(request)))
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

    async def _tried(self, request: OwnRequest) -> Tried:
        """The failures of the tests of the reader's own rules, within ``PATIENCE``."""
        places = asyncio.Semaphore(AT_ONCE)

        async def one(rule: FileRule, test: RuleTest) -> Sequence[str]:
            async with places:
                return await self.trial(rule, test, request.permit)

        parts = self.library.now.own_parts(request.head.owner)
        jobs = {
            (site, part.selector): one(file_rule(site, rules), test)
            for site, rules in parts.items()
            for part in rules
            for test in tests_of(part)
        }
        results = await results_within(jobs, PATIENCE)
        return {case: results.get(case, ("timed out",)) for case in jobs}

    def _page(self, request: OwnRequest, tried: Tried = NOT_TRIED) -> HtmlPage:
        now, owner = self.library.now, request.head.owner
        parts = self._parts(now, owner, tried, common=self.administers(request.head))
        body = Markup("\n").join((parts, self._lists(now, owner), navigation(SAVED)))
        return styled_page(_("Saved items"), body, STYLE, wide=True)

    def _form(self, owner: str, what: str, text: str, site: str = "", part: str = "") -> Markup:
        fields = {"what": what, "site": site, "part": part}
        return OwnForms(self.tokens, owner, SAVED, _PURPOSE).button(fields, text)

    def _parts(self, now: Library, owner: str, tried: Tried, *, common: bool) -> Markup:
        owners = {owner: "part"} | ({EVERYBODY: "common part"} if common else {})
        rows = [
            row(
                site if each else _("{site} (everybody)").format(site=site),
                part_words(part),
                test_words(part, tried.get((site, part.selector))) if each else "",
                self._form(owner, what, _("Forget"), site, part.selector),
            )
            for each, what in owners.items()
            for site, parts in sorted(now.own_parts(each).items())
            for part in parts
        ]
        head = Markup("<h2>{}</h2>\n").format(_("Parts always kept or dropped"))
        if not rows:
            none = _(
                "None. If Winnow removed a block that you want to see, choose {why} in the bar and "
                "keep it."
            )
            return head + sentences(filled(none, why=Markup("<em>{}</em>").format(_("Why?"))))
        own = now.own_parts(owner)
        tests = any(test for rules in own.values() for part in rules for test in tests_of(part))
        button = self._form(owner, "tests", _("Run the tests")) if tests else Markup("")
        found = table((_("Site"), _("Part"), _("Test"), ""), rows)
        return head + found + Markup("\n<p>{}</p>\n").format(button) + as_file(own)

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
