"""Tasks that several requests wait for, of which each may leave before the task ends."""

from __future__ import annotations

import asyncio
import logging

from winnow.proxy.http.proxy_errors import ProxyError

_LOG = logging.getLogger("winnow.engine.tasks")


def retrieve(task: asyncio.Task[object]) -> None:
    """A done callback: take note of a failure, which asyncio would log where nobody waits any more.

    A ProxyError was raised to all who wait; anything else is a fault of the program and is logged.
    """
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, ProxyError):
        _LOG.warning("Work that several requests wait for failed: %r", error)
