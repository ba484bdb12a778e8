"""Fetches and jobs of one page that run at the same time, within a time limit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from typing import Final, TypeVar

_LOG: Final = logging.getLogger("winnow.own")
Key = TypeVar("Key")
Value = TypeVar("Value")


async def results_within(jobs: Mapping[Key, Awaitable[Value]], seconds: float) -> dict[Key, Value]:
    """The results of jobs; those that are late are cancelled, those that fail are logged."""
    tasks = {key: asyncio.ensure_future(job) for key, job in jobs.items()}
    if tasks:
        await asyncio.wait(tasks.values(), timeout=seconds)
    for task in tasks.values():
        task.cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    finished = {key: task for key, task in tasks.items() if not task.cancelled()}
    for task in finished.values():
        if error := task.exception():
            _LOG.error("a part of an own page failed", exc_info=error)
    return {key: task.result() for key, task in finished.items() if not task.exception()}
