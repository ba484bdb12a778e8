"""Freshness and reuse of stored responses (RFC 9111, section 4). Pure decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.directives import FOREVER, Directives, date_of
from winnow.proxy.caching.storing import HEURISTIC, StoreMode, may_answer
from winnow.proxy.caching.vary import is_selected
from winnow.proxy.http.headers import Headers

HEURISTIC_SHARE: Final = 0.1
"""Of the time since the last change, as section 4.2.2 suggests."""
HEURISTIC_LIMIT: Final = 86_400.0
"""Seconds of heuristic freshness at most."""
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
    return _heuristic(entry, directives, made)


def _expires(entry: CacheEntry, made: float) -> float:
    values = set(entry.headers.every("expires"))
    moments = [date_of(value) for value in values]
    if any(moment is None for moment in moments):
        return 0.0
    return max(0.0, min(moment - made for moment in moments if moment is not None))


def _heuristic(entry: CacheEntry, directives: Directives, made: float) -> float:
    changed = date_of(entry.headers.get("last-modified"))
    if changed is None or not (entry.status in HEURISTIC or "public" in directives):
        return 0.0
    return min(max(0.0, made - changed) * HEURISTIC_SHARE, HEURISTIC_LIMIT)


def remaining(entry: CacheEntry, now: float, mode: StoreMode) -> float:
    """Seconds of freshness left; negative once stale.

    A doubtful entry has none left, nor one from the future: the clock was set back since.
    """
    if entry.doubtful or entry.received > now + SKEW:
        return -float(FOREVER)
    return lifetime(entry, mode) - age(entry, now)


def may_be_stale(entry: CacheEntry, mode: StoreMode) -> bool:
    """Whether a stale entry may be sent without validation (section 4.2.4)."""
    directives = Directives.of(entry.headers)
    strict = ["must-revalidate", "no-cache"]
    strict += ["proxy-revalidate", "s-maxage"] if mode.shared else []
    return not entry.doubtful and not directives.has_any(strict)


class ForwardToOrigin(StrEnum):
    """Why a request goes to the origin (RFC 9211, section 2.2)."""

    MISS = "uri-miss"
    VARY = "vary-miss"
    REQUEST = "request"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class UseStored:
    """Send the entry; ``refresh``: and validate it meanwhile (RFC 5861, section 3)."""

    entry: CacheEntry
    refresh: bool = False


@dataclass(frozen=True, slots=True)
class RevalidateStored:
    """Send to the origin, with the entry's validators where there is one."""

    why: ForwardToOrigin
    entry: CacheEntry | None = None


@dataclass(frozen=True, slots=True)
class OnlyIfCachedMiss:
    """``only-if-cached``, and nothing is (section 5.2.1.7)."""


Decision = UseStored | RevalidateStored | OnlyIfCachedMiss


def decide(
    entries: Sequence[CacheEntry], request: Headers, now: float, mode: StoreMode
) -> Decision:
    """Use a stored response, validate it or fetch. ``now``: seconds since 1970."""
    wanted = Directives.of(request)
    chosen = select(entries, request)
    decision: Decision
    if chosen is None:
        decision = RevalidateStored(ForwardToOrigin.VARY if entries else ForwardToOrigin.MISS)
    elif mode.isolates_users and not may_answer(request, chosen.headers):
        decision = RevalidateStored(ForwardToOrigin.REQUEST)
    else:
        decision = _judge(chosen, _with_pragma(wanted, request), now, mode)
    if "only-if-cached" in wanted and isinstance(decision, RevalidateStored):
        return OnlyIfCachedMiss()
    return decision


def select(entries: Sequence[CacheEntry], request: Headers) -> CacheEntry | None:
    """Of the entries that fit, the one with the latest Date (section 4.1)."""
    fitting = [entry for entry in entries if is_selected(entry, request)]
    return max(fitting, key=_recency, default=None)


def _recency(entry: CacheEntry) -> tuple[float, float]:
    """By Date; of two with the same one the response received last."""
    date = date_of(entry.headers.get("date"))
    return (date if date is not None else entry.received), entry.received


def _with_pragma(wanted: Directives, request: Headers) -> Directives:
    """``Pragma: no-cache`` counts where Cache-Control is not there (section 5.4)."""
    if not wanted.values and "no-cache" in request.items("pragma"):
        return Directives({"no-cache": None})
    return wanted


def _judge(
    entry: CacheEntry, wanted: Directives, now: float, mode: StoreMode
) -> UseStored | RevalidateStored:
    stored = Directives.of(entry.headers)
    if "no-cache" in wanted:
        return RevalidateStored(ForwardToOrigin.REQUEST, entry)
    if "no-cache" in stored or entry.doubtful:
        return RevalidateStored(ForwardToOrigin.STALE, entry)
    left = remaining(entry, now, mode)
    limit, margin = wanted.seconds("max-age"), wanted.seconds("min-fresh") or 0
    if limit is not None and age(entry, now) >= limit:
        return RevalidateStored(ForwardToOrigin.REQUEST, entry)
    if left > 0 and left >= margin:
        return UseStored(entry)
    return _judge_stale(entry, wanted, -left, mode)


def _judge_stale(
    entry: CacheEntry, wanted: Directives, late: float, mode: StoreMode
) -> UseStored | RevalidateStored:
    """``late``: seconds since it was fresh; negative where only ``min-fresh`` is not met."""
    if late >= 0 and may_be_stale(entry, mode):
        if late <= _tolerated(wanted):
            return UseStored(entry)
        window = Directives.of(entry.headers).seconds("stale-while-revalidate") or 0
        if late < window and not ("min-fresh" in wanted or "max-age" in wanted):
            return UseStored(entry, refresh=True)
    return RevalidateStored(ForwardToOrigin.STALE if late >= 0 else ForwardToOrigin.REQUEST, entry)


def _tolerated(wanted: Directives) -> float:
    """Seconds of staleness that the client takes; any where ``max-stale`` names none."""
    if wanted.unqualified("max-stale"):
        return float(FOREVER)
    seconds = wanted.seconds("max-stale")
    return -1.0 if seconds is None else float(seconds)


def may_stand_in(
    entry: CacheEntry, request: Headers, now: float, mode: StoreMode, unreachable: bool
) -> bool:
    """Whether a stale entry may be sent since the origin fails (RFC 5861, 4; RFC 9111, 4.2.4).

    For an error the window of ``stale-if-error`` counts; for an unreachable origin any entry does
    that was fresh once and that nothing forbids. With ``no-cache`` the client gets the error.
    """
    directives = _with_pragma(Directives.of(request), request)
    if "no-cache" in directives or not may_be_stale(entry, mode):
        return False
    windows = [
        Directives.of(headers).seconds("stale-if-error") for headers in (entry.headers, request)
    ]
    late = -remaining(entry, now, mode)
    if any(window is not None and late < window for window in windows):
        return True
    unspecified = all(window is None for window in windows)
    return unreachable and unspecified and lifetime(entry, mode) > 0
