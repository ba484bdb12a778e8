"""The event of a request that was answered, read off its exchange; a pure function of it."""

from __future__ import annotations

import re
import time
from typing import Final

from proxy.caching.answers import NAME
from proxy.exchange import Exchange
from proxy.headers import Headers
from proxy.watching.events import Answered, Cached

_STAGE: Final = re.compile(r"(fetch|extract);dur=([0-9]{1,9}(?:\.[0-9]{1,3})?)")
_OURS: Final = re.compile(rf"(?:^|, ){NAME}; ([^,]*)\Z")


def answered(exchange: Exchange) -> Answered:
    """What happened to a request whose handling has ended just now."""
    told = exchange.told
    stages = {name: float(value) / 1000 for name, value in _STAGE.findall(_timing(told))}
    action = told.get("winnow-action") or _unnamed(exchange.status)
    return Answered(
        method=exchange.head.method,
        status=exchange.status,
        action=action,
        reason=told.get("winnow-reason") or action,
        cached=cached(told),
        fetch=stages.get("fetch"),
        extract=stages.get("extract") if action == "extracted" and exchange.came else None,
        total=time.perf_counter() - exchange.begun,
        sent=exchange.sent,
        came=exchange.came,
        number=exchange.number,
    )


def _timing(told: Headers) -> str:
    """Server-Timing of a reply that passed through: else it is none of ours."""
    return told.joined("server-timing") if "winnow-action" in told else ""


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
