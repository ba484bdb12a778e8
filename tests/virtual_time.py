"""An event loop whose clock moves on by itself whenever nothing else is to be done."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")


class _Skipping(selectors.DefaultSelector):
    """Waits for nothing: what it was to wait is added to ``now``."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "The program waits for something that will never happen."
        self.now += max(timeout, 0.0)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """``time`` is seconds since its start, none of which anybody had to wait."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.now


def run(work: Coroutine[object, object, T]) -> T:
    """Run a program of timers alone; it must use no socket, process or thread."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
