"""A clock of the event loop that moves on by itself whenever nothing else is to be done.

On a busy machine everything takes longer, but not by this clock: it stands while anything happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
QUIET = 0.02
"""Seconds, by the machine's clock, in which what is on its way over loopback arrives."""


class Clock:
    """What the running loop was to wait is added to ``now`` if nothing came for ``quiet`` seconds.

    While a thread has work for the loop, the clock is the machine's.
    """

    def __init__(self, quiet: float) -> None:
        loop: Any = asyncio.get_running_loop()
        self._select, self._run_in_executor = loop._selector.select, loop.run_in_executor
        self._quiet, self._now, self._threads = quiet, 0.0, 0
        loop._selector.select, loop.time = self.select, self.time
        loop.run_in_executor = self.run_in_executor

    def time(self) -> float:
        return self._now

    def select(self, timeout: float | None = None) -> list[object]:
        assert timeout is not None or self._quiet, "The program waits for what will never happen."
        waits = timeout is None or self._threads
        events: list[object] = self._select(timeout if waits else min(timeout or 0, self._quiet))
        self._now += 0.0 if events else max(timeout or 0, 0)
        return events

    def run_in_executor(self, *arguments: object) -> asyncio.Future[object]:
        self._threads += 1
        working: asyncio.Future[object] = self._run_in_executor(*arguments)
        working.add_done_callback(self._ended)
        return working

    def _ended(self, _: object) -> None:
        self._threads -= 1


def run(work: Coroutine[object, object, T]) -> T:
    """Run a program of timers alone; it must use no socket, process or thread."""

    async def timed() -> T:
        Clock(0.0)
        return await work

    return asyncio.run(timed())
