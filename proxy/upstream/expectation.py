"""When a request's body is sent: at once, or once the origin asks for it (RFC 9110, 10.1.1)."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

EXPECT_SECONDS: Final = 1.0
"""After so long without 100 or a response the body is sent: some origins know no expectation."""


class Expectation:
    """Of one request; without one its body is sent at once."""

    def __init__(self, *, expects: bool) -> None:
        self._met = asyncio.Event()
        if not expects:
            self._met.set()

    def meet(self) -> None:
        """The origin said 100 Continue."""
        self._met.set()

    async def wait(self) -> None:
        """Until the body is to be sent."""
        with suppress(TimeoutError):
            async with asyncio.timeout(EXPECT_SECONDS):
                await self._met.wait()
