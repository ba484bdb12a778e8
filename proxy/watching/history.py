"""The last hour by minutes, for the status page; knows counts, no page's address."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from proxy.watching.events import Answered, Cached, Event, Failed
from proxy.watching.metrics import saved

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
        self._minutes: deque[Minute] = deque([Minute()] * MINUTES, MINUTES)
        self._last = self._number()

    def __call__(self, event: Event) -> None:
        """Count one event in this minute."""
        self._turn()
        self._minutes[-1] = counted(self._minutes[-1], event)

    def minutes(self) -> tuple[Minute, ...]:
        """Sixty minutes, this one last."""
        self._turn()
        return tuple(self._minutes)

    def told(self) -> tuple[int, tuple[Minute, ...]]:
        """The number of this minute, by a clock that all processes share, and the sixty."""
        self._turn()
        return self._last, tuple(self._minutes)

    def _number(self) -> int:
        return int(self._clock() // 60)

    def _turn(self) -> None:
        now = self._number()
        self._minutes.extend([Minute()] * min(now - self._last, MINUTES))
        self._last = now


def counted(minute: Minute, event: Event) -> Minute:
    """A minute with one event more."""
    match event:
        case Answered():
            hit = event.cached not in (Cached.NONE, Cached.MISS)
            return replace(
                minute,
                answers=minute.answers + 1,
                extracted=minute.extracted + (event.action == "extracted"),
                hits=minute.hits + hit,
                saved=minute.saved + sum(saved(event).values()),
                slowest=max(minute.slowest, 0.0 if event.action == "tunnel" else event.total),
            )
        case Failed():
            return replace(minute, errors=minute.errors + 1)
        case _:
            return minute
