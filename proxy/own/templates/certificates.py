"""The part of the settings about certificates: the authority, what it signed, how to undo it.

Pure. Refuses to know how an authority is made or kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

_HEAD = Markup('<h2 id="certificates">Certificates</h2>\n')
_SET_UP = Markup('<a href="/-/setup">Setup guide</a> for installing it')


@dataclass(frozen=True, slots=True)
class Certificates:
    """An authority's name, SHA-256 fingerprint and end; ``name`` is "" as long as there is none.

    ``fault`` says why the one that is there cannot be used. ``leaves``: how many sites'
    certificates are held in memory.
    """

    name: str = ""
    fingerprint: str = ""
    until: datetime | None = None
    leaves: int = 0
    fault: str = ""


def certificates(held: Certificates, forget: Markup) -> Markup:
    """``forget`` is the form that forgets the sites' certificates."""
    if held.fault:
        return _HEAD + Markup("<p>{}</p>").format(held.fault)
    if not held.name:
        return _HEAD + Markup(
            "<p>There is no certificate authority yet: it is created when HTTPS "
            "interception is first used. {}.</p>"
        ).format(_SET_UP)
    return _HEAD + _authority(held) + _leaves(held.leaves, forget)


def _authority(held: Certificates) -> Markup:
    return Markup(
        "<p>“{}” was created on this computer and is valid until {}. "
        '<a href="/-/ca.crt" download="winnow-ca.crt">Download its certificate</a>; {}, and how '
        "to undo that. Its SHA-256 fingerprint:</p>\n<pre>{}</pre>\n"
    ).format(held.name, f"{held.until:%Y-%m-%d}" if held.until else "—", _SET_UP, held.fingerprint)


def _leaves(count: int, forget: Markup) -> Markup:
    if not count:
        return Markup("<p>No site certificates in memory.</p>")
    sites = "1 site" if count == 1 else f"{count} sites"
    return Markup("<p>Certificates of {} in memory, none on disk. {}</p>").format(sites, forget)
