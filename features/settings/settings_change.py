"""One change of settings on its way: asks for a code where it needs one, then has it made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from winnow.config.hidden_values import SECRETS, names_of, without_credentials
from winnow.document.addresses import parts_of
from winnow.features.settings.all_settings_page import code_form
from winnow.features.settings.setting_forms import SettingsEdit
from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.credentials.terminal_codes import TerminalCodes
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.settings_access import who
from winnow.proxy.own.router import OwnRequest, OwnResponse, see_other, shown
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.navigation import ALL
from winnow.proxy.own.translation import N_, _

_WRONG_CODE: Final = N_("That is not the code, or it is too old. A new one may be in the terminal.")
_IN_THE_CLEAR: Final = N_(
    "From another machine this can be changed over TLS only (server.tls_cert): others could read "
    "the code and the password."
)


@dataclass(frozen=True)
class Changing:
    """One change on its way: asks for a code where it needs one, then has it made."""

    editor: SettingsEditor
    codes: TerminalCodes
    request: OwnRequest
    edit: SettingsEdit
    proofs: Mapping[str, str]

    async def answer(self, fields: Mapping[str, str]) -> OwnResponse:
        """Raises ConfigError for values that do not hold, StoreError if they cannot be saved."""
        edit, now = self.edit, datetime.now(UTC)
        if not edit.values:
            return see_other(ALL)
        if edit.is_protected:
            self._refuse_in_the_clear()
            code = fields.get("code", "")
            if not self.codes.holds(code, self._purpose, now):
                return self._asks(now, _WRONG_CODE if code else "")
        await self.editor.change(edit.values, who(self.request.head))
        return see_other(f"{ALL}?saved={'restart' if edit.needs_restart else 'now'}")

    @property
    def _purpose(self) -> str:
        return f"{self.request.head.owner} {self.edit.purpose}"

    def _asks(self, now: datetime, fault: str) -> OwnResponse:
        shown_changes = {path: _shown(path, raw) for path, raw in self.edit.values.items()}
        what = "; ".join(f"{path} = {text}" for path, text in shown_changes.items())
        self.codes.send(self._purpose, what, now)
        hidden = {**self.edit.fields, **self.proofs}
        page = code_form(hidden, shown_changes, fault)
        return shown(replace(page, status=403) if fault else page)

    def _refuse_in_the_clear(self) -> None:
        """Raises ClientFaultError for a change from elsewhere that others could have read."""
        secure = parts_of(self.request.base).scheme == "https"
        if not secure and not is_local(self.request.head.client):
            raise ClientFaultError(_IN_THE_CLEAR, 403, "not-secure")


def _shown(path: str, raw: object) -> str:
    """A value in words, without line ends, passwords and their hashes."""
    if raw is None:
        return _("default")
    if path in SECRETS and isinstance(raw, list):
        return ", ".join(names_of(map(str, raw)))
    text = ", ".join(map(str, raw)) if isinstance(raw, list) else str(raw)
    return "".join(each if each.isprintable() else "?" for each in without_credentials(text))
