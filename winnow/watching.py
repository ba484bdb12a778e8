"""Who observes a run, and the pages that tell what they saw; decides nothing."""

from __future__ import annotations

from proxy.caching.client import CachingClient
from proxy.caching.renderings import RememberingTransform
from proxy.caching.storage import MemoryStorage
from proxy.caching.tiers import Tiers
from proxy.desk import shown
from proxy.own import Asked, OwnPage, Shown, only
from proxy.pages.status import status_page
from proxy.pool import Pool
from proxy.upstream.client import Client, Sender
from proxy.values import Transform
from proxy.watching.history import History
from proxy.watching.metrics import Gauged, Metrics
from proxy.watching.watch import Watch


class Watching:
    """``watch`` is told of everything; ``pages`` show it."""

    def __init__(self) -> None:
        self.metrics, self.history = Metrics(), History()
        self.watch = Watch((self.metrics, self.history))
        self._gauges: list[Gauged] = []

    def show(self, *gauges: Gauged) -> None:
        """Tell numbers too that others know."""
        self._gauges.extend(gauges)
        for gauged in gauges:
            self.metrics.show(gauged)

    def pages(self) -> dict[str, OwnPage]:
        """Metrics for programs and the status for people."""
        return {"/-/metrics": self.metrics.page, "/-/status": self._status}

    async def _status(self, asked: Asked) -> Shown:
        only(asked, "GET", "HEAD")
        now = [(gauged.meaning.rstrip("."), f"{gauged.read():,.0f}") for gauged in self._gauges]
        return shown(status_page(self.history.minutes(), now))


def gauges(pool: Pool, client: Client, sender: Sender, transform: Transform) -> tuple[Gauged, ...]:
    """What can be counted at any time."""
    return (
        Gauged("pool_workers", "Processes that extract.", lambda: len(pool.pids)),
        Gauged("pool_waiting", "Pages that wait for such a process.", lambda: pool.waiting),
        Gauged("idle_connections", "Idle connections to origins.", lambda: len(client.idle)),
        Gauged("replies_bytes", "Bytes of replies kept in memory.", lambda: _replies(sender)),
        Gauged("renderings_bytes", "Bytes of extracted pages kept.", lambda: _made(transform)),
    )


def _replies(sender: Sender) -> int:
    storage = sender.storage if isinstance(sender, CachingClient) else None
    while isinstance(storage, Tiers):
        storage = storage.near
    return storage.size if isinstance(storage, MemoryStorage) else 0


def _made(transform: Transform) -> int:
    return transform.size if isinstance(transform, RememberingTransform) else 0
