"""The setup page: guides for each system, switches, and the live check. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from winnow.features.setup.devices.apple_profile import PROFILE
from winnow.features.setup.devices.network_switch import NetworkState
from winnow.features.setup.https_switch import HttpsState
from winnow.features.setup.setup_check import FRAMES, answers, place
from winnow.features.setup.setup_guides import GUIDES, Step, Typed
from winnow.proxy.own.listening_place import ListeningAddress
from winnow.proxy.own.page_templates import own_file, page_template
from winnow.proxy.own.templates.base_page import STYLE, HtmlPage, page_headers, page_of
from winnow.proxy.own.translation import _
from winnow.proxy.tls.interception_policy import InterceptionPolicy

_STYLE: Final = STYLE + own_file(__package__, "setup.css")
_SCRIPT: Final = own_file(__package__, "setup.js")
_TEMPLATE: Final = page_template(__package__, "setup.html")


@dataclass(frozen=True, slots=True)
class SetupView:
    """``through`` is the scheme by which the request came through the proxy, "" if directly.

    ``authority_name``, ``fingerprint``: "" before there is an authority.
    ``replaced``: files of damaged authorities that were set aside. ``https``, ``network``: the
    switches, None for who may not use them. ``done``: the action that led here (``outcome``).
    """

    listener: ListeningAddress
    policy: InterceptionPolicy
    authority_name: str
    fingerprint: str
    through: str = ""
    replaced: Sequence[str] = ()
    https: HttpsState | None = None
    network: NetworkState | None = None
    done: str = ""
    system: str = ""
    """The guide for the browser that asks, if it says so."""

    @staticmethod
    def base_of(listener: ListeningAddress) -> str:
        """The address of our own pages there."""
        return f"{'https' if listener.tls else 'http'}://{listener.authority}"

    @property
    def names(self) -> dict[str, str]:
        """The values for the names in braces of the guides."""
        return self._names(self.listener)

    @property
    def names_elsewhere(self) -> dict[str, str]:
        """The same for devices of the network, where this machine's address there is known."""
        if self.network is None or not self.network.address:
            return self.names
        host, port = self.network.address, self.network.port
        return self._names(replace(self.listener, host=host, port=port))

    def _names(self, listener: ListeningAddress) -> dict[str, str]:
        base = self.base_of(listener)
        return {
            "host": listener.host,
            "port": str(listener.port),
            "pac": f"{base}/-/proxy.pac",
            "certificate": f"{base}/-/ca.crt",
            "profile": f"{base}{PROFILE}",
            "name": self.authority_name,
        }


class ShownStep(NamedTuple):
    """A step in words, and the command that it types, "" for none."""

    text: str
    command: str = ""


class ShownGuide(NamedTuple):
    """The steps of a part for one system, and the one that removes the certificate."""

    system: str
    steps: Sequence[ShownStep]
    undo: ShownStep
    is_here: bool = False
    """It is that of the browser that asks."""


def setup_page(view: SetupView) -> HtmlPage:
    """The whole page, in the order in which a new user needs it."""
    page = page_of(
        _TEMPLATE,
        style=_STYLE,
        script=_SCRIPT,
        view=view,
        opened=view.policy.opened,
        answers=answers,
        place=place,
        guides_of=lambda part: list(_guides(view, part)),
    )
    return page.with_headers(page_headers((*FRAMES, "'self'"), _STYLE, _SCRIPT))


def _guides(view: SetupView, part: str) -> Iterator[ShownGuide]:
    here, elsewhere = view.names, view.names_elsewhere
    for guide in GUIDES:
        names = elsewhere if guide.is_elsewhere else here
        parts = {"proxy": guide.proxy, "trust": guide.trust, "undo": (guide.undo,)}
        steps = [_shown(step, names) for step in parts[part]]
        is_here = guide.system == view.system
        yield ShownGuide(_(guide.system), steps, _shown(guide.undo, names), is_here)


def _shown(step: Step, names: dict[str, str]) -> ShownStep:
    if isinstance(step, Typed):
        return ShownStep(_(step.text).format(**names), step.command.format(**names))
    return ShownStep(_(step).format(**names))
