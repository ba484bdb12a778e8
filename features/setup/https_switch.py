"""``/-/setup/https``: HTTPS interception switched on and off by a form, at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from winnow.document.addresses import host_of
from winnow.features.setup.devices.network_switch import NetworkSwitch
from winnow.proxy.access.credentials.tokens import FormTokens
from winnow.proxy.access.requester import RequestHead
from winnow.proxy.http.proxy_errors import ClientFaultError
from winnow.proxy.http.sentences import N_, says
from winnow.proxy.own.handlers.form_checks import (
    posted,
    proofs,
    refuse_strange_name,
    refuse_unless_administrator,
)
from winnow.proxy.own.handlers.settings_access import settings_faults
from winnow.proxy.own.router import OwnRequest, OwnResponse, only, see_other
from winnow.proxy.own.settings_editor import SettingsEditor
from winnow.proxy.stores.choice_store import ChoiceStore
from winnow.proxy.tls.lazy_authority import LazyAuthority

SWITCH: Final = "/-/setup/https"
_HOSTS: Final = "interception.hosts"
_PURPOSE: Final = "https {change}"
_CHANGES: Final = ("on", "off", "again", "undo")
_PLACES: Final = {"on": "#trust", "again": "#https"}
"""Where the guide says what was done, if not at its top."""
_PATTERN: Final = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*\.?\Z")
_CONSENT: Final = N_("Tick that whoever uses this Winnow agrees: go back and try again.")


@dataclass(frozen=True)
class HttpsState:
    """``hosts``: what is opened now; ``proofs``: the hidden fields of a form by what it changes.

    ``refused``: hosts that were learned as refusing. ``fixed``: where else the hosts are set.
    """

    hosts: tuple[str, ...]
    proofs: Mapping[str, Mapping[str, str]]
    refused: int = 0
    fixed: str = ""


@dataclass(frozen=True)
class HttpsSwitch:
    """``hosts`` are opened now; ``fixed`` names where else they are set, "" for the file."""

    editor: SettingsEditor | None
    choices: ChoiceStore
    keys: LazyAuthority
    tokens: FormTokens
    administers: Callable[[RequestHead], bool]
    hosts: tuple[str, ...] = ()
    fixed: str = ""
    network: NetworkSwitch | None = None
    """What *Undo the set-up* switches off too."""

    def state(self, request: OwnRequest) -> HttpsState | None:
        """What its form shows; None for who may not use it."""
        head = request.head
        if self.editor is None or not head.client or not self.administers(head):
            return None
        fields = proofs(self.tokens, head.owner, _PURPOSE, _CHANGES)
        refused = {entry.host for entry in self.choices.now.passed.values()}
        return HttpsState(self.hosts, fields, len(refused), self.fixed)

    async def __call__(self, request: OwnRequest) -> OwnResponse:
        only(request, "POST")
        refuse_strange_name(request)
        refuse_unless_administrator(self.administers(request.head))
        fields = await posted(request, self.tokens, _PURPOSE)
        change, who = fields.get("change"), request.head.user or "this computer"
        if change == "on":
            hosts = _hosts_of(fields)
            await self.keys.authority()
            await self._open(hosts, who)
        if change in ("off", "undo") and self.hosts:
            await self._open(None, who)
        if change in ("again", "undo"):
            await self.choices.unlearn(self.choices.now.refusals_of(None))
        if change == "undo":
            await self.keys.forget_leaves()
            if self.network:
                await self.network.close(request)
        return see_other(f"/-/setup?done={change}{_PLACES.get(change or '', '')}")

    async def _open(self, hosts: list[str] | None, who: str) -> None:
        """Raises ClientFaultError if the settings cannot be changed, StoreError if not saved."""
        if self.editor is None or self.fixed:
            raise ClientFaultError(says("The hosts cannot be changed here."), 409, "fixed-settings")
        with settings_faults():
            await self.editor.change({_HOSTS: hosts}, who)


def _hosts_of(fields: Mapping[str, str]) -> list[str]:
    """What the form opens. Raises ClientFaultError without consent, or for what names no host."""
    if fields.get("consent") != "yes":
        raise ClientFaultError(_CONSENT, 400, "consent")
    if fields.get("which") == "all":
        return ["*"]
    hosts = [_host(line) for line in fields.get("hosts", "").split()]
    if not hosts:
        raise ClientFaultError(says("Name at least one site, or choose all."), 400, "bad-form")
    return hosts


def _host(text: str) -> str:
    """A host or ``*.host``, from that or from an address."""
    host = host_of(text) if "://" in text else text.strip(",;")
    if not _PATTERN.match(host):
        raise ClientFaultError(says("This is no site: {site}", site=text[:60]), 400, "bad-form")
    return host.lower()
