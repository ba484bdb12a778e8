"""Frames that cost work and bring nothing: how many of them a peer may send.

Such are resets, PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA and unknown frames
(RFC 9113, section 10.5; CVE-2019-9511 to 9518, CVE-2023-44487). Each takes from the budget; work
that was done, and time, give back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

BUDGET: Final = 1000
"""Units at the beginning and at most."""
FRAME_COST: Final = 1
PER_SECOND: Final = 33.0
"""As nghttp2 gives back, for what is a person's too: a map that is dragged resets 20 a second."""
PER_DATA_FRAME: Final = 4.0
"""For DATA sent: a peer may answer each with WINDOW_UPDATE for stream and connection, and PING."""
PER_STREAM: Final = 10.0
"""For a stream that was served to its end."""


class FrameBudget:
    """``clock``: seconds, such as the loop's."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._left, self._at = clock, float(BUDGET), clock()

    def earn(self, units: float) -> None:
        """Work was done."""
        self._left = min(self._left + units, BUDGET)

    def spend(self, units: float) -> bool:
        """Whether the peer may go on."""
        self._left -= units
        if self._left >= 0:
            return True
        now = self._clock()
        self.earn((now - self._at) * PER_SECOND)
        self._at = now
        return self._left >= 0
