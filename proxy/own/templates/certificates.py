"""The section of the settings page about certificates. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

_HEAD = Markup('<h2 id="certificates">Certificates</h2>\n')
_SET_UP = Markup('<a href="/-/setup">Setup guide</a> for installing it')


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
        return _HEAD + Markup("<p>{}</p>").format(authority.fault)
    if not authority.name:
        return _HEAD + Markup(
            "<p>There is no certificate authority yet: it is created when HTTPS "
            "interception is first used. {}.</p>"
        ).format(_SET_UP)
    return _HEAD + _authority(authority) + _leaves(authority.leaves, forget)


def _authority(authority: Certificates) -> Markup:
    until = f"{authority.until:%Y-%m-%d}" if authority.until else "—"
    return Markup(
        "<p>“{}” was created on this computer and is valid until {}. "
        '<a href="/-/ca.crt" download="winnow-ca.crt">Download its certificate</a>; {}, and '
        "for removing it. Its SHA-256 fingerprint:</p>\n<pre>{}</pre>\n"
    ).format(authority.name, until, _SET_UP, authority.fingerprint)


def _leaves(count: int, forget: Markup) -> Markup:
    if not count:
        return Markup("<p>No site certificates in memory.</p>")
    sites = "1 site" if count == 1 else f"{count} sites"
    return Markup("<p>Certificates of {} in memory, none on disk. {}</p>").format(sites, forget)
