"""The event of a request that was answered, read off its exchange; a pure function of it."""

from __future__ import annotations

import re
import time
from typing import Final

from proxy.caching.answers import NAME
from proxy.exchange import Exchange
from proxy.headers import Headers
from proxy.watching.events import Answered, Cached

_OURS: Final = re.compile(rf"(?:^|, ){NAME}; ([^,]*)\Z")


def answered(exchange: Exchange) -> Answered:
    """What happened to a request whose handling has ended just now."""
    told = exchange.told
    action = told.get("winnow-action") or _unnamed(exchange.status)
    return Answered(
        method=exchange.head.method,
        status=exchange.status,
        action=action,
        reason=told.get("winnow-reason") or action,
        cached=cached(told),
        fetch=exchange.fetched,
        extract=exchange.extracted if action == "extracted" and exchange.came else None,
        total=time.perf_counter() - exchange.begun,
        sent=exchange.sent,
        came=exchange.came,
        number=exchange.number,
    )


def _unnamed(status: int) -> str:
    if not status:
        return "left"
    return "own" if status < 400 else "refused"


def cached(told: Headers) -> Cached:
    """What our own member of Cache-Status says (RFC 9211)."""
    ours = _OURS.search(told.joined("cache-status"))
    if not ours:
        return Cached.NONE
    if not ours[1].startswith("hit"):
        return Cached.MISS
    if "fwd-status=304" in ours[1]:
        return Cached.VALIDATED
    return Cached.COLLAPSED if "collapsed" in ours[1] else Cached.HIT
