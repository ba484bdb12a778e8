"""What holds the event loop up is seen for a minute."""

from __future__ import annotations

import asyncio
import time

import pytest

from winnow.proxy.observability import loop_lag
from winnow.proxy.observability.loop_lag import LoopLag


async def test_the_longest_wait_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop_lag, "EVERY", 0.01)
    lag = LoopLag()
    assert lag.longest == 0.0
    running = asyncio.create_task(lag.run())
    await asyncio.sleep(0.015)  # it waits for its next measurement
    until = time.monotonic() + 0.3
    while time.monotonic() < until:
        pass  # what blocks a loop
    while lag.longest < 0.2:  # noqa: ASYNC110 - it tells nobody
        await asyncio.sleep(0.01)
    running.cancel()
