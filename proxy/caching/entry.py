"""A stored reply and the request it answered, as far as later requests depend on it."""

from __future__ import annotations

from dataclasses import dataclass

from proxy.headers import Headers
from proxy.upstream.replies import ReplyHead


@dataclass(frozen=True, slots=True)
class Entry:
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

    @property
    def size(self) -> int:
        """Bytes that it takes, heads and our own bookkeeping included."""
        head = sum(len(name) + len(value) + 120 for name, value in self.headers)
        return len(self.body) + head + 400

    def head(self, headers: Headers | None = None) -> ReplyHead:
        """The head of a reply with this entry."""
        return ReplyHead(self.status, self.reason, headers or self.headers)
