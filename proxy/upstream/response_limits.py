"""How long and for how much an origin's response is waited, whichever version it speaks."""

from __future__ import annotations

from dataclasses import dataclass

MOST_INTERIM = 1000
"""Interim responses (RFC 9110, section 15.2) that are skipped before a final one."""


@dataclass(frozen=True, slots=True)
class OriginTimeouts:
    """Seconds until a response's head is complete, and between pieces of its body; 0: no limit."""

    head: float = 120
    body: float = 600
