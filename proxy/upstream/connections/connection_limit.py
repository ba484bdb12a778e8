"""How many connections are open to one origin; requests beyond that wait in order."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from typing import TypeVar

from winnow.proxy.http.proxy_errors import OriginTimeoutError
from winnow.proxy.http.request_target import Origin

C = TypeVar("C")


class ConnectionLimit:
    """At most ``most`` for each origin, 0: no limit; a request waits for ``seconds`` at most.

    Tunnels and upgraded connections do not count: they stay open for long.
    """

    def __init__(self, most: int = 0, seconds: float = 10) -> None:
        self._most, self._seconds = most, seconds
        self._open: Counter[str] = Counter()
        self._queues: dict[str, deque[asyncio.Event]] = {}

    async def turn(self, origin: Origin, take: Callable[[], C | None]) -> C | None:
        """What ``take`` finds idle, or None: one may be opened, and is counted by ``opened``.

        First come, first served. Raises OriginTimeoutError.
        """
        if origin.key not in self._queues:
            found = take()
            if found is not None or self._has_room(origin):
                return found
        queue, turn = self._queues.setdefault(origin.key, deque()), asyncio.Event()
        queue.append(turn)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._first_in(queue, turn, origin, take)
        except TimeoutError as error:
            message = f"All connections to {origin.authority} are in use."
            raise OriginTimeoutError(message) from error
        finally:
            queue.remove(turn)
            if queue:  # it looks only once the caller has counted what it opens
                queue[0].set()
            else:
                del self._queues[origin.key]

    async def _first_in(
        self,
        queue: deque[asyncio.Event],
        turn: asyncio.Event,
        origin: Origin,
        take: Callable[[], C | None],
    ) -> C | None:
        while True:
            if queue[0] is turn:
                found = take()
                if found is not None or self._has_room(origin):
                    return found
            turn.clear()
            await turn.wait()

    def _has_room(self, origin: Origin) -> bool:
        return not self._most or self._open[origin.key] < self._most

    def opened(self, origin: Origin) -> None:
        """A connection is being opened; ``closed`` has to follow."""
        self._open[origin.key] += 1

    def closed_with(self, end: asyncio.Future[None], origin: Origin) -> None:
        """An opened connection is closed once ``end`` is done."""
        end.add_done_callback(lambda _: self.closed(origin))

    def closed(self, origin: Origin) -> None:
        self._open[origin.key] -= 1
        if not self._open[origin.key]:
            del self._open[origin.key]
        self.freed(origin)

    def freed(self, origin: Origin) -> None:
        """A connection became idle, or room for one."""
        if queue := self._queues.get(origin.key):
            queue[0].set()
