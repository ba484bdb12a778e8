"""``/-/settings/sites``: what was learned about sites, with export and deletion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from markupsafe import Markup

from winnow.proxy.access.requester import RequestHead
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.learning.service import LearningService
from winnow.proxy.own.handlers.form_checks import (
    OwnForms,
    refuse_strange_name,
    refuse_unless_administrator,
    served,
)
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.all_settings_page import STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, styled_page
from winnow.proxy.own.templates.elements import row, table
from winnow.proxy.own.templates.navigation import LEARNED, navigation

_PURPOSE: Final = "forget learned {site}"
_EVERY: Final = "*"


@dataclass(frozen=True)
class LearnedSites:
    """``learning`` is None where it is off.

    ``summary`` describes the memory of one site in words, ``exported`` those of several as JSON.
    """

    learning: LearningService | None
    summary: Callable[[bytes], Sequence[str]]
    exported: Callable[[Mapping[str, bytes]], str]
    tokens: FormTokens
    administers: Callable[[RequestHead], bool]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        wanted = request.query.get("export", "")
        if wanted and request.head.method in {"GET", "HEAD"}:
            refuse_strange_name(request)
            refuse_unless_administrator(self.administers(request.head))
            return self._saved(wanted)
        return await served(request, self.tokens, _PURPOSE, self._page, self._forgotten)

    async def _forgotten(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        refuse_unless_administrator(self.administers(request.head))
        site = fields.get("site", "")
        if self.learning is None or not site:
            raise ClientFaultError("There is no such item to delete.", 400, "bad-form")
        memories = self.learning.memories()
        await self.learning.forget(frozenset(memories if site == _EVERY else {site}))
        return see_other(LEARNED)

    def _saved(self, site: str) -> OwnResponse:
        memories = self.learning.memories() if self.learning else {}
        chosen = {key: memories[key] for key in memories if site in {key, _EVERY}}
        if not chosen:
            raise ClientFaultError("Nothing has been learned about that site.", 404, "unknown-site")
        saved = ("Content-Disposition", 'attachment; filename="winnow-sites.json"')
        return OwnResponse(self.exported(chosen).encode(), "application/json", fields=(saved,))

    def _page(self, request: OwnRequest) -> HtmlPage:
        forms = OwnForms(self.tokens, request.head.owner, LEARNED, _PURPOSE)
        body = self._sites(forms, self.administers(request.head))
        return styled_page("Learned sites", body + navigation(LEARNED), STYLE, wide=True)

    def _sites(self, forms: OwnForms, administers: bool) -> Markup:
        if self.learning is None:
            return Markup("<p>Learning is off (<code>learning.enabled</code>).</p>")
        memories = self.learning.memories()
        lead = Markup(
            "<p>Winnow learns which blocks all pages of a site share, and removes them. Only "
            "hashes and sizes are stored, on this computer, never text. To turn learning off, set "
            "<code>learning.enabled</code>.</p>\n"
        )
        if not administers:  # the list shows which sites others read
            return lead + Markup("<p>Only an administrator sees which sites.</p>")
        if not memories:
            return lead + Markup("<p>Nothing has been learned yet.</p>")
        rows = (self._row(site, memory, forms) for site, memory in memories.items())
        return lead + Markup('{}\n<p><a href="{}">Export all as JSON</a></p>\n{}').format(
            table(("Site", "Learned", ""), rows, "Sites"),
            _export(_EVERY),
            forms.button({"site": _EVERY}, "Forget all sites"),
        )

    def _row(self, site: str, memory: bytes, forms: OwnForms) -> Markup:
        save = Markup('<a href="{}" aria-label="Export {}">Export</a> ').format(_export(site), site)
        learned = Markup("<br>").join(self.summary(memory))
        return row(site, learned, save + forms.button({"site": site}, "Forget"))


def _export(site: str) -> str:
    return f"{LEARNED}?export={quote(site, safe='')}"
