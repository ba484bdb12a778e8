"""The section of the settings page about certificates. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from winnow.proxy.own.translation import _, day, filled, ngettext, own_words


@dataclass(frozen=True, slots=True)
class Certificates:
    """An authority's name, SHA-256 fingerprint and end; ``name`` is "" if there is none yet.

    ``fault`` says why an existing one cannot be used. ``leaves``: how many sites' certificates are
    in memory.
    """

    name: str = ""
    fingerprint: str = ""
    until: datetime | None = None
    leaves: int = 0
    fault: str = ""


def certificates(authority: Certificates, forget: Markup) -> Markup:
    """``forget`` is the form that clears the sites' certificates."""
    if authority.fault:
        return _head() + Markup("<p>{}</p>").format(own_words(authority.fault))
    if not authority.name:
        text = _("There is no certificate yet: Winnow makes it when HTTPS is switched on.")
        return _head() + Markup("<p>{} {}</p>").format(text, _setup())
    return _head() + _authority(authority) + _leaves(authority.leaves, forget)


def _head() -> Markup:
    return Markup('<h2 id="certificates">{}</h2>\n').format(_("Certificates"))


def _setup() -> Markup:
    link = Markup('<a href="/-/setup">{}</a>').format(_("setup guide"))
    return filled(_("The {link} says how to install and how to remove it."), link=link)


def _authority(authority: Certificates) -> Markup:
    text = _("“{name}” was created on this computer and is valid until {day}.")
    until = day(authority.until) if authority.until else "—"
    return Markup(
        '<p>{} <a href="/-/ca.crt" download="winnow-ca.crt">{}</a>. {}</p>\n<p>{}</p>\n'
        "<pre>{}</pre>\n{}"
    ).format(
        filled(text, name=authority.name, day=until),
        _("Download the certificate"),
        _setup(),
        _("SHA-256 fingerprint:"),
        fingerprint_text(authority.fingerprint),
        compared(),
    )


def fingerprint_text(fingerprint: str) -> Markup:
    """A fingerprint that breaks at its colons alone."""
    return Markup(":<wbr>").join(fingerprint.split(":"))


def compared() -> Markup:
    """Where else the fingerprint is seen. Other systems' names for it are theirs."""
    text = _(
        "It must be the one that {command} prints in a terminal of the computer on which Winnow "
        "runs. Firefox shows it before it trusts the certificate (“View”, “Fingerprints”, "
        "“SHA‑256”), macOS in the certificate’s details. Windows shows another one there, of SHA‑1."
    )
    command = Markup("<code>winnow ca show</code>")
    return Markup("<p>{}</p>\n").format(filled(text, command=command))


def _leaves(count: int, forget: Markup) -> Markup:
    if not count:
        return Markup("<p>{}</p>").format(_("No site certificates in memory."))
    text = ngettext(
        "The certificate of {number} site is in memory, none on disk.",
        "Certificates of {number} sites are in memory, none on disk.",
        count,
    )
    return Markup("<p>{} {}</p>").format(text, forget)
