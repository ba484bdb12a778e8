"""``/-/why``: what was left out of a page and why, on the page itself or as a list.

``/-/why/part`` asks whether a part is to be kept or dropped on its site, ``/-/keep`` stores it.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from winnow.document.values import Format
from winnow.features.why.explained_pages import ExplainedPages
from winnow.features.why.jobs import ExplainJob, PartJob
from winnow.features.why.templates.part_page import part_page, part_stored
from winnow.features.why.templates.why_page import NO_NOTE, why_list, why_on_page
from winnow.features.why.why_links import WhyLinks
from winnow.jobs.job_types import Workers
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.decisions.request.device_profiles import is_basic_browser
from winnow.proxy.decisions.request.request_mode import RequestMode
from winnow.proxy.http.headers import number
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.request_target import parse_url
from winnow.proxy.own.handlers.form_checks import (
    OwnForms,
    posted,
    refuse_strange_name,
)
from winnow.proxy.own.handlers.page_parameters import address_of, scheme_of
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.translation import _, says
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.site_choice import NO_CHOICE, PartRule
from winnow.proxy.stores.site_keys import site_key

KEEP: Final = "/-/keep"
KEEP_PURPOSE: Final = "{do} {page} {selector} {words}"
MAX_SELECTOR: Final = 300
MAX_WORDS: Final = 300
"""Characters of the words in a rule's test."""
ACTIONS: Final = ("keep", "drop")
UNDO: Final = "undo"


@dataclass(frozen=True)
class WhyPage:
    """``view`` is ``page`` or ``list``, which text browsers get. ``format=json`` for programs.

    ``annotates``: whether a client may annotate pages. ``opened``: the address of a page that an
    owner opened, by the number of its request, which log lines and traces have.
    """

    pages: ExplainedPages
    workers: Workers
    tokens: FormTokens
    annotates: Callable[[str], bool]
    choices: ChoiceStore
    opened: Callable[[str, str], Awaitable[str]]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        if number := request.query.get("request"):
            return await self._of(request.head.owner, number)
        recipe = self.pages.recipe(request)
        page = await self.pages.fresh(request)
        found = await self.workers.run(ExplainJob(page, recipe))
        if request.query.get("format") == Format.JSON.value:
            return OwnResponse(json.dumps(asdict(found)).encode(), "application/json")
        may_mark = self.annotates(request.head.client)
        links = links_of(request, annotates=may_mark)
        if self._is_list(request):
            return shown(why_list(links, found, self._keep_form(request), self._note(request)))
        note = self._note(request)
        stored = request.query["saved"] if note else ""
        return shown(why_on_page(links, found, note, stored))

    async def _of(self, owner: str, number: str) -> OwnResponse:
        url = await self.opened(owner, number)
        if not url:
            raise ClientFaultError(
                says("No page that you opened has this number."), 404, "not-found"
            )
        return see_other(f"/-/why?{urlencode({'url': url})}")

    def _note(self, request: OwnRequest) -> Markup:
        """What was just stored, with a button that undoes it; nothing where it is gone again."""
        url, owner = address_of(request), request.head.owner
        site = site_key(parse_url(url).origin)
        parts = self.choices.now.of(owner).choices.get(site, NO_CHOICE).parts
        stored = {part.selector: part for part in parts}
        rule = stored.get(request.query.get("saved", ""))
        if rule is None:
            return NO_NOTE
        fields = {"do": UNDO, "page": url, "selector": rule.selector, **mode_of(request.query)}
        forms = OwnForms(self.tokens, owner, KEEP, KEEP_PURPOSE)
        return part_stored(site, forms.button(fields, _("Undo")), drops=rule.drops)

    def _is_list(self, request: OwnRequest) -> bool:
        browser = request.head.headers.get("user-agent")
        usual = "list" if is_basic_browser(browser) or "mozilla/" not in browser.lower() else "page"
        return request.query.get("view", usual) == "list"

    def _keep_form(self, request: OwnRequest) -> Callable[[str, str], Markup]:
        forms = OwnForms(self.tokens, request.head.owner, KEEP, KEEP_PURPOSE)
        page = address_of(request)

        def form_for(selector: str, words: str) -> Markup:
            fields = {"do": "keep", "page": page, "selector": selector, "words": words}
            return forms.button(
                {**fields, **mode_of(request.query)}, _("Keep this block on this site")
            )

        return form_for


def links_of(request: OwnRequest, *, annotates: bool = False) -> WhyLinks:
    """Raises ClientFaultError if the page's address is missing or invalid."""
    by_proxy = bool(scheme_of(request))
    return WhyLinks(address_of(request), options_of(request), annotates, by_proxy)


def options_of(request: OwnRequest) -> dict[str, str]:
    """The parameters by which the page is extracted."""
    mine = ("url", "view", "token", "do", "selector", "place", "shown", "saved")
    return {name: value for name, value in request.query.items() if name not in mine}


def mode_of(fields: Mapping[str, str]) -> dict[str, str]:
    """The parameter that says whether the page is extracted or tidied, if it is a valid one."""
    mode = fields.get("mode", "")
    return {"mode": mode} if mode in set(RequestMode) else {}


@dataclass(frozen=True)
class PartPage:
    """Asks what is to be done with a part of a page. Any page may lead here: nothing changes."""

    pages: ExplainedPages
    workers: Workers
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        refuse_strange_name(request)
        action = request.query.get("do", "")
        place = number(request.query.get("place", "0"))
        if action not in ACTIONS or place is None:
            raise _no_part()
        recipe, page = self.pages.recipe(request), await self.pages.recent(request)
        selector = request.query.get("selector", "")
        found = await self.workers.run(PartJob(page, recipe, selector, place))
        url = address_of(request)
        forms = OwnForms(self.tokens, request.head.owner, KEEP, KEEP_PURPOSE)

        def form_for(selector: str, text: str, kind: str) -> Markup:
            fields = {"do": action, "page": url, "selector": selector, "words": found.sample}
            return forms.button({**fields, **mode_of(request.query)}, text, kind)

        links = links_of(request)
        return shown(part_page(action, links, found, form_for))


@dataclass(frozen=True)
class KeepPage:
    """Stores a rule of the reader's for a site, with its test, or takes it back; shows the page."""

    choices: ChoiceStore
    tokens: FormTokens

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "POST")
        fields = await posted(request, self.tokens, KEEP_PURPOSE)
        site = site_key(parse_url(fields["page"]).origin)
        selector, words = fields.get("selector", "").strip(), fields.get("words", "")
        links = WhyLinks(fields["page"], mode_of(fields))
        owner = request.head.owner
        chosen = self.choices.now.of(owner).choices.get(site, NO_CHOICE)
        if fields.get("do") == UNDO:
            await self.choices.choose(owner, site, chosen.without_part(selector))
            return see_other(links.why())
        is_known = fields.get("do") in ACTIONS and len(words) <= MAX_WORDS
        if not (is_known and 0 < len(selector) <= MAX_SELECTOR):
            raise _no_part()
        part = PartRule(selector, fields["do"] == "drop", fields["page"], words)
        await self.choices.choose(owner, site, chosen.with_part(part))
        return see_other(links.stored(selector))


def _no_part() -> ClientFaultError:
    return ClientFaultError(says("The form names no block of a page."), 400, "bad-form")
