"""Each request as one line of the log: what was done, how long it took; no address, no content."""

from __future__ import annotations

import logging

from winnow.proxy.observability.events import Event, OriginFailed, RequestAnswered

_LOG = logging.getLogger("winnow.requests")


def journal(event: Event) -> None:
    """An Observer that logs. Addresses, queries and clients are not told: the log is no history."""
    match event:
        case RequestAnswered():
            _LOG.info("answered", extra={"request": event.number, **_told(event)})
        case OriginFailed():
            _LOG.info("origin failed", extra={"kind": event.kind})


def _told(event: RequestAnswered) -> dict[str, object]:
    return {
        "method": event.method,
        "status": event.status,
        "action": event.action,
        "reason": event.reason,
        "cache": str(event.cached),
        "seconds": round(event.total, 4),
        "bytes": event.sent,
    }
