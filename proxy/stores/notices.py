"""Messages for the status page, and notifications between processes."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

_LOG = logging.getLogger("winnow.stores")
MOST: Final = 20
"""Notices that are held; later ones are logged alone."""


class Notices:
    """Sentences for the status page; each is logged once, as a warning."""

    def __init__(self) -> None:
        self._texts: dict[str, None] = {}

    def add(self, text: str) -> None:
        """Log and hold ``text``. May be called from any thread."""
        if text not in self._texts:
            _LOG.warning("%s", text)
            if len(self._texts) < MOST:
                self._texts[text] = None

    def texts(self) -> list[str]:
        """All that is held, oldest first."""
        return list(self._texts)


Notify = Callable[[Any], Awaitable[object]]
"""Takes a JSON value; returns when the others have it or were not reached in time."""


async def notify_nobody(_change: Any) -> None:
    """There is no other process."""
