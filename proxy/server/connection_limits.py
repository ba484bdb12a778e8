"""How many connections there are, in all and from each client, and whether one more is too many."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from winnow.proxy.http.headers import Headers
from winnow.proxy.http.heads import response_head

WAIT: Final = 5
"""Seconds after which one that was turned away may try again."""
_BODY: Final = b"Winnow has too many connections now. Try again in %d seconds.\n" % WAIT
_FIELDS: Final = Headers(
    (
        ("Retry-After", str(WAIT)),
        ("Connection", "close"),
        ("Winnow-Reason", "too-many-connections"),
        ("Cache-Control", "no-store"),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(_BODY))),
    )
)
TURNED_AWAY: Final = response_head(503, "Service Unavailable", _FIELDS) + _BODY


@dataclass
class ConnectionLimits:
    """``most`` in all and ``most_each`` from one address; 0 is no bound."""

    most: int = 0
    most_each: int = 0
    _clients: dict[object, str] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        return len(self._clients)

    def came(self, connection: object, client: str) -> None:
        """A connection of that client begins."""
        self._clients[connection] = client
        self._counts[client] += 1

    def becomes(self, before: object, connection: object) -> bool:
        """It goes by another name from now on; False if it was not known."""
        client = self._clients.pop(before, None)
        if client is not None:
            self._clients[connection] = client
        return client is not None

    def left(self, connection: object) -> None:
        """It has ended; it may be told twice."""
        client = self._clients.pop(connection, None)
        if client is not None:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]

    def is_full_for(self, client: str) -> bool:
        """Whether that client's next connection is too many."""
        return bool(
            (self.most and len(self) >= self.most)
            or (self.most_each and self._counts.get(client, 0) >= self.most_each)
        )
