"""A circuit breaker: after a failure or timeout there are no attempts for a while."""

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
    """Closed, attempts go through; open, for ``rest`` seconds after a failure, there are none.

    ``patience``: seconds until an attempt counts as failed.
    """

    def __init__(
        self, patience: float, rest: float = 5.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.patience = patience
        self._rest, self._clock = rest, clock
        self._open_until = -1.0

    @property
    def is_open(self) -> bool:
        """Whether an attempt failed less than ``rest`` seconds ago."""
        return self._clock() < self._open_until

    async def attempt(self, work: Callable[[], Awaitable[T]]) -> T | None:
        """The result of ``work``; None where it raises StorageError, times out or is not tried."""
        if self.is_open:
            return None
        try:
            async with asyncio.timeout(self.patience):
                return await work()
        except (StorageError, TimeoutError) as error:
            if not self.is_open:  # of many that fail at once, one is logged
                _LOG.warning("%s; it is not used for %g s.", _message(error), self._rest)
            self._open_until = self._clock() + self._rest
            return None


def _message(error: Exception) -> str:
    return str(error).rstrip(".") or "A storage of the cache is too slow"
