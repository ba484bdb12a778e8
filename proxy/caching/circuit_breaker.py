"""What fails or is too slow is left alone for a while, so that nobody waits for it. No medium."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from winnow.proxy.caching.cache_errors import StorageError

_LOG = logging.getLogger("winnow.cache")
T = TypeVar("T")


class CircuitBreaker:
    """``patience``: seconds of one attempt. ``rest``: seconds without any, after one failed."""

    def __init__(
        self, patience: float, rest: float = 5.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.patience = patience
        self._rest, self._clock = rest, clock
        self._closed_until = -1.0

    @property
    def is_resting(self) -> bool:
        """Whether an attempt failed lately."""
        return self._clock() < self._closed_until

    async def attempt(self, work: Callable[[], Awaitable[T]]) -> T | None:
        """What the work gives; None where it raises StorageError, is late or not begun."""
        if self.is_resting:
            return None
        try:
            async with asyncio.timeout(self.patience):
                return await work()
        except (StorageError, TimeoutError) as error:
            if not self.is_resting:  # of many that fail at once, one is told
                _LOG.warning("%s; for %g s nothing is looked up there.", _said(error), self._rest)
            self._closed_until = self._clock() + self._rest
            return None


def _said(error: Exception) -> str:
    return str(error).rstrip(".") or "A storage of the cache is too slow"
