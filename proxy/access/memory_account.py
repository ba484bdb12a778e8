"""What clients make Winnow hold before they have an answer: bytes by client, and in all.

Whatever grows by what a client sends or asks for is booked here: heads, bodies, pages that are
read, the state of HTTP/2. Where a request is answered ``hold(size)`` books for its client until
then; what belongs to a connection has a ``Holding`` of its own::

    held = account.holding(network_of(peer))
    held.grow(len(block))      # or held.set(size); raises MemoryFullError: 431, GOAWAY, close
    held.release()             # when the connection, or what was held, is gone

Nothing is booked that a number bounds already (idle connections, buffers of 64 KiB each).
"""

from __future__ import annotations

from collections import Counter
from contextvars import ContextVar
from typing import Final

from winnow.proxy.access.requester import REQUESTER
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.sentences import says

EACH: Final = 64 * 1024 * 1024
MOST: Final = 512 * 1024 * 1024


class MemoryFullError(ProxyError):
    """413: the client makes Winnow hold as much as it may; 503: all clients together do."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status, self.reason = status, "too-large" if status == 413 else "busy"


class MemoryAccount:
    """Bytes held: at most ``each`` for one client, ``most`` in all; 0: no bound."""

    def __init__(self, each: int = EACH, most: int = MOST) -> None:
        self.each, self.most = each, most
        self.held = 0
        self._by_client: Counter[str] = Counter()

    def holding(self, client: str = "") -> Holding:
        """Nothing yet, of a ``client_key``; "": the requester's, when something is booked."""
        return Holding(self, client)

    def of(self, client: str) -> int:
        """What a client makes Winnow hold."""
        return self._by_client[client]

    def move(self, client: str, change: int) -> None:
        """Book more, or less. Raises MemoryFullError, and books nothing then."""
        mine, held = self._by_client[client] + change, self.held + change
        if change > 0 and self.each and mine > self.each:
            raise MemoryFullError(says("You send or ask for too much at once."), 413)
        if change > 0 and self.most and held > self.most:
            raise MemoryFullError(says("Winnow holds as much for others as it may."), 503)
        self.held = held
        self._by_client[client] = mine
        if not mine:
            del self._by_client[client]


class Holding:
    """What one request or connection holds; ``size`` in bytes."""

    __slots__ = ("_account", "_client", "size")

    def __init__(self, account: MemoryAccount, client: str) -> None:
        self._account, self._client, self.size = account, client, 0

    def grow(self, size: int) -> None:
        """Hold so many bytes more. Raises MemoryFullError, and holds what it did then."""
        self._client = self._client or REQUESTER.get().client
        self._account.move(self._client, size)
        self.size += size

    def set(self, size: int) -> None:
        """Hold so many bytes in all. Raises as ``grow``."""
        self.grow(size - self.size)

    def release(self) -> None:
        """Hold nothing any more; it may grow again."""
        if self.size:
            self.set(0)


HOLDING: Final[ContextVar[Holding | None]] = ContextVar("winnow-holding", default=None)
"""That of the request which a task serves."""


def hold(size: int) -> None:
    """Book bytes until this task's request is answered. Raises MemoryFullError."""
    holding = HOLDING.get()
    if holding is not None:
        holding.grow(size)
