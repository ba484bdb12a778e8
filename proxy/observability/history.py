"""The last hour by minutes, for the status page; knows counts, no page's address."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from winnow.proxy.observability.events import CacheConsulted, Event, OriginFailed, RequestAnswered
from winnow.proxy.observability.metrics import saved

MINUTES: Final = 60


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
    """An Observer that keeps the last hour. ``clock``: seconds that only grow."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._minutes: deque[Minute] = deque([Minute()] * (MINUTES - 1), MINUTES - 1)
        self._running = _Running()
        self._last = self._number()

    def __call__(self, event: Event) -> None:
        """Count one event in this minute."""
        self._turn()
        self._running.count(event)

    def minutes(self) -> tuple[Minute, ...]:
        """Sixty minutes, this one last."""
        return self.told()[1]

    def told(self) -> tuple[int, tuple[Minute, ...]]:
        """The number of this minute, by a clock that all processes share, and the sixty."""
        self._turn()
        return self._last, (*self._minutes, self._running.minute())

    def _number(self) -> int:
        return int(self._clock() // 60)

    def _turn(self) -> None:
        now = self._number()
        if now == self._last:
            return
        self._minutes.append(self._running.minute())
        self._minutes.extend([Minute()] * min(now - self._last - 1, MINUTES))
        self._running, self._last = _Running(), now


class _Running:
    """The minute that is not over yet; it counts as ``Minute`` tells."""

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
