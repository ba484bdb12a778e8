"""How long the event loop makes its tasks wait: what holds it up delays everybody."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

EVERY: Final = 0.5
"""Seconds between two measurements."""
REMEMBERED: Final = 120
"""Measurements: those of a minute."""


class LoopLag:
    """Measures while ``run`` is awaited."""

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=REMEMBERED)

    @property
    def longest(self) -> float:
        """The longest of the last minute, in seconds."""
        return max(self._seconds, default=0.0)

    async def run(self) -> None:
        """Measure until it is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            wanted = loop.time() + EVERY
            await asyncio.sleep(EVERY)
            self._seconds.append(max(loop.time() - wanted, 0.0))
