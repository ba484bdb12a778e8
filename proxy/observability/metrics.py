"""Events counted: for Prometheus in a registry of its own, and by minutes of the last hour."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from winnow.proxy.observability.events import (
    CacheConsulted,
    ConnectionRefused,
    Event,
    OriginFailed,
    OriginFetched,
    RequestAnswered,
)

MINUTES: Final = 60
BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Seconds."""
MOST_PAIRS: Final = 200
"""Pairs of action and reason that are counted apart; further ones are ``other``."""


@dataclass(frozen=True, slots=True)
class LiveGauge:
    """A number that is read when it is exported: of what is now, or since the start (``counts``).

    None is not exported. ``is_shown``: on the status page too, in the reader's language.
    """

    name: str
    meaning: str
    read: Callable[[], float | None]
    counts: bool = False
    labels: tuple[tuple[str, str], ...] = ()
    is_shown: bool = True


class Reporting(ABC):
    """Something beside the server that may fail: a store of a feature, say."""

    @abstractmethod
    def notes(self) -> Sequence[str]:
        """A sentence for each fault of now, for the status page and ``/-/ready``."""

    @abstractmethod
    def gauges(self) -> Iterable[LiveGauge]:
        """What metrics show of it."""


class _Times:
    """A histogram under way: how many fell into each bucket, and their sum."""

    __slots__ = ("counts", "sum")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.sum += seconds

    def cumulated(self) -> list[tuple[str, float]]:
        """Upper bounds and how many are not above them, as Prometheus wants it."""
        return list(zip([*map(str, BUCKETS), "+Inf"], accumulate(self.counts), strict=True))


class Metrics(Collector):
    """An Observer that counts.

    It counts in plain numbers and makes Prometheus' of them when it is scraped: the client
    library's own counters cost a request more than all decisions over it.
    """

    def __init__(self) -> None:
        self._answers: Counter[tuple[str, str, int, CacheConsulted]] = Counter()
        self._bytes: Counter[str] = Counter()
        self._saved: Counter[str] = Counter()
        self._errors: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._times: dict[str, _Times] = {}
        self._pairs: set[tuple[str, str]] = set()
        self._live: list[LiveGauge] = []
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.registry.register(self)

    def show(self, measured: LiveGauge) -> None:
        """Export a number that is measured elsewhere."""
        self._live.append(measured)

    def __call__(self, event: Event) -> None:
        """Count one event."""
        if isinstance(event, RequestAnswered):
            self._answered(event)
        elif isinstance(event, OriginFetched):
            self._bytes["in"] += event.size
        elif isinstance(event, OriginFailed):
            self._errors[event.kind] += 1
        elif isinstance(event, ConnectionRefused):
            self._refused[event.limit] += 1

    def _answered(self, event: RequestAnswered) -> None:
        key = (event.action, event.reason, event.status // 100, event.cached)
        if key not in self._answers:
            key = (*self._pair(event), *key[2:])
        self._answers[key] += 1
        self._bytes["out"] += event.sent
        for by, size in saved(event).items():
            self._saved[by] += size
        for stage, seconds in stages(event).items():
            times = self._times.get(stage)
            if times is None:
                times = self._times[stage] = _Times()
            times.add(seconds)

    def _pair(self, event: RequestAnswered) -> tuple[str, str]:
        pair = (event.action, event.reason)
        if pair not in self._pairs and len(self._pairs) >= MOST_PAIRS:
            return ("other", "other")
        self._pairs.add(pair)
        return pair

    def collect(self) -> Iterator[Metric]:
        """The counts as Prometheus' metric families."""
        requests, answers = Counter[Labels](), Counter[Labels]()
        cached = Counter[Labels]()
        for (action, reason, status, kind), count in self._answers.items():
            requests[action, reason] += count
            answers[f"{status}xx" if status else "none",] += count
            if kind is not CacheConsulted.NONE:
                cached[str(kind),] += count
        yield _counted("requests", "Requests.", ("action", "reason"), requests)
        yield _counted("responses", "Responses by status.", ("status",), answers)
        yield _counted("cache_lookups", "Lookups in the cache of responses.", ("result",), cached)
        yield _counted("body_bytes", "Bytes of bodies.", ("direction",), _single(self._bytes))
        yield _counted("saved_bytes", "Bytes saved.", ("by",), _single(self._saved))
        yield _counted("upstream_errors", "Errors of origins.", ("kind",), _single(self._errors))
        yield _counted(
            "connections_refused",
            "Connections of clients above a limit.",
            ("limit",),
            _single(self._refused),
        )
        seconds = HistogramMetricFamily(
            "winnow_stage_seconds",
            "Seconds to an origin's head, of extraction, and in all but for tunnels.",
            labels=("stage",),
        )
        for stage, times in self._times.items():
            seconds.add_metric((stage,), times.cumulated(), times.sum)
        yield seconds
        yield from filter(None, map(_read, self._live))


Labels = tuple[str, ...]


def _single(counts: Mapping[str, int]) -> Mapping[Labels, int]:
    return {(name,): count for name, count in counts.items()}


def _read(live: LiveGauge) -> Metric | None:
    value = live.read()
    if value is None:
        return None
    family = CounterMetricFamily if live.counts else GaugeMetricFamily
    metric = family(f"winnow_{live.name}", live.meaning, labels=[name for name, _ in live.labels])
    metric.add_metric([text for _, text in live.labels], value)
    return metric


def _counted(
    name: str, meaning: str, labels: Labels, counts: Mapping[Labels, int]
) -> CounterMetricFamily:
    family = CounterMetricFamily(f"winnow_{name}", meaning, labels=labels)
    for values, count in counts.items():
        family.add_metric(values, count)
    return family


def saved(event: RequestAnswered) -> Mapping[str, int]:
    """Bytes that an answer saved: the reader's by extraction, the network's by the cache."""
    found = {}
    if event.came > event.sent and event.status == 200:
        found["extraction"] = event.came - event.sent
    if event.cached not in (CacheConsulted.NONE, CacheConsulted.MISS):
        found["cache"] = event.came or event.sent
    return found


def stages(event: RequestAnswered) -> Mapping[str, float]:
    """The stages that took time. A tunnel's length says nothing of us."""
    total = None if event.action == "tunnel" else event.total
    found = {"fetch": event.fetch, "extract": event.extract, "total": total}
    return {stage: seconds for stage, seconds in found.items() if seconds is not None}


@dataclass(frozen=True, slots=True)
class Minute:
    """``slowest``: seconds of the slowest answer that was no tunnel."""

    answers: int = 0
    extracted: int = 0
    hits: int = 0
    saved: int = 0
    errors: int = 0
    slowest: float = 0.0

    def plus(self, other: Minute) -> Minute:
        """The same minute in two processes."""
        return Minute(
            self.answers + other.answers,
            self.extracted + other.extracted,
            self.hits + other.hits,
            self.saved + other.saved,
            self.errors + other.errors,
            max(self.slowest, other.slowest),
        )


class History:
    """An Observer that keeps the last hour. ``clock``: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._minutes: deque[Minute] = deque([Minute()] * (MINUTES - 1), MINUTES - 1)
        self._running = _Running()
        self._last = int(clock() // 60)

    def __call__(self, event: Event) -> None:
        """Count one event in this minute."""
        self._turn()
        self._running.count(event)

    def minutes(self) -> tuple[Minute, ...]:
        """Sixty minutes, this one last."""
        return self.numbered()[1]

    def numbered(self) -> tuple[int, tuple[Minute, ...]]:
        """The number of this minute, by a clock that all processes share, and the sixty."""
        self._turn()
        return self._last, (*self._minutes, self._running.minute())

    def _turn(self) -> None:
        now = int(self._clock() // 60)
        if now == self._last:
            return
        self._minutes.append(self._running.minute())
        self._minutes.extend([Minute()] * min(now - self._last - 1, MINUTES))
        self._running, self._last = _Running(), now


class _Running:
    """The minute that is not over yet: a mutable ``Minute``."""

    def __init__(self) -> None:
        self.answers = self.extracted = self.hits = self.saved = self.errors = 0
        self.slowest = 0.0

    def count(self, event: Event) -> None:
        if isinstance(event, OriginFailed):
            self.errors += 1
        elif isinstance(event, RequestAnswered):
            self.answers += 1
            self.extracted += event.action == "extracted"
            self.hits += (
                event.cached is not CacheConsulted.NONE and event.cached is not CacheConsulted.MISS
            )
            self.saved += sum(saved(event).values())
            if event.total > self.slowest and event.action != "tunnel":
                self.slowest = event.total

    def minute(self) -> Minute:
        return Minute(
            self.answers, self.extracted, self.hits, self.saved, self.errors, self.slowest
        )
