"""``/-/why`` and ``/-/keep``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final, Protocol
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.document.values import Format, Page, Recipe
from winnow.jobs.results import Explained
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.policy import Policy
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.handlers.form_checks import OwnForms, posted
from winnow.proxy.own.handlers.page_parameters import address_of, recipe_at
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.templates.why_page import why_page
from winnow.proxy.own.translation import _, says
from winnow.proxy.stores.library import LibraryStore
from winnow.proxy.stores.site_keys import site_key
from winnow.proxy.upstream.fetcher import Fetcher

KEEP: Final = "/-/keep"
KEEP_PURPOSE: Final = "keep {page} {selector}"
MAX_SELECTOR: Final = 300


class PageAnalyser(Protocol):
    """Runs a method on a page. Raises TransformError."""

    async def explain(self, page: Page, recipe: Recipe) -> Explained: ...


@dataclass(frozen=True)
class WhyPage:
    """What is removed from a page, and why, by the site's rules or the method in the query.

    ``annotates``: whether a client may annotate pages.
    """

    fetcher: Fetcher
    analyser: PageAnalyser
    policy: Callable[[], Policy]
    tokens: FormTokens
    annotates: Callable[[str], bool]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        url = address_of(request)
        recipe = recipe_at(request.query, url, request.head.owner, self.policy())
        page = await self.fetcher.page(url, request.permit)
        found = await self.analyser.explain(page, recipe)
        if request.query.get("format") == Format.JSON.value:
            return OwnResponse(json.dumps(asdict(found)).encode(), "application/json")
        may_mark = self.annotates(request.head.client)
        return shown(
            why_page(url, found, self._keep_form(url, request.head.owner), may_mark=may_mark)
        )

    def _keep_form(self, url: str, owner: str) -> Callable[[str], Markup]:
        forms = OwnForms(self.tokens, owner, KEEP, KEEP_PURPOSE)

        def form_for(selector: str) -> Markup:
            return forms.button(
                {"page": url, "selector": selector}, _("Keep this block on this site")
            )

        return form_for


@dataclass(frozen=True)
class KeepPage:
    """Stores the block that the form of ``WhyPage`` names, and shows the page again."""

    library: LibraryStore
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "POST")
        fields = await posted(request, self.tokens, KEEP_PURPOSE)
        site = site_key(parse_url(fields["page"]).origin)
        selector = fields.get("selector", "").strip()
        if not 0 < len(selector) <= MAX_SELECTOR:
            raise ClientFaultError(says("The form names no block of a page."), 400, "bad-form")
        await self.library.change(lambda now: now.with_part(request.head.owner, site, selector))
        return see_other(f"/-/why?{urlencode({'url': fields['page']})}")
