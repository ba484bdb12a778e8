"""``/-/settings/all``: all settings; an administrator changes them by sections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from markupsafe import Markup

from winnow.config.editing.text_changes import TextChange, without_change
from winnow.config.errors import ConfigError, InvalidSettingsError
from winnow.config.hidden_values import SECRETS
from winnow.config.sources.source_precedence import Loaded
from winnow.feature import Context
from winnow.features.settings.all_settings_page import (
    NOTHING_ENTERED,
    Entered,
    LastChanges,
    section_form,
    section_page,
    settings_page,
    with_words,
)
from winnow.features.settings.setting_forms import digest, edit_of, read_edit
from winnow.features.settings.settings_change import Changing
from winnow.features.settings.settings_in_force import ListedSection, listed
from winnow.proxy.access.credentials.terminal_codes import TerminalCodes
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import (
    OwnForms,
    form_token,
    posted,
    refuse_strange_name,
)
from winnow.proxy.own.handlers.html_errors import people_pages
from winnow.proxy.own.handlers.settings_access import SettingsAccess, settings_faults, who
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.base_page import HtmlPage
from winnow.proxy.own.templates.navigation import ALL, RULES
from winnow.proxy.own.translation import N_, _, says
from winnow.proxy.stores.settings_history import SavedChange

PURPOSE: Final = "settings {section} {was} {undo}"
"""A form is for one section as it was shown, or for one change to undo."""
_MEANWHILE: Final = N_("Somebody changed these settings meanwhile: here they are as they are now.")
_LATER: Final = N_("The rules were changed at the same place since: undo that change first.")
_NOTES: Final = {
    "now": N_("Saved. The change is in force."),
    "restart": N_("Saved. Some of it takes effect after a restart of Winnow."),
}


@dataclass(frozen=True)
class AllSettings:
    """``listed`` returns the settings in force."""

    listed: Callable[[], tuple[ListedSection, ...]]
    access: SettingsAccess
    codes: TerminalCodes

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD", "POST")
        refuse_strange_name(request)
        if request.head.method == "POST":
            return await self._posted(request)
        section = self._section(request.query.get("section", ""))
        if section is not None:
            may = self.access.may(request.head)
            return shown(self._form(request, section) if may else section_page(section))
        return await self._all(request)

    def _section(self, name: str) -> ListedSection | None:
        return next((each for each in self.listed() if each.name == name), None)

    async def _all(self, request: OwnRequest) -> OwnResponse:
        may, history = self.access.may(request.head), LastChanges()
        if may:
            changes = await self.access.editor_for(request).changes()
            history = LastChanges(changes, self._undo(request), SECRETS)
        saved = request.query.get("saved", "")
        note = _(_NOTES[saved]) if saved in _NOTES else ""
        words = request.query.get("q", "")
        sections = with_words(self.listed(), words)
        page = settings_page(sections, history, words, may_change=may, note=note)
        return shown(page)

    def _undo(self, request: OwnRequest) -> Callable[[SavedChange], Markup]:
        forms = OwnForms(self.access.tokens, request.head.owner, ALL, PURPOSE)
        return lambda change: forms.button({"undo": str(change.number)}, _("Undo"))

    def _form(
        self, request: OwnRequest, section: ListedSection, entered: Entered = NOTHING_ENTERED
    ) -> HtmlPage:
        proofs = self._proofs(request, {"section": section.name, "was": digest(section)})
        return section_form(section, proofs, entered)

    def _proofs(self, request: OwnRequest, fields: Mapping[str, str]) -> dict[str, str]:
        token = form_token(self.access.tokens, request.head.owner, PURPOSE, fields)
        return {**fields, "token": token}

    async def _posted(self, request: OwnRequest) -> OwnResponse:
        editor = self.access.editor_for(request)
        fields = await posted(request, self.access.tokens, PURPOSE)
        if "undo" in fields:
            undo = {"undo": fields["undo"]}
            changes = {str(each.number): each for each in await editor.changes()}
            change = changes.get(undo["undo"])
            if change is None:
                return see_other(ALL)
            if change.rules:
                return await self._rules_undone(request, editor, change.rules)
            settings = (each for section in self.listed() for each in section.settings)
            edit, proofs = edit_of(change.undone(), undo, settings), self._proofs(request, undo)
            return await Changing(editor, self.codes, request, edit, proofs).answer(fields)
        section = self._section(fields.get("section", ""))
        if section is None:
            raise ClientFaultError(says("There is no such section."), 400, "bad-form")
        return await self._section_posted(request, editor, section, fields)

    async def _rules_undone(
        self, request: OwnRequest, editor: SettingsEditor, change: TextChange
    ) -> OwnResponse:
        """Raises ClientFaultError where the rules were changed at the same place since."""

        def edit(text: str) -> str:
            before = without_change(text, change)
            if before is None:
                raise ClientFaultError(_LATER, 409, "stale")
            return before

        with settings_faults():
            await editor.change_rules(edit, who(request.head))
        return see_other(f"{RULES}?saved=undone")

    async def _section_posted(
        self,
        request: OwnRequest,
        editor: SettingsEditor,
        section: ListedSection,
        fields: Mapping[str, str],
    ) -> OwnResponse:
        secrets = await editor.secrets()
        edit = await asyncio.to_thread(read_edit, section, fields, secrets)
        if fields.get("was") != digest(section):
            return self._refused(request, section, Entered(general=_MEANWHILE))
        if edit.problems:
            return self._refused(request, section, Entered(fields, edit.problems))
        proofs = self._proofs(request, {"section": section.name, "was": digest(section)})
        changing = Changing(editor, self.codes, request, edit, proofs)
        try:
            return await changing.answer(fields)
        except InvalidSettingsError as error:
            problems = {each.path: each.message for each in error.problems}
            return self._refused(request, section, Entered(fields, problems))
        except ConfigError as error:
            return self._refused(request, section, Entered(fields, general=str(error)))

    def _refused(
        self, request: OwnRequest, section: ListedSection, entered: Entered
    ) -> OwnResponse:
        return shown(replace(self._form(request, section, entered), status=422))


def pages(context: Context) -> Mapping[str, OwnPage]:
    in_force = partial(listed, context.settings, context.of(Loaded).origins)
    access = SettingsAccess(context.find(SettingsEditor), context.tokens, context.administers)
    page = AllSettings(in_force, access, context.of(TerminalCodes))
    return people_pages({ALL: page})
