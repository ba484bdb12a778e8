"""How long to wait before a process that ended is started again. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SOUND: Final = 10.0
"""Seconds after which a process counts as one that works."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """``quick``: how many have ended one after the other before they were sound."""

    quick: int = 0
    first: float = 0.1
    longest: float = 30.0

    def after(self, lived: float) -> Backoff:
        """The next value, once a process has ended that lived for so many seconds."""
        quick = 0 if lived >= SOUND else self.quick + 1
        return Backoff(quick, self.first, self.longest)

    @property
    def wait(self) -> float:
        """Seconds: none after a sound process or the first quick end, then doubled each time."""
        if self.quick <= 1:
            return 0.0
        return min(self.first * 2.0 ** (self.quick - 2), self.longest)
