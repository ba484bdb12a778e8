"""``/-/settings/site``: all that is decided for one site, in one form; tried, saved or removed.

For the reader, for everybody, or as a rule of the operator's file (``for``).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from winnow.config.site_rule_file import FileRule, RuleTest
from winnow.features.site.crunch_options import CrunchLadder
from winnow.features.site.opened_site import (
    PURPOSE,
    OpenedSite,
    RuleChanges,
    edited,
    opened_rule,
    tests_of,
)
from winnow.features.site.page_options import MethodParameters
from winnow.features.site.site_draft import (
    SiteDraft,
    chosen_by,
    digest,
    fields_of,
    read_draft,
    table_of,
)
from winnow.features.site.site_form import SiteForm, filters_of, site_page
from winnow.features.site.trial import TestRule, TryRule, all_tested
from winnow.proxy.decisions.site_rules import SiteRules
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError
from winnow.proxy.http.request_target import Origin, completed, parse_url
from winnow.proxy.own.handlers.form_checks import (
    posted,
    refuse_strange_name,
    refuse_unless_administrator,
)
from winnow.proxy.own.handlers.settings_access import settings_faults, who
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.navigation import RULE_EDIT, RULES, SETTINGS, SITE, is_gone
from winnow.proxy.own.translation import says
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.stores.choices import EVERYBODY, FILE, Said
from winnow.proxy.stores.site_choice import NO_CHOICE, told
from winnow.proxy.stores.site_keys import site_key


@dataclass(frozen=True)
class SiteEditor:
    """``parameters``: those of the methods to choose from; ``rules``: the operator's."""

    changes: RuleChanges
    store: ChoiceStore
    rules: SiteRules
    tried: TryRule
    tested: TestRule
    ladder: CrunchLadder
    parameters: MethodParameters

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        """Raises ClientFaultError, StoreError."""
        only(request, "GET", "HEAD", "POST")
        refuse_strange_name(request)
        with settings_faults():
            if request.head.method == "POST":
                return await self._posted(request)
            opened = await self._opened(request, request.query, _site_of(request.query))
        fields = {"site": _site_of(request.query), "address": request.query.get("url", "")}
        fields |= fields_of(opened.table)
        if level := request.query.get("level"):
            fields |= {"level": level, "filters": "level"}
        return shown(await self._page(request, opened, fields))

    async def _opened(
        self, request: OwnRequest, fields: Mapping[str, str], site: str
    ) -> OpenedSite:
        """Raises ConfigError, StoreError, ClientFaultError."""
        place = fields.get("for", FILE if request.path == RULE_EDIT else "")
        if place == FILE:
            rule = fields.get("rule", fields.get("number", ""))
            return await opened_rule(self.changes.editor_for(request), rule)
        owner = self._owner(request, place)
        choice = self.store.now.of(owner).choices.get(site, NO_CHOICE) if site else NO_CHOICE
        return OpenedSite(place, json.dumps([site, told(choice)]), table_of(site, choice), choice)

    def _owner(self, request: OwnRequest, place: str) -> str:
        """Raises ClientFaultError for who may not choose for everybody."""
        if not place:
            return request.head.owner
        refuse_unless_administrator(self.changes.administers(request.head))
        return EVERYBODY

    async def _posted(self, request: OwnRequest) -> OwnResponse:
        fields = await posted(request, self.changes.tokens, PURPOSE)
        opened = await self._opened(request, fields, fields.get("site", ""))
        if fields.get("was") != digest(opened.text):
            message = says("Somebody changed this meanwhile. Open it again.")
            raise ClientFaultError(message, 409, "stale")
        if fields.get("do") == "remove":
            return await self._saved(request, opened, None)
        draft = read_draft(fields, opened.table, opened.file, self.ladder)
        faults = draft.faults or await self._faults(draft)
        if draft.rule is None or faults:
            return await self._shown(request, opened, fields, faults=faults)
        if fields.get("do") == "save":
            return await self._saved(request, opened, draft)
        return await self._looked_at(request, opened, fields, draft.rule)

    async def _looked_at(
        self, request: OwnRequest, opened: OpenedSite, fields: Mapping[str, str], rule: FileRule
    ) -> OwnResponse:
        """What changes nothing: the filters of a level, a method's parameters, tests, a trial."""
        match fields.get("do"):
            case "show":
                return await self._shown(request, opened, fields)
            case "level":
                return await self._shown(request, opened, {**fields, "filters": "level"})
            case "tests":
                found = await self._tested(request, opened, rule)
                return await self._shown(request, opened, fields, outcomes=found)
        return await self._tried(request, opened, fields, rule)

    async def _faults(self, draft: SiteDraft) -> Sequence[str]:
        """What is wrong with the method and the selectors of a draft."""
        return await asyncio.to_thread(self.changes.faults, draft.rule) if draft.rule else ()

    async def _saved(
        self, request: OwnRequest, opened: OpenedSite, draft: SiteDraft | None
    ) -> OwnResponse:
        """Saved as the draft says, removed without one."""
        if opened.place == FILE:
            edit = edited(opened, draft)
            await self.changes.editor_for(request).change_rules(edit, who(request.head))
            return see_other(f"{RULES}?saved={'saved' if draft else 'removed'}")
        owner, site = self._owner(request, opened.place), opened.site
        chosen = chosen_by(draft.rule, opened.choice) if draft and draft.rule else NO_CHOICE
        await self.store.choose(owner, site, chosen)
        if draft is None:
            return see_other(f"{SETTINGS}{'?for=everybody' if opened.place else ''}#sites")
        return see_other(f"{SITE}?{urlencode({'site': site, 'for': opened.place, 'saved': 'yes'})}")

    async def _tried(
        self, request: OwnRequest, opened: OpenedSite, fields: Mapping[str, str], rule: FileRule
    ) -> OwnResponse:
        try:
            address = completed(fields.get("address", "").strip())
            found = await self.tried(rule, address, request.permit)
        except ProxyError as error:
            return await self._shown(request, opened, fields, untried=error.sentence)
        return shown(await self._page(request, opened, fields, tried=found))

    async def _tested(
        self, request: OwnRequest, opened: OpenedSite, rule: FileRule
    ) -> Mapping[RuleTest, Sequence[str]]:
        """The failures of each test; of a choice those of its parts."""
        tests = rule.tests or tests_of(chosen_by(rule, opened.choice))
        return await all_tested(self.tested, rule, tests, request.permit)

    async def _shown(
        self, request: OwnRequest, opened: OpenedSite, fields: Mapping[str, str], **more: Any
    ) -> OwnResponse:
        page = await self._page(request, opened, fields, **more)
        wrong = more.get("faults") or more.get("untried")
        return shown(replace(page, status=422) if wrong else page)

    async def _page(
        self, request: OwnRequest, opened: OpenedSite, fields: Mapping[str, str], **more: Any
    ) -> HtmlPage:
        head, proofs = request.head, opened.proofs(self.changes.tokens, request.head.owner)
        origin = _origin(opened.site) if opened.place != FILE and opened.site else None
        form = SiteForm(
            opened.place,
            opened.table,
            fields,
            proofs,
            self.parameters.methods,
            tests=tests_of(opened.choice),
            parameters=await self.parameters.of(fields.get("extractor", "")),
            filters=filters_of(fields, self.ladder),
            administers=self.changes.administers(head),
            may_write=self.changes.may(head) and not is_gone(RULES),
            said=self._said(head.owner, origin) if origin else (),
            rule=self.rules.of(origin, head.owner, self.store.now) if origin else NO_CHOICE,
            is_saved="saved" in request.query,
        )
        return site_page(replace(form, **more), self.ladder)

    def _said(self, owner: str, origin: Origin) -> Sequence[Said]:
        return (*self.store.now.at(owner, origin), *self.rules.at(origin))


def _site_of(query: Mapping[str, str]) -> str:
    """The key of the site that is meant: by its name or by a page's address; "" for none.

    Raises ClientFaultError for a name of no site.
    """
    if query.get("site"):
        return site_key(_origin(query["site"]))
    try:
        address = query.get("url", "")
        return site_key(parse_url(completed(address)).origin) if address else ""
    except ClientFaultError:
        return ""


def _origin(site: str) -> Origin:
    """Raises ClientFaultError for what is none."""
    return parse_url(site if "://" in site else f"http://{site.strip()}/").origin
