"""A stored reply and the request it answered, as far as later requests depend on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from winnow.proxy.caching.directives import age_of, date_of
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import ResponseHead


@dataclass(frozen=True)
class CacheEntry:
    """One stored reply (RFC 9111, section 3), complete.

    ``vary``: the request's fields that Vary names, as they were. ``requested``, ``received``:
    seconds since 1970 when it was asked for and when its head came. ``doubtful``: an unsafe request
    or a HEAD has shown that it may have changed, so that it must be validated.
    """

    status: int
    reason: str
    headers: Headers
    body: bytes
    requested: float
    received: float
    vary: tuple[tuple[str, str], ...] = ()
    doubtful: bool = False

    @cached_property
    def initial_age(self) -> float:
        """Seconds that it was old when it was received (RFC 9111, section 4.2.3)."""
        date = date_of(self.headers.get("date"))
        apparent = max(0.0, self.received - date) if date is not None else 0.0
        return max(apparent, age_of(self.headers) + max(0.0, self.received - self.requested))

    @property
    def size(self) -> int:
        """Bytes that it takes, heads and our own bookkeeping included."""
        pairs = (*self.headers, *self.vary)
        return len(self.body) + sum(len(name) + len(value) + 300 for name, value in pairs) + 400

    def head(self, headers: Headers | None = None) -> ResponseHead:
        """The head of a reply with this entry."""
        return ResponseHead(self.status, self.reason, headers or self.headers)
