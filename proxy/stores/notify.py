"""How a store lets other processes know that something changed; knows neither."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

Told = Callable[[Any], Awaitable[object]]
"""Takes a JSON value; the others know of it when it returns, or could not be reached."""


async def nobody_told(_change: Any) -> None:
    """There is no other process."""
