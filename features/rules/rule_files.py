"""``/-/settings/rules/export`` and ``/import``: the site rules as a file. Administrators only."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from winnow.config.editing.file_edits import FILE_NAME, with_imported
from winnow.config.errors import ConfigError, InvalidSettingsError
from winnow.config.site_rule_file import read_rules
from winnow.config.sources.toml_file import parsed_text
from winnow.features.site.opened_site import RuleChanges
from winnow.proxy.http.form_data import form_parts
from winnow.proxy.own.downloads import file_response
from winnow.proxy.own.handlers.form_checks import (
    check_token,
    form_token,
    refuse_cross_site,
)
from winnow.proxy.own.handlers.settings_access import settings_faults, who
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_of
from winnow.proxy.own.templates.navigation import RULES
from winnow.proxy.own.templates.settings.styles import FIELDS_STYLE

IMPORT: Final = f"{RULES}/import"
EXPORT: Final = f"{RULES}/export"
_STYLE: Final = STYLE + FIELDS_STYLE
_TEMPLATE: Final = page_template(__package__, "rule_import.html")


def import_page(token: str, faults: Sequence[str] = ()) -> HtmlPage:
    """``faults``: what is wrong with a file that was sent."""
    return page_of(_TEMPLATE, style=_STYLE, token=token, faults=faults)


LARGEST: Final = 1024 * 1024
_PURPOSE: Final = "import site rules"
_SENT: Final = Path("file")
"""Names the file that was sent, in what is wrong with it."""


@dataclass(frozen=True)
class RuleFiles:
    """The file as it is, and the rules of another put into it."""

    changes: RuleChanges

    async def exported(self, request: OwnRequest) -> OwnResponse:
        """The file as it is. Raises ClientFaultError, StoreError."""
        only(request, "GET", "HEAD")
        editor = self.changes.editor_for(request)
        with settings_faults():
            _file, text = await editor.rules()
        return file_response(text.encode(), "application/toml", FILE_NAME)

    async def imported(self, request: OwnRequest) -> OwnResponse:
        """GET shows the form, POST writes the rules. Raises ClientFaultError, StoreError."""
        only(request, "GET", "HEAD", "POST")
        editor, owner = self.changes.editor_for(request), request.head.owner
        token = form_token(self.changes.tokens, owner, _PURPOSE, {})
        if request.head.method != "POST":
            return shown(import_page(token))
        text = await self._sent(request)
        try:
            if faults := await asyncio.to_thread(self._faults_of, text):
                return shown(replace(import_page(token, faults), status=422))
            await editor.change_rules(
                lambda old: with_imported(old, text, _SENT), who(request.head)
            )
        except InvalidSettingsError as error:
            found = [f"{each.path} {each.message}" for each in error.problems]
            return shown(replace(import_page(token, found), status=422))
        except ConfigError as error:
            return shown(replace(import_page(token, (str(error),)), status=422))
        return see_other(f"{RULES}?saved=imported")

    async def _sent(self, request: OwnRequest) -> str:
        """The file of a form with a valid token. Raises ClientFaultError for any other."""
        refuse_cross_site(request)
        body = await request.body(LARGEST)
        parts = form_parts(body, request.head.headers.get("content-type"))
        token = parts.get("token", b"").decode("utf-8", "replace")
        check_token(request, self.changes.tokens, _PURPOSE, {"token": token})
        return parts.get("file", b"").decode("utf-8-sig", "replace")

    def _faults_of(self, text: str) -> Sequence[str]:
        rules = read_rules(parsed_text(text, _SENT), _SENT)
        return [f"{rule.site}: {fault}" for rule in rules for fault in self.changes.faults(rule)]
