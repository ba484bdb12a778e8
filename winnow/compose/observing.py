"""The observers of a run and the pages that show their figures."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import astuple
from typing import Any, Final, Protocol

from winnow.jobs.pool import Pool
from winnow.proxy.caching.memory_storage import MemoryStorage
from winnow.proxy.caching.renderings import CachingTransform
from winnow.proxy.cluster.bus import ALONE, Bus
from winnow.proxy.observability.activity import ActivityLog
from winnow.proxy.observability.aggregation import (
    Figures,
    exposed,
    figures_of,
    gauges_in,
    lasting,
    minutes_in,
    summed,
)
from winnow.proxy.observability.events import (
    ConnectionRefused,
    LimitLog,
    Observers,
    RequestLog,
)
from winnow.proxy.observability.metrics import History, LiveGauge, Metrics, Reporting
from winnow.proxy.own.router import OwnPage, OwnRequest, OwnResponse, only, shown
from winnow.proxy.own.templates.status_page import status_page
from winnow.proxy.own.translation import N_, number
from winnow.proxy.stores.notices import Notices
from winnow.proxy.upstream.origin_client import OriginClient

SUBJECT: Final = "figures"
NOTICES: Final = "notices"
ACTIVITY: Final = "activity"
_SERVER_PROCESSES: Final = {
    "processes": ("winnow_server_processes", N_("Server processes."), "gauge", ""),
    "restarts": (
        "winnow_server_process_restarts",
        "Restarts of server processes.",
        "counter",
        "_total",
    ),
}


class Observability:
    """``observe`` takes all events; ``pages`` show the figures of all processes on the bus."""

    def __init__(
        self, bus: Bus = ALONE, notices: Notices | None = None, *, log_requests: bool = False
    ) -> None:
        self.notices = notices or Notices()
        self.metrics, self.history = Metrics(), History()
        self.log, self.activity = RequestLog(log_requests), ActivityLog()
        self.observe = Observers((self.metrics, self.history, self.log, self.activity, LimitLog()))
        self._bus = bus
        self._gauges: list[LiveGauge] = []
        self._reporting: list[Reporting] = []
        self._bus.subscribe(SUBJECT, lambda _: self.figures())
        self._bus.subscribe(NOTICES, lambda _: self.notices.texts())
        self._bus.subscribe(ACTIVITY, lambda owner: list(map(astuple, self.activity.of(owner))))

    def connection_refused(self, limit: str) -> None:
        """Count a connection above a limit."""
        self.observe(ConnectionRefused(limit))

    def show(self, *gauges: LiveGauge) -> None:
        """Export these numbers too."""
        self._gauges.extend(gauge for gauge in gauges if gauge.is_shown)
        for gauge in gauges:
            self.metrics.show(gauge)

    def report(self, found: Iterable[Reporting]) -> None:
        """Show what these say too."""
        for each in found:
            self._reporting.append(each)
            self.show(*each.gauges())

    def faults(self) -> list[str]:
        """What of them does not work now."""
        return [note for each in self._reporting for note in each.notes()]

    async def activity_elsewhere(self, owner: str) -> list[Any]:
        """The pages that a client opened, in the other processes."""
        return await self._bus.ask(ACTIVITY, owner)

    def figures(self) -> Figures:
        """What this process counted."""
        return figures_of(self.metrics.registry, self.history)

    def lasting(self) -> Figures:
        """Those of it that count after this process has ended."""
        return lasting(self.figures())

    def pages(self) -> dict[str, OwnPage]:
        """Metrics for programs and the status for people."""
        return {"/-/metrics": self._metrics, "/-/status": self._status}

    async def _metrics(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        accept = request.head.headers.get("accept") or ""
        return OwnResponse(*exposed(await self._all(), accept), fields=(("Vary", "Accept"),))

    async def _status(self, request: OwnRequest) -> OwnResponse:
        only(request, "GET", "HEAD")
        figures = await self._all()
        values = gauges_in(figures)
        named = [(f"winnow_{gauge.name}", gauge.meaning) for gauge in self._gauges]
        named = [(name, meaning) for name, meaning, *_ in _SERVER_PROCESSES.values()] + named
        now = [(text, number(round(values[name]))) for name, text in named if name in values]
        return shown(status_page(minutes_in(figures), now, await self._notices()))

    async def _notices(self) -> list[str]:
        """The notices of this process and the others, each once."""
        others = await self._bus.ask(NOTICES)
        texts = [
            *self.faults(),
            *self.notices.texts(),
            *(text for each in others for text in each or ()),
        ]
        return list(dict.fromkeys(texts))

    async def _all(self) -> Figures:
        """The figures of this process, of the others, and of those that have ended."""
        others = await self._bus.ask(SUBJECT)
        more = [
            await self._bus.ask_supervisor("past"),
            server_process_figures(await self._bus.ask_supervisor("supervisor")),
        ]
        return summed([self.figures(), *(each for each in (*others, *more) if each)])


def server_process_figures(found: Any) -> Figures:
    """The supervisor's counts as figures; none without a supervisor."""
    if not found:
        return {}
    families = [
        [name, meaning, kind, [[name + end, {}, found[key]]]]
        for key, (name, meaning, kind, end) in _SERVER_PROCESSES.items()
    ]
    return {"families": families, "last": 0, "minutes": []}


class WorkerActivity(Protocol):
    """The parts of a run whose figures are shown."""

    @property
    def pool(self) -> Pool: ...

    @property
    def client(self) -> OriginClient: ...

    @property
    def replies(self) -> MemoryStorage: ...

    @property
    def renderings(self) -> CachingTransform | None: ...


def gauges(now: Callable[[], WorkerActivity]) -> tuple[LiveGauge, ...]:
    """Gauges of the parts in use when they are read."""
    return (
        LiveGauge("pool_workers", N_("Extraction processes."), lambda: len(now().pool.pids)),
        LiveGauge("pool_waiting", N_("Pages waiting for a process."), lambda: now().pool.waiting),
        LiveGauge(
            "upstream_idle_connections",
            N_("Idle connections to origins."),
            lambda: len(now().client.idle),
        ),
        LiveGauge(
            "cache_memory_bytes",
            N_("Cached responses in memory, in bytes."),
            lambda: now().replies.size,
        ),
        LiveGauge(
            "renderings_bytes",
            N_("Cached extracted pages, in bytes."),
            lambda: _size(now().renderings),
        ),
        *_of_machinery(now),
    )


def _of_machinery(now: Callable[[], WorkerActivity]) -> tuple[LiveGauge, ...]:
    """What only an administrator asks for."""
    told = functools.partial(LiveGauge, is_shown=False)
    counted = functools.partial(told, counts=True)
    return (
        counted(
            "pool_workers_ended",
            "Extraction processes that died or were killed.",
            lambda: now().pool.ended,
        ),
        counted(
            "cache_evictions",
            "Keys that left the memory cache for want of room.",
            lambda: now().replies.evicted,
        ),
        told("upstream_lookups", "Names being looked up.", lambda: now().client.resolver.running),
        told(
            "upstream_lookups_waiting",
            "Names that wait to be looked up.",
            lambda: now().client.resolver.waiting,
        ),
    )


def _size(renderings: CachingTransform | None) -> int:
    return renderings.size if renderings else 0
