"""The form that lets the devices of this network in, and what a device then needs. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import HtmlPage, own_page, sentences
from winnow.proxy.own.templates.elements import form, hidden
from winnow.proxy.own.templates.qr_code import qr_code
from winnow.proxy.own.translation import N_, _, filled

NETWORK: Final = "/-/setup/network"
USER: Final = "devices"
"""The user that devices of the network sign in as."""
_MEANING: Final = (
    N_(
        "Phones, readers and other computers of your network can use this Winnow, with a user name "
        "and a password that Winnow makes."
    ),
    N_(
        "Whoever has the password reads through this computer, also HTTPS sites that you opened. "
        "On the way to Winnow the password is not encrypted: do this in a network that you trust."
    ),
)


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

    @property
    def base(self) -> str:
        """The address that a device opens."""
        return f"http://{self.address}:{self.port}/"


def network_part(state: NetworkState, outcome: Markup) -> Markup:
    """The section of the guide; ``outcome`` says what was just done in it."""
    return Markup('<h2 id="network">{}</h2>\n{}{}').format(
        _("4. Let devices of this network in"), outcome, _inside(state)
    )


def _inside(state: NetworkState) -> Markup:
    if state.is_on:
        return Markup("\n").join((_reached(state), *_buttons(state)))
    if state.fixed:
        text = _("The listening address is set elsewhere ({place}). Change it there.")
        return sentences(text.format(place=state.fixed))
    if not state.address:
        return sentences(_("This computer has no address in a private network."))
    button = form(NETWORK, state.proofs["on"], _("Let devices of this network in"), "first")
    return Markup("{}\n<p>{}</p>").format(sentences(*map(_, _MEANING)), button)


def _buttons(state: NetworkState) -> tuple[Markup, ...]:
    return (
        form(NETWORK, state.proofs["on"], _("Make a new password")),
        form(NETWORK, state.proofs["off"], _("Let no device in any more")),
    )


def _reached(state: NetworkState) -> Markup:
    address = Markup("<code>{}</code>").format(state.base)
    text = _(
        "Devices open {address}, by this code or by hand, and sign in as {user}. As their proxy "
        "they use {host}, port {port}; the guides on that page have their address."
    )
    shown = filled(
        text,
        address=address,
        user=Markup("<code>{}</code>").format(USER),
        host=Markup("<code>{}</code>").format(state.address),
        port=state.port,
    )
    label = _("QR code of {address}").format(address=state.base)
    return Markup('<p class="good">✓ {}</p>\n<p>{}</p>\n{}').format(
        _("Devices of this network are let in."), shown, qr_code(f"{state.base}-/setup", label)
    )


def network_code_page(proofs: Mapping[str, str], *, wrong: bool = False) -> HtmlPage:
    """Asks for the code that the terminal shows."""
    text = _(
        "This lets others in. To prove that Winnow is yours, enter the code that the terminal "
        "shows in which Winnow runs (for a service: its log)."
    )
    fault = _("That is not the code, or it is too old. A new one may be in the terminal.")
    main = Markup(
        "<p>{}</p>\n{}"
        '<form method="post" action="{}">{}<label for="code">{}</label> '
        '<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" '
        'required size="12"> <button class="first">{}</button></form>\n'
        '<p><a href="/-/setup#network">{}</a></p>'
    ).format(
        text,
        Markup('<p class="wrong" role="alert">{}</p>\n').format(fault) if wrong else "",
        NETWORK,
        hidden(proofs),
        _("Code"),
        _("Let devices of this network in"),
        _("Cancel"),
    )
    return own_page(_("Is Winnow yours?"), main, status=403 if wrong else 200)


def password_page(state: NetworkState, password: str) -> HtmlPage:
    """What a device needs, its password shown this once."""
    main = Markup(
        "{}\n<table>\n<tr><th scope=row>{}</th><td><code>{}</code></td></tr>\n"
        "<tr><th scope=row>{}</th><td><code>{}</code></td></tr>\n</table>\n<p>{}</p>\n"
        '<p><a href="/-/setup#network">{}</a></p>'
    ).format(
        _reached(state),
        _("User name"),
        USER,
        _("Password"),
        password,
        _("Winnow keeps no copy of the password: this page shows it once."),
        _("Back to the guide"),
    )
    return own_page(_("Devices of this network"), main)
