"""``/-/setup/network``: the devices of this machine's network are let in, at once, or no more."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from markupsafe import Markup

from winnow.features.setup.devices.device_offers import DeviceOffers
from winnow.features.setup.devices.qr_code import qr_code
from winnow.proxy.access.address_kinds import is_local
from winnow.proxy.access.credentials.passwords import hash_password
from winnow.proxy.access.credentials.terminal_codes import TerminalCodes
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.own.handlers.form_checks import (
    posted,
    proofs,
    refuse_strange_name,
    refuse_unless_administrator,
)
from winnow.proxy.own.handlers.settings_access import settings_faults
from winnow.proxy.own.listening_place import ListeningAddress
from winnow.proxy.own.page_templates import page_template
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other, shown
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.own.templates.base_page import page_of
from winnow.proxy.own.translation import _, says

NETWORK: Final = "/-/setup/network"
USER: Final = "devices"
"""The user that devices of the network sign in as."""
_CODE: Final = page_template(__package__, "network_code.html")
_PASSWORD: Final = page_template(__package__, "network_password.html")
_PURPOSE: Final = "network {change}"
_CHANGES: Final = ("on", "off")
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz"
"""Those that nobody takes for another."""
_EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - what the button is for
_WHAT: Final = "devices of this network are let in, with a user and a password"


@dataclass(frozen=True, slots=True)
class NetworkState:
    """``address``: this machine's in its network, ``proofs``: as in ``HttpsState``.

    ``is_on``: devices are let in. ``fixed``: where else the listening address is set.
    """

    address: str
    port: int
    proofs: Mapping[str, Mapping[str, str]]
    is_on: bool = False
    fixed: str = ""
    token: str = ""
    """By which a device is let in without typing the password."""

    @property
    def base(self) -> str:
        """The address that a device opens."""
        return f"http://{self.address}:{self.port}/"

    @property
    def picture(self) -> Markup:
        """The code that a phone's camera opens the guide by."""
        label = _("QR code of {address}").format(address=self.base)
        return qr_code(f"{self.base}-/{f'pair#{self.token}' if self.token else 'setup'}", label)


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
    offers: DeviceOffers | None = None
    """None where another process may answer the device."""

    def state(self, request: OwnRequest) -> NetworkState | None:
        """What its form shows; None for who may not use it."""
        head = request.head
        if self.editor is None or self.codes is None or not self._may(head):
            return None
        fields = proofs(self.tokens, head.owner, _PURPOSE, _CHANGES)
        return NetworkState(self.address(), self.listener().port, fields, self.is_on, self.fixed)

    def _may(self, head: RequestHead) -> bool:
        """At this computer alone: elsewhere others could read the password."""
        return bool(head.client) and is_local(head.client) and self.administers(head)

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
            status = 403 if code else 200
            page = page_of(_CODE, status=status, proofs=state.proofs["on"], wrong=bool(code))
            return shown(page)
        password = "-".join("".join(map(secrets.choice, [_LETTERS] * 4)) for _ in range(4))
        line = f"{USER}:{await asyncio.to_thread(hash_password, password)}"
        await self._change(request, [line], _EVERYWHERE)
        token = self.offers.offer(USER, password) if self.offers else ""
        reached = replace(state, address=self.address(), token=token)
        return shown(page_of(_PASSWORD, state=reached, user=USER, password=password))

    async def _change(self, request: OwnRequest, own: list[str], host: str | None) -> None:
        """Raises ClientFaultError if the settings cannot be changed, StoreError if not saved."""
        if self.editor is None:
            raise ClientFaultError(says("This cannot be changed here."), 409, "fixed-settings")
        with settings_faults():
            users = (await self.editor.secrets())["access.users"]
            others = [line for line in users if line.partition(":")[0] != USER]
            values = {"access.users": [*others, *own] or None, "server.host": host}
            await self.editor.change(values, request.head.user or "this computer")
