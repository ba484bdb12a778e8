"""Equal requests at the same time: who goes first and who waits. Knows keys, nothing of HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

Landed = Callable[[bool], None]
"""To be called once: with True where the next in line must try again what was begun."""


@dataclass
class _Flight:
    """``awaited``: somebody waits for it; ``hurry`` is called then."""

    end: asyncio.Future[bool]
    awaited: bool = False
    hurry: Callable[[], None] | None = None


class CoalescedFetches:
    """One fetch at a time for each key; the others wait ``patience`` seconds at most."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._flights: dict[str, _Flight] = {}

    def begin(self, key: str) -> Landed:
        """Go first. There must be no flight of this key under way."""
        end = asyncio.get_running_loop().create_future()
        self._flights[key] = _Flight(end)

        def landed(lost: bool) -> None:
            if not end.done():
                del self._flights[key]
                end.set_result(lost)

        return landed

    def when_awaited(self, key: str, hurry: Callable[[], None]) -> None:
        """Call ``hurry`` as soon as somebody waits for the one under way, who may be slow."""
        flight = self._flights[key]
        flight.hurry = hurry
        if flight.awaited:
            hurry()

    def under_way(self, key: str) -> bool:
        """Whether somebody went already."""
        return key in self._flights

    async def landing(self, key: str) -> bool:
        """Wait for the one under way; True where it was lost, so that another should go first."""
        flight, lost = self._flights[key], False
        flight.awaited = True
        if flight.hurry:
            flight.hurry()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                lost = await asyncio.shield(flight.end)
        return lost
