"""How old a stored reply is and how long it is fresh (RFC 9111, section 4.2). Pure numbers."""

from __future__ import annotations

from typing import Final

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.directives import FOREVER, Directives, date_of
from winnow.proxy.caching.storing import HEURISTIC, StoreMode

HEURISTIC_SHARE: Final = 0.1
"""Of the time since the last change, as section 4.2.2 suggests."""
HEURISTIC_LIMIT: Final = 86_400.0
"""Seconds that a guess may last at most."""
SKEW: Final = 60.0
"""Seconds by which the clocks of instances that share entries may differ."""


def age(entry: CacheEntry, now: float) -> float:
    """Seconds since the origin made or last validated it (section 4.2.3)."""
    return entry.initial_age + max(0.0, now - entry.received)


def lifetime(entry: CacheEntry, mode: StoreMode) -> float:
    """Seconds for which it is fresh (section 4.2.1), by heuristic where none is given (4.2.2)."""
    directives = Directives.of(entry.headers)
    for name in ("s-maxage", "max-age") if mode.shared else ("max-age",):
        seconds = directives.seconds(name)
        if seconds is not None:
            return float(seconds)
    date = date_of(entry.headers.get("date"))
    made = date if date is not None else entry.received
    if "expires" in entry.headers:
        return _expires(entry, made)
    return _guess(entry, directives, made)


def _expires(entry: CacheEntry, made: float) -> float:
    values = set(entry.headers.every("expires"))
    moments = [date_of(value) for value in values]
    if any(moment is None for moment in moments):
        return 0.0
    return max(0.0, min(moment - made for moment in moments if moment is not None))


def _guess(entry: CacheEntry, directives: Directives, made: float) -> float:
    changed = date_of(entry.headers.get("last-modified"))
    if changed is None or not (entry.status in HEURISTIC or "public" in directives):
        return 0.0
    return min(max(0.0, made - changed) * HEURISTIC_SHARE, HEURISTIC_LIMIT)


def remaining(entry: CacheEntry, now: float, mode: StoreMode) -> float:
    """Seconds of freshness left; negative once stale.

    A doubtful entry has none left, nor one from the future: the clock was put back since.
    """
    if entry.doubtful or entry.received > now + SKEW:
        return -float(FOREVER)
    return lifetime(entry, mode) - age(entry, now)


def may_be_stale(entry: CacheEntry, mode: StoreMode) -> bool:
    """Whether a stale entry may ever be sent without asking (section 4.2.4)."""
    directives = Directives.of(entry.headers)
    strict = ["must-revalidate", "no-cache"]
    strict += ["proxy-revalidate", "s-maxage"] if mode.shared else []
    return not entry.doubtful and not any(name in directives for name in strict)
