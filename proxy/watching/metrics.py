"""Events counted for Prometheus, in a registry of its own. Knows names, labels and buckets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
)

from proxy.watching.events import Answered, Cached, Event, Failed, Fetched

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds."""
MOST_PAIRS: Final = 200
"""Pairs of action and reason that are told apart; further ones are ``other``."""


@dataclass(frozen=True, slots=True)
class Gauged:
    """A number that is read when it is asked for."""

    name: str
    meaning: str
    read: Callable[[], float]


class Metrics:
    """An Observer that counts."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._requests = self._counter("requests", "Requests.", "action", "reason")
        self._answers = self._counter("answers", "Answers by status.", "status")
        self._cache = self._counter("cache", "Answers by what the cache had.", "result")
        self._bytes = self._counter("body_bytes", "Bytes of bodies.", "direction")
        self._saved = self._counter("saved_bytes", "Bytes saved.", "by")
        self._errors = self._counter("upstream_errors", "Failures of origins.", "kind")
        seconds = Histogram(
            "winnow_stage_seconds",
            "Seconds to an origin's head, of extraction, and in all but for tunnels.",
            ("stage",),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self._seconds: Callable[..., Histogram] = cache(seconds.labels)
        self._pairs: set[tuple[str, str]] = set()

    def show(self, gauged: Gauged) -> None:
        """Tell a number too that others know."""
        gauge = Gauge(f"winnow_{gauged.name}", gauged.meaning, registry=self.registry)
        gauge.set_function(gauged.read)

    def __call__(self, event: Event) -> None:
        """Count one event."""
        match event:
            case Answered():
                self._answered(event)
            case Fetched():
                self._bytes("in").inc(event.size)
            case Failed():
                self._errors(event.kind).inc()

    def _answered(self, event: Answered) -> None:
        self._requests(*self._pair(event)).inc()
        self._answers(f"{event.status // 100}xx" if event.status else "none").inc()
        self._bytes("out").inc(event.sent)
        if event.cached is not Cached.NONE:
            self._cache(event.cached).inc()
        for by, size in saved(event).items():
            self._saved(by).inc(size)
        for stage, seconds in stages(event).items():
            self._seconds(stage).observe(seconds)

    def _pair(self, event: Answered) -> tuple[str, str]:
        pair = (event.action, event.reason)
        if pair not in self._pairs and len(self._pairs) >= MOST_PAIRS:
            return ("other", "other")
        self._pairs.add(pair)
        return pair

    def _counter(self, name: str, meaning: str, *labels: str) -> Callable[..., Counter]:
        """Gives the counter of labels; to look one up anew costs more than to count."""
        counter = Counter(f"winnow_{name}", meaning, labels, registry=self.registry)
        return cache(counter.labels)


def saved(event: Answered) -> Mapping[str, int]:
    """Bytes that an answer saved: the reader's by extraction, the network's by the cache."""
    found = {}
    if event.came > event.sent and event.status == 200:
        found["extraction"] = event.came - event.sent
    if event.cached not in (Cached.NONE, Cached.MISS):
        found["cache"] = event.came or event.sent
    return found


def stages(event: Answered) -> Mapping[str, float]:
    """The stages that took time. A tunnel's length says nothing of us."""
    total = None if event.action == "tunnel" else event.total
    told = {"fetch": event.fetch, "extract": event.extract, "total": total}
    return {stage: seconds for stage, seconds in told.items() if seconds is not None}
