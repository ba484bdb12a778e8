"""Request coalescing: of equal requests at the same time one fetches and the others wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

Finish = Callable[[bool], None]
"""Called once; with True if the fetch was abandoned, so that the next waiter must fetch."""


@dataclass
class _Fetch:
    """``hurry`` is called when the first waiter comes."""

    end: asyncio.Future[bool]
    awaited: bool = False
    hurry: Callable[[], None] | None = None


class CoalescedFetches:
    """One fetch at a time for each key; the others wait ``patience`` seconds at most."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._fetches: dict[str, _Fetch] = {}

    def start(self, key: str) -> Finish:
        """Start the fetch of a key for which none is running."""
        end = asyncio.get_running_loop().create_future()
        self._fetches[key] = _Fetch(end)

        def finish(lost: bool) -> None:
            if not end.done():
                del self._fetches[key]
                end.set_result(lost)

        return finish

    def on_waiter(self, key: str, hurry: Callable[[], None]) -> None:
        """Call ``hurry`` as soon as somebody waits for the running fetch."""
        fetch = self._fetches[key]
        fetch.hurry = hurry
        if fetch.awaited:
            hurry()

    def is_running(self, key: str) -> bool:
        """Whether a fetch of this key is running."""
        return key in self._fetches

    async def wait(self, key: str) -> bool:
        """Wait for the running fetch; True if it was abandoned, so that a waiter must fetch."""
        fetch, lost = self._fetches[key], False
        fetch.awaited = True
        if fetch.hurry:
            fetch.hurry()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience):
                lost = await asyncio.shield(fetch.end)
        return lost
