"""``/-/settings/crunch``: shows Crunch's filters, and stores them for a site."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.decisions.preferences import is_extractor
from winnow.proxy.http.headers import number
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import says
from winnow.proxy.own.crunch_options import (
    METHOD,
    CrunchLadder,
    CrunchSettings,
    read_form,
    read_specification,
)
from winnow.proxy.own.handlers.form_checks import form_token, served
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.choice_forms import written_site
from winnow.proxy.own.templates.crunch_page import crunch_page
from winnow.proxy.own.templates.elements import USUAL
from winnow.proxy.own.templates.navigation import CRUNCH
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.choices import NO_CHOICE, Choice

_PURPOSE: Final = "crunch"


@dataclass(frozen=True)
class CrunchPage:
    """The filters of one site, for who opened the page."""

    store: ChoiceStore
    tokens: FormTokens
    ladder: CrunchLadder

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        return await served(request, self.tokens, _PURPOSE, self._page, self._chosen)

    def _page(self, request: OwnRequest) -> HtmlPage:
        query, owner = request.query, request.head.owner
        site = written_site(query["site"]) if query.get("site") else ""
        chosen = self._choice(owner, site)
        token = form_token(self.tokens, owner, _PURPOSE, {})
        if query.get("level") or not is_saved(chosen):
            level = number(query.get("level") or str(chosen.level or USUAL)) or 0
            settings = CrunchSettings.at(level, self.ladder)
            return crunch_page(site, settings, self.ladder, token, saved=False)
        settings = read_specification(chosen.extractor or "", chosen.level or USUAL, self.ladder)
        return crunch_page(site, settings, self.ladder, token, saved=True)

    def _choice(self, owner: str, site: str) -> Choice:
        return self.store.now.of(owner).choices.get(site, NO_CHOICE)

    async def _chosen(self, request: OwnRequest, fields: Mapping[str, str]) -> OwnResponse:
        owner, site = request.head.owner, written_site(fields.get("site", ""))
        before = self._choice(owner, site)
        if "forget" in fields:
            await self.store.choose(owner, site, replace(before, extractor=None, level=None))
            return see_other(CRUNCH)
        settings = read_form(fields, self.ladder)
        specification = settings.specification(self.ladder)
        if not is_extractor(specification):
            message = says("These are too many changes of a level.")
            raise ClientFaultError(message, 400, "bad-form")
        choice = replace(before, extractor=specification, level=settings.level)
        await self.store.choose(owner, site, choice)
        return see_other(f"{CRUNCH}?{urlencode({'site': site})}")


def is_saved(choice: Choice) -> bool:
    """Whether a choice names Crunch's filters."""
    return (choice.extractor or "").startswith(f"{METHOD}:")
