"""The form that switches HTTPS interception on and off: meaning, consent, undoing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import sentences
from winnow.proxy.own.templates.elements import form, hidden
from winnow.proxy.own.translation import N_, _, filled, ngettext

SWITCH: Final = "/-/setup/https"
REMOVAL: Final = "remove"
"""The id of the guide's last section."""
MEANING: Final = (
    N_(
        "Most sites use HTTPS, encrypted between site and browser: Winnow can only pass such "
        "pages on. "
        "Switched on, it decrypts them on this computer, with certificates that it signs itself, "
        "and "
        "checks the site’s own certificate in your browser’s place."
    ),
    N_(
        "It then sees what you see there, passwords included. It sends that to the site alone, and "
        "stores no more than a browser’s cache does."
    ),
    N_("Banks, payment and tax services stay encrypted. You can switch it off here at any time."),
)


_OUTCOMES: Final = {
    "on": N_("HTTPS is on. Now have this browser trust Winnow’s certificate:"),
    "off": N_(
        "HTTPS is off: HTTPS pages pass through encrypted again. Browsers trust Winnow’s "
        "certificate until you remove it: {link}."
    ),
    "again": N_("Winnow opens all hosts again that had refused its certificate."),
    "undo": N_(
        "Undone: HTTPS is off, the certificates that Winnow made for sites are deleted, its list "
        "of hosts that refused them is empty, and devices that were let in by the button no longer "
        "are. What was set outside Winnow remains: {link}."
    ),
    "closed": N_("No device of the network is let in any more."),
}
"""What an action did, by the name that its redirect gives it."""


@dataclass(frozen=True)
class HttpsState:
    """``hosts``: what is opened now; ``proofs``: the hidden fields of a form by what it changes.

    ``refused``: hosts that were learned as refusing. ``fixed``: where else the hosts are set.
    """

    hosts: tuple[str, ...]
    proofs: Mapping[str, Mapping[str, str]]
    refused: int = 0
    fixed: str = ""


def https_part(state: HttpsState) -> Markup:
    """The form, or what undoes it."""
    if state.fixed:
        text = _("The hosts are set elsewhere ({place}): {hosts}. Change them there.")
        hosts = ", ".join(state.hosts) or _("none")
        return sentences(text.format(place=state.fixed, hosts=hosts))
    return _on(state) if state.hosts else _off(state)


def _off(state: HttpsState) -> Markup:
    return meaning() + Markup(
        '\n<form method="post" action="{}">{}\n<fieldset><legend>{}</legend>\n'
        '<p><label><input type="radio" name="which" value="all" checked> {}</label><br>'
        '<label><input type="radio" name="which" value="named"> {}</label><br>'
        '<label for="hosts" class="quiet">{}</label>'
        '<br><textarea id="hosts" name="hosts" rows="3" cols="30" spellcheck="false"></textarea>'
        "</p></fieldset>\n"
        '<p><label><input type="checkbox" name="consent" value="yes" required> {}</label></p>\n'
        '<p><button class="first">{}</button></p></form>'
    ).format(
        SWITCH,
        hidden(state.proofs["on"]),
        _("Which sites?"),
        _("All sites but banks and their like"),
        _("Only these, one a line:"),
        _("Such as {names}").format(names="example.com, *.example.com"),
        _("I have read this, and whoever uses this Winnow agrees."),
        _("Read HTTPS pages too"),
    )


def meaning() -> Markup:
    """What interception means, in three paragraphs."""
    return sentences(*map(_, MEANING))


def outcome(done: str) -> Markup:
    """Says what an action did; "" for none."""
    if done not in _OUTCOMES:
        return Markup("")
    link = Markup('<a href="#{}">{}</a>').format(REMOVAL, _("How to remove Winnow"))
    said = filled(_(_OUTCOMES[done]), link=link)
    return Markup('<p role="status" class="good">{}</p>\n').format(said)


def _on(state: HttpsState) -> Markup:
    every = "*" in state.hosts
    everywhere = _("all sites but banks, payment and tax services")
    which = everywhere if every else ", ".join(state.hosts)
    link = Markup('<a href="/-/setup#check">{}</a>').format(_("live check"))
    text = _("The {link} says whether this browser trusts Winnow’s certificate.")
    parts = [
        Markup("<p><strong>{}</strong> {}</p>").format(
            _("HTTPS is on for: {which}.").format(which=which), filled(text, link=link)
        ),
        form(SWITCH, state.proofs["off"], _("Switch HTTPS off")),
    ]
    if state.refused:
        text = ngettext(
            "Open all again ({number} host refused)",
            "Open all again ({number} hosts refused)",
            state.refused,
        )
        parts.append(form(SWITCH, state.proofs["again"], text))
    return Markup("\n").join(parts)


def undo_part(state: HttpsState) -> Markup:
    """One button for what the set-up changed in Winnow itself, and what it leaves."""
    stays = _(
        "This switches HTTPS off and lets no other device in. Saved pages, choices for sites, kept "
        "parts, and text and colours stay."
    )
    text = _("Then remove what was changed outside Winnow. On Linux {command} does it.")
    return Markup('<p>{}</p>\n<p class="quiet">{}</p>\n<p>{}</p>').format(
        form(SWITCH, state.proofs["undo"], _("Undo the set-up")),
        stays,
        filled(text, command=Markup("<code>winnow setup --undo</code>")),
    )
