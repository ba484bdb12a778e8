"""What the settings page says of certificates (``certificates.html``)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


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
