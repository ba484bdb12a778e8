"""Equal requests at the same time: who goes first and who waits. Knows keys, nothing of HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

Landed = Callable[[bool], None]
"""To be called once: with True where the next in line must try again what was begun."""


class Flights:
    """One fetch at a time for each key; the others wait ``patience`` seconds at most."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._flights: dict[str, asyncio.Future[bool]] = {}

    def begin(self, key: str) -> Landed:
        """Go first. There must be no flight of this key under way."""
        flight = self._flights[key] = asyncio.get_running_loop().create_future()

        def landed(lost: bool) -> None:
            if not flight.done():
                del self._flights[key]
                flight.set_result(lost)

        return landed

    def under_way(self, key: str) -> bool:
        """Whether somebody went already."""
        return key in self._flights

    async def landing(self, key: str) -> bool:
        """Wait for the one under way; True where it was lost, so that another should go first."""
        lost = False
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                lost = await asyncio.shield(self._flights[key])
        return lost
