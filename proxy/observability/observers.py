"""Hands events to observers, off the data path: after the reply, each observer by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from winnow.proxy.observability.events import Event, Observer

_LOG = logging.getLogger("winnow.compose.observing")


class Observers:
    """An Observer that tells all others in the loop's next turn; one that raises is ignored."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = tuple(observers)
        self._untold: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Returns at once and never raises."""
        if not self._untold:
            asyncio.get_running_loop().call_soon(self._tell)
        self._untold.append(event)

    def _tell(self) -> None:
        events, self._untold = self._untold, []
        for event in events:
            for observer in self._observers:
                try:
                    observer(event)
                except Exception:  # noqa: BLE001 - an observer's fault must cost no reply
                    _LOG.exception("An observer failed; the event is skipped.")
