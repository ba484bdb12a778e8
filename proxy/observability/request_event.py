"""The event of a request that was answered, read off its exchange; a pure function of it."""

from __future__ import annotations

import re
import time
from typing import Final

from winnow.proxy.http.headers import Headers
from winnow.proxy.http.reasons import CACHE_NAME
from winnow.proxy.observability.events import CacheConsulted, RequestAnswered
from winnow.proxy.server.exchange import Exchange

_OURS: Final = re.compile(rf"(?:^|, ){CACHE_NAME}; ([^,]*)\Z")


def answered(exchange: Exchange) -> RequestAnswered:
    """What happened to a request whose handling has ended just now."""
    told = exchange.told
    action = told.get("winnow-action") or _unnamed(exchange.status)
    return RequestAnswered(
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


def cached(told: Headers) -> CacheConsulted:
    """What our own member of Cache-Status says (RFC 9211)."""
    ours = _OURS.search(told.joined("cache-status"))
    if not ours:
        return CacheConsulted.NONE
    if not ours[1].startswith("hit"):
        return CacheConsulted.MISS
    if "fwd-status=304" in ours[1]:
        return CacheConsulted.VALIDATED
    return CacheConsulted.COLLAPSED if "collapsed" in ours[1] else CacheConsulted.HIT
