"""Each request as one line of the log: what was done, how long it took; no address, no content."""

from __future__ import annotations

import logging

from proxy.watching.events import Answered, Event, Failed

_LOG = logging.getLogger("winnow.requests")


def journal(event: Event) -> None:
    """An Observer that logs. Addresses, queries and clients are not told: the log is no history."""
    match event:
        case Answered():
            _LOG.info("answered", extra={"request": event.number, **_told(event)})
        case Failed():
            _LOG.info("origin failed", extra={"kind": event.kind})


def _told(event: Answered) -> dict[str, object]:
    return {
        "method": event.method,
        "status": event.status,
        "action": event.action,
        "reason": event.reason,
        "cache": str(event.cached),
        "seconds": round(event.total, 4),
        "bytes": event.sent,
    }
