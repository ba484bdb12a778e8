"""The pages of this feature, by path."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from winnow.config.site_rule_file import load_rules
from winnow.feature import Context
from winnow.features.rules.rule_files import EXPORT, IMPORT, RuleFiles
from winnow.features.rules.rules import RulesPage
from winnow.features.site.pages import rule_changes, rule_trial
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import OwnForms, served
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, moved_to, see_other
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.navigation import OLD_SAVED, RULES, SAVED
from winnow.proxy.own.templates.settings.styles import STYLE
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


def pages(context: Context) -> Mapping[str, OwnPage]:
    tokens, file = context.tokens, context.settings.sites.rules
    rules = load_rules(file) if file else ()
    changes, trial = context.once(rule_changes), context.once(rule_trial)
    files = RuleFiles(changes)
    listed: dict[str, OwnPage] = {
        RULES: RulesPage(file, rules, trial, context.policy, tokens, changes.may),
        EXPORT: files.exported,
        IMPORT: files.imported,
        SAVED: SavedItems(context.library, tokens),
        OLD_SAVED: moved_to(SAVED),
    }
    return people_pages(listed)
