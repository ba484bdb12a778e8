"""How long to wait before a process that ended early is started again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HEALTHY_SECONDS: Final = 10.0
"""How long a process must live for its end not to count as a failed start."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """``failures``: processes in a row that ended before HEALTHY_SECONDS; waits are seconds."""

    failures: int = 0
    first: float = 0.1
    longest: float = 30.0

    def after(self, lifetime: float) -> Backoff:
        """The next value, after a process that lived for so many seconds."""
        failures = 0 if lifetime >= HEALTHY_SECONDS else self.failures + 1
        return Backoff(failures, self.first, self.longest)

    @property
    def wait(self) -> float:
        """Seconds: none after at most one failure, then doubled each time."""
        if self.failures <= 1:
            return 0.0
        return min(self.first * 2.0 ** min(self.failures - 2, 30), self.longest)
