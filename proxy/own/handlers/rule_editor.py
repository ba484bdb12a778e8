"""``/-/settings/rules/edit``: a site rule is changed, tried on a page before, or removed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from winnow.config.errors import ConfigError
from winnow.config.site_rule_edits import tables_of, with_rule, without_rule
from winnow.config.site_rule_file import FileRule
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.http.headers import number
from winnow.proxy.http.messages import Permit
from winnow.proxy.http.proxy_errors import ClientFaultError, ProxyError
from winnow.proxy.http.request_target import completed, parse_url
from winnow.proxy.own.handlers.form_checks import (
    form_token,
    posted,
    refuse_strange_name,
    refuse_unless_administrator,
)
from winnow.proxy.own.handlers.rule_drafts import RuleDraft, digest, fields_of, read_draft
from winnow.proxy.own.handlers.settings_change import who
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.navigation import RULES
from winnow.proxy.own.templates.rule_form import RuleForm, RuleTried, rule_page
from winnow.proxy.own.translation import says
from winnow.proxy.stores.site_keys import site_key

PURPOSE: Final = "rule {number} {was}"
"""A form is for one rule of the file as it was shown."""

TryRule = Callable[[FileRule, str, Permit], Awaitable[RuleTried]]
"""What a rule does to the page of an address. Raises ProxyError."""
Faults = Callable[[FileRule], Sequence[str]]
"""What is wrong with the method and the selectors of a rule. Blocks."""


@dataclass(frozen=True)
class RuleChanges:
    """Who changes the site rules, and where; ``editor`` is None where nobody can."""

    editor: SettingsEditor | None
    tokens: FormTokens
    administers: Callable[[RequestHead], bool]
    faults: Faults

    def may(self, head: RequestHead) -> bool:
        """Whether a request is of who may."""
        return self.editor is not None and self.administers(head)

    def editor_for(self, request: OwnRequest) -> SettingsEditor:
        """Raises ClientFaultError for who may not."""
        refuse_strange_name(request)
        refuse_unless_administrator(self.administers(request.head))
        if self.editor is None:
            message = says("These settings cannot be changed here.")
            raise ClientFaultError(message, 409, "fixed-settings")
        return self.editor


@dataclass(frozen=True)
class OpenedRule:
    """A rule of the file as it is now: ``number`` is None for a new one."""

    file: Path
    text: str
    number: int | None
    table: Mapping[str, Any]

    def proofs(self, tokens: FormTokens, owner: str) -> dict[str, str]:
        """The hidden fields of its forms."""
        fields = {"number": _text(self.number), "was": digest(self.text)}
        return {**fields, "token": form_token(tokens, owner, PURPOSE, fields)}


@dataclass(frozen=True)
class RuleEditor:
    """``methods``: names to choose from. Administrators only."""

    changes: RuleChanges
    tried: TryRule
    methods: tuple[str, ...]

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        """Raises ClientFaultError, StoreError."""
        only(request, "GET", "HEAD", "POST")
        editor = self.changes.editor_for(request)
        try:
            if request.head.method == "POST":
                return await self._posted(request, editor)
            rule = await _opened(editor, request.query.get("rule", ""))
        except ConfigError as error:
            raise ClientFaultError(str(error), 409, "settings") from error
        address = request.query.get("url", "")
        fields = {"site": _site(address), "address": address} | fields_of(rule.table)
        return shown(rule_page(self._form(request, rule, fields)))

    async def _posted(self, request: OwnRequest, editor: SettingsEditor) -> OwnResponse:
        fields = await posted(request, self.changes.tokens, PURPOSE)
        rule = await _opened(editor, fields.get("number", ""))
        if fields.get("was") != digest(rule.text):
            raise ClientFaultError(
                says("Somebody changed the site rules meanwhile. Open the rule again."),
                409,
                "stale",
            )
        if fields.get("do") == "remove" and rule.number is not None:
            number = rule.number
            await editor.change_rules(lambda text: without_rule(text, number), who(request.head))
            return see_other(f"{RULES}?saved=removed")
        return await self._drafted(request, editor, rule, fields)

    async def _drafted(
        self,
        request: OwnRequest,
        editor: SettingsEditor,
        rule: OpenedRule,
        fields: Mapping[str, str],
    ) -> OwnResponse:
        draft = read_draft(fields, rule.table, rule.file)
        faults = draft.faults
        if draft.rule and not faults:
            faults = tuple(await asyncio.to_thread(self.changes.faults, draft.rule))
        form = self._form(request, rule, fields)
        if draft.rule is None or faults:
            return shown(replace(rule_page(replace(form, faults=faults)), status=422))
        if fields.get("do") != "save":
            return await self._tried(request, form, draft.rule)
        change = _change(rule, draft)
        await editor.change_rules(change, who(request.head))
        return see_other(f"{RULES}?saved=saved")

    async def _tried(self, request: OwnRequest, form: RuleForm, rule: FileRule) -> OwnResponse:
        try:
            address = completed(form.fields.get("address", "").strip())
            found = await self.tried(rule, address, request.permit)
        except ProxyError as error:
            return shown(replace(rule_page(replace(form, untried=error.sentence)), status=422))
        return shown(rule_page(replace(form, tried=found)))

    def _form(self, request: OwnRequest, rule: OpenedRule, fields: Mapping[str, str]) -> RuleForm:
        proofs = rule.proofs(self.changes.tokens, request.head.owner)
        return RuleForm(rule.table, fields, proofs, self.methods)


async def _opened(editor: SettingsEditor, number_text: str) -> OpenedRule:
    """Raises ConfigError, StoreError, ClientFaultError."""
    file, text = await editor.rules()
    tables = tables_of(text, file)
    place = number(number_text)
    if not number_text:
        return OpenedRule(file, text, None, {})
    if place is None or place >= len(tables):
        raise ClientFaultError(says("There is no such rule."), 404, "unknown-rule")
    return OpenedRule(file, text, place, tables[place])


def _change(rule: OpenedRule, draft: RuleDraft) -> Callable[[str], str]:
    return lambda text: with_rule(text, rule.number, draft.table)


def _text(place: int | None) -> str:
    return "" if place is None else str(place)


def _site(address: str) -> str:
    """The site of an address, "" for what is none."""
    try:
        return site_key(parse_url(completed(address)).origin) if address else ""
    except ClientFaultError:
        return ""
