"""``/-/setup/network``: the devices of this machine's network are let in, at once, or no more."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from winnow.config.errors import ConfigError
from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.passwords import hash_password
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.access.terminal_codes import TerminalCodes
from winnow.proxy.access.tokens import FormTokens
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import (
    form_token,
    posted,
    refuse_strange_name,
    refuse_unless_administrator,
)
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.network_form import (
    USER,
    NetworkState,
    network_code_page,
    password_page,
)
from winnow.proxy.own.templates.pac_file import ListeningAddress
from winnow.proxy.own.translation import says

_PURPOSE: Final = "network {change}"
_CHANGES: Final = ("on", "off")
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz"
"""Those that nobody takes for another."""
_EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - what the button is for
_WHAT: Final = "devices of this network are let in, with a user and a password"


@dataclass(frozen=True)
class NetworkSwitch:
    """``is_on``: devices are let in now. ``fixed`` as in ``HttpsSwitch``."""

    editor: SettingsEditor | None
    codes: TerminalCodes | None
    tokens: FormTokens
    administers: Callable[[RequestHead], bool]
    listener: Callable[[], ListeningAddress]
    address: Callable[[], str]
    is_on: bool = False
    fixed: str = ""

    def state(self, request: OwnRequest) -> NetworkState | None:
        """What its form shows; None for who may not use it."""
        head = request.head
        if self.editor is None or self.codes is None or not self._may(head):
            return None
        proofs = {change: self._proofs(head.owner, change) for change in _CHANGES}
        return NetworkState(self.address(), self.listener().port, proofs, self.is_on, self.fixed)

    def _may(self, head: RequestHead) -> bool:
        """At this computer alone: elsewhere others could read the password."""
        return bool(head.client) and is_local(head.client) and self.administers(head)

    def _proofs(self, owner: str, change: str) -> Mapping[str, str]:
        fields = {"change": change}
        return {**fields, "token": form_token(self.tokens, owner, _PURPOSE, fields)}

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "POST")
        refuse_strange_name(request)
        refuse_unless_administrator(self._may(request.head))
        fields = await posted(request, self.tokens, _PURPOSE)
        state = self.state(request)
        if state is None or (state.fixed and fields["change"] == "on"):
            raise ClientFaultError(says("This cannot be changed here."), 409, "fixed-settings")
        if fields["change"] != "on":
            await self.close(request)
            return see_other("/-/setup?done=closed#network")
        return await self._let_in(request, state, fields.get("code", ""))

    async def close(self, request: OwnRequest) -> None:
        """Let no device in any more. Raises as ``_change``."""
        if self.is_on:
            await self._change(request, [], None)

    async def _let_in(self, request: OwnRequest, state: NetworkState, code: str) -> OwnResponse:
        """Asks for the terminal's code first."""
        now, purpose = datetime.now(UTC), f"{request.head.owner} network"
        if self.codes is None or not self.codes.holds(code, purpose, now):
            if self.codes is not None:
                self.codes.send(purpose, _WHAT, now)
            return shown(network_code_page(state.proofs["on"], wrong=bool(code)))
        password = "-".join("".join(map(secrets.choice, [_LETTERS] * 4)) for _ in range(4))
        line = f"{USER}:{await asyncio.to_thread(hash_password, password)}"
        await self._change(request, [line], _EVERYWHERE)
        return shown(password_page(replace(state, address=self.address()), password))

    async def _change(self, request: OwnRequest, own: list[str], host: str | None) -> None:
        """Raises ClientFaultError if the settings cannot be changed, StoreError if not saved."""
        if self.editor is None:
            raise ClientFaultError(says("This cannot be changed here."), 409, "fixed-settings")
        try:
            users = (await self.editor.secrets())["access.users"]
            others = [line for line in users if line.partition(":")[0] != USER]
            values = {"access.users": [*others, *own] or None, "server.host": host}
            await self.editor.change(values, request.head.user or "this computer")
        except ConfigError as error:
            raise ClientFaultError(str(error), 409, "settings") from error
