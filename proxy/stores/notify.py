"""How a store notifies other processes of a change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

Notify = Callable[[Any], Awaitable[object]]
"""Takes a JSON value; returns when the others have it or were not reached in time."""


async def notify_nobody(_change: Any) -> None:
    """There is no other process."""
