"""The form that switches HTTPS interception on and off: meaning, consent, undoing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from winnow.proxy.own.templates.base_page import counted, sentences
from winnow.proxy.own.templates.elements import form, hidden

SWITCH: Final = "/-/setup/https"
MEANING: Final = (
    "Most sites use HTTPS, encrypted between site and browser: Winnow can only pass such pages on. "
    "Switched on, it decrypts them on this computer, with certificates that it signs itself, and "
    "checks the site's own certificate in your browser's place.",
    "It then sees what you see there, passwords included. It sends that to the site alone, and "
    "stores no more than a browser's cache does.",
    "Banks, payment and tax services stay encrypted. You can switch it off here at any time.",
)


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
        text = f"The hosts are set by the {state.fixed}: {', '.join(state.hosts) or 'none'}."
        return sentences(text, "Change them there.")
    return _on(state) if state.hosts else _off(state)


def _off(state: HttpsState) -> Markup:
    return sentences(*MEANING) + Markup(
        '\n<form method="post" action="{}">{}\n<fieldset><legend>Which sites?</legend>\n'
        '<p><label><input type="radio" name="which" value="all" checked> All sites but banks '
        "and their like"
        '</label><br><label><input type="radio" name="which" value="named"> Only these, one a line:'
        '</label><br><label for="hosts" class="quiet">Such as example.com or *.example.com</label>'
        '<br><textarea id="hosts" name="hosts" rows="3" cols="30" spellcheck="false"></textarea>'
        "</p></fieldset>\n"
        '<p><label><input type="checkbox" name="consent" value="yes" required> I have read this, '
        "and whoever uses this Winnow agrees.</label></p>\n"
        '<p><button class="first">Read HTTPS pages too</button></p></form>'
    ).format(SWITCH, hidden(state.proofs["on"]))


def _on(state: HttpsState) -> Markup:
    every = "*" in state.hosts
    which = "all sites but banks, payment and tax services" if every else ", ".join(state.hosts)
    parts = [
        Markup('<p class="good">✓ HTTPS pages are read: {}.</p>').format(which),
        form(SWITCH, state.proofs["off"], "Switch off"),
    ]
    if state.refused:
        text = f"Open all again ({counted(state.refused, 'host')} refused)"
        parts.append(form(SWITCH, state.proofs["again"], text))
    return Markup("\n").join(parts)


def undo_part(state: HttpsState) -> Markup:
    """One button for all that Winnow itself changed."""
    return Markup(
        "<p>{}</p>\n<p>Then remove what was changed outside Winnow: <code>winnow setup --undo"
        "</code> does it on Linux, and each guide above ends with the steps for it.</p>"
    ).format(form(SWITCH, state.proofs["undo"], "Undo everything"))
