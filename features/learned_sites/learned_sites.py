"""``/-/settings/sites``: what was learned about sites, with export and deletion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from winnow.feature import Context
from winnow.features.learned_sites.site_summaries import about, as_json
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.learning.service import LearningService
from winnow.proxy.own.downloads import file_response
from winnow.proxy.own.handlers.form_checks import (
    OwnForms,
    refuse_strange_name,
    refuse_unless_administrator,
    served,
)
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.base_page import HtmlPage, page_of
from winnow.proxy.own.templates.navigation import LEARNED
from winnow.proxy.own.templates.settings.styles import STYLE
from winnow.proxy.own.translation import says
from winnow.proxy.stores.site_store import MemorySites

_PURPOSE: Final = "forget learned {site}"
_EVERY: Final = "*"
_TEMPLATE: Final = page_template(__package__, "learned_sites.html")


class Learned(NamedTuple):
    """What was learned of a site: from how many pages; ``lines`` say more, to those who know."""

    pages: int
    lines: Sequence[str]


@dataclass(frozen=True)
class LearnedSites:
    """``learning`` is None where it is off.

    ``summary`` describes the memory of one site, ``exported`` those of several as JSON.
    """

    learning: LearningService | None
    summary: Callable[[bytes], Learned]
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
        memories = self.learning.memories() if self.learning else {}
        learned = {site: self.summary(each) for site, each in memories.items()}
        administers = self.administers(request.head)  # the list shows which sites others read
        return page_of(
            _TEMPLATE,
            style=STYLE,
            is_learning=self.learning is not None,
            on_disk=self.learning and not isinstance(self.learning.store, MemorySites),
            sites=learned if administers else None,
            forms=OwnForms(self.tokens, request.head.owner, LEARNED, _PURPOSE),
        )


def pages(context: Context) -> Mapping[str, OwnPage]:
    learning, tokens = context.find(LearningService), context.tokens
    page = LearnedSites(learning, _learned, as_json, tokens, context.administers)
    return people_pages({LEARNED: page})


def _learned(memory: bytes) -> Learned:
    found = about(memory)
    return Learned(max(found.pages.values(), default=0), found.lines)
