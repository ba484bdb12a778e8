"""How many requests one user or client address may send: a token bucket each.

The bucket is kept as the time at which it would be full again (GCRA: ITU-T I.371, annex A.1).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from cachetools import TTLCache

from winnow.proxy.access.requester import RequestHead, client_key

MOST_CLIENTS: Final = 65_536
"""Clients whose requests are counted; beyond that, the one counted first is forgotten."""
_MINUTE: Final = 60.0


class RequestRate:
    """At most ``per_minute`` requests at once and in each minute that follows; 0: no bound."""

    def __init__(self, per_minute: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._interval = _MINUTE / per_minute if per_minute else 0.0
        self._clock = clock
        self._full_at: TTLCache[str, float] = TTLCache(MOST_CLIENTS, _MINUTE, clock)

    def wait(self, request: RequestHead) -> int:
        """Seconds until the client may send this request, which counts if they are 0.

        Clients without an address are not counted: nothing but a balancer's checks is open to them.
        """
        client = client_key(request.user, request.client)
        if not self._interval or not client:
            return 0
        now = self._clock()
        full_at = max(self._full_at.get(client, now), now) + self._interval
        excess = full_at - now - _MINUTE
        if excess > 1e-6:  # of a second: sums of intervals are not exact
            return math.ceil(excess)
        self._full_at[client] = full_at
        return 0
