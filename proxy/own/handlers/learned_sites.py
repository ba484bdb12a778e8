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
from winnow.proxy.own.downloads import file_response
from winnow.proxy.own.handlers.form_checks import (
    OwnForms,
    refuse_strange_name,
    refuse_unless_administrator,
    served,
)
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.all_settings_page import STYLE
from winnow.proxy.own.templates.base_page import HtmlPage, sentences, styled_page
from winnow.proxy.own.templates.elements import row, table
from winnow.proxy.own.templates.navigation import LEARNED, navigation
from winnow.proxy.own.translation import _, filled, own_words, says

_PURPOSE: Final = "forget learned {site}"
_EVERY: Final = "*"
_SETTING: Final = Markup("<code>learning.enabled</code>")


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
            raise ClientFaultError(says("There is no such item to delete."), 400, "bad-form")
        memories = self.learning.memories()
        await self.learning.forget(frozenset(memories if site == _EVERY else {site}))
        return see_other(LEARNED)

    def _saved(self, site: str) -> OwnResponse:
        memories = self.learning.memories() if self.learning else {}
        chosen = {key: memories[key] for key in memories if site in {key, _EVERY}}
        if not chosen:
            raise ClientFaultError(
                says("Nothing has been learned about that site."), 404, "unknown-site"
            )
        body = self.exported(chosen).encode()
        return file_response(body, "application/json", "winnow-sites.json")

    def _page(self, request: OwnRequest) -> HtmlPage:
        forms = OwnForms(self.tokens, request.head.owner, LEARNED, _PURPOSE)
        body = self._sites(forms, self.administers(request.head))
        return styled_page(_("Learned sites"), body + navigation(LEARNED), STYLE, wide=True)

    def _sites(self, forms: OwnForms, administers: bool) -> Markup:
        if self.learning is None:
            off = filled(_("Learning is off ({setting})."), setting=_SETTING)
            return Markup("<p>{}</p>").format(off)
        memories = self.learning.memories()
        about = _(
            "Winnow learns which blocks all pages of a site share, and removes them. Only hashes "
            "and sizes are stored, on this computer, never text. To turn learning off, set "
            "{setting}."
        )
        lead = Markup("<p>{}</p>\n").format(filled(about, setting=_SETTING))
        if not administers:  # the list shows which sites others read
            return lead + sentences(_("Only an administrator sees which sites."))
        if not memories:
            return lead + sentences(_("Nothing has been learned yet."))
        rows = (self._row(site, memory, forms) for site, memory in memories.items())
        return lead + Markup('{}\n<p><a href="{}">{}</a></p>\n{}').format(
            table((_("Site"), _("Learned"), ""), rows, _("Sites")),
            _export(_EVERY),
            _("Export all as JSON"),
            forms.button({"site": _EVERY}, _("Forget all sites")),
        )

    def _row(self, site: str, memory: bytes, forms: OwnForms) -> Markup:
        save = Markup('<a href="{}" aria-label="{}">{}</a> ').format(
            _export(site), _("Export {site}").format(site=site), _("Export")
        )
        learned = Markup("<br>").join(map(own_words, self.summary(memory)))
        return row(site, learned, save + forms.button({"site": site}, _("Forget")))


def _export(site: str) -> str:
    return f"{LEARNED}?export={quote(site, safe='')}"
