"""The signals that stop and reload a proxy."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable
from dataclasses import dataclass, field


@dataclass(eq=False)
class StopSignals:
    """SIGTERM stops it after draining, SIGINT or a second signal at once; SIGHUP reloads it.

    SIGUSR2 has a newer process take over.
    """

    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: asyncio.Event = field(default_factory=asyncio.Event)
    reload: asyncio.Event = field(default_factory=asyncio.Event)
    renew: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def installed(cls) -> StopSignals:
        """Handlers of the running loop."""
        signals, loop = cls(), asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, signals._terminate)
        loop.add_signal_handler(signal.SIGINT, signals._interrupt)
        loop.add_signal_handler(signal.SIGHUP, signals.reload.set)
        loop.add_signal_handler(signal.SIGUSR2, signals.renew.set)
        return signals

    def _terminate(self) -> None:
        if self.stopped.is_set():
            self.at_once.set()
        self.stopped.set()

    def _interrupt(self) -> None:
        self.stopped.set()
        self.at_once.set()

    async def unless_stopped(self, work: Awaitable[object]) -> bool:
        """Whether ``work`` ended before a signal to stop, which cancels it. Raises its error."""
        task, stopped = asyncio.ensure_future(work), asyncio.ensure_future(self.stopped.wait())
        try:
            await asyncio.wait((task, stopped), return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                task.result()
            return not self.stopped.is_set()
        finally:
            for each in (task, stopped):
                each.cancel()
            await asyncio.gather(task, stopped, return_exceptions=True)

    async def drain(self, seconds: float) -> None:
        """Wait so long, unless it is to stop at once."""
        try:
            async with asyncio.timeout(seconds):
                await self.at_once.wait()
        except TimeoutError:
            return
