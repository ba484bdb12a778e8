"""What happened, as frozen values for whoever observes; knows no observer and no page's content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class CacheConsulted(StrEnum):
    """What the cache of replies had to do with an answer."""

    HIT = "hit"
    COLLAPSED = "collapsed"
    VALIDATED = "validated"
    MISS = "miss"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class RequestAnswered:
    """A request has been answered, or its client has left.

    ``action`` and ``reason`` as in the reply's fields; ``action`` is ``own`` for our own pages,
    ``refused`` for our own errors, ``left`` where no reply began. ``status`` is then 0. Times in
    seconds, None where there was no such stage. ``sent``: bytes of the body as sent; ``came``:
    those of the page that was extracted, else 0. ``number``: by which log lines know the request.
    """

    method: str
    status: int
    action: str
    reason: str
    cached: CacheConsulted
    fetch: float | None
    extract: float | None
    total: float
    sent: int
    came: int = 0
    number: str = ""


@dataclass(frozen=True, slots=True)
class OriginFetched:
    """A reply of an origin has been read, as far as it was wanted. ``size``: bytes of its body."""

    status: int
    size: int


@dataclass(frozen=True, slots=True)
class OriginFailed:
    """An origin could not be reached or broke off; ``kind`` is the error's reason token."""

    kind: str


Event = RequestAnswered | OriginFetched | OriginFailed
Observer = Callable[[Event], None]


def nobody(_event: Event) -> None:
    """Nobody observes."""
