"""How many connections are open, in all and of each client's address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field


def ignore_refusal(_limit: str) -> None:
    """Nobody counts refused connections."""


@dataclass
class ConnectionLimits:
    """Counts open connections: at most ``most`` in all, ``most_each`` of one address; 0: no bound.

    ``name`` is what bounds ``most``; ``on_refusal`` is called with the limit that was reached.
    A connection's key is its socket's number until its protocol exists, then that object.
    """

    most: int = 0
    most_each: int = 0
    name: str = "connections"
    on_refusal: Callable[[str], None] = ignore_refusal
    _clients: dict[object, str] = field(default_factory=dict)
    _counts: Counter[str] = field(default_factory=Counter)

    def __len__(self) -> int:
        return len(self._clients)

    @property
    def clients(self) -> int:
        """How many addresses have connections."""
        return len(self._counts) - ("" in self._counts)

    def add(self, key: object, client: str) -> None:
        """Count a new connection of the address ``client``."""
        self._clients[key] = client
        self._counts[client] += 1

    def rename(self, key: object, new_key: object) -> bool:
        """Change a connection's key; False if there is none of that key."""
        client = self._clients.pop(key, None)
        if client is not None:
            self._clients[new_key] = client
        return client is not None

    def remove(self, key: object) -> None:
        """The connection has ended; does nothing the second time."""
        client = self._clients.pop(key, None)
        if client is not None:
            self._counts[client] -= 1
            if not self._counts[client]:
                del self._counts[client]

    def full_for(self, client: str) -> str:
        """The limit that the client's next connection would exceed; "" for none.

        A client without an address counts in all only: it comes from a trusted proxy.
        """
        if self.most and len(self) >= self.most:
            return self.name
        is_full = client and self.most_each and self._counts.get(client, 0) >= self.most_each
        return "connections_per_client" if is_full else ""
