"""Answers of the cache: a stored one, one of our own, and one passed through. Knows no rule."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Final

from winnow.proxy.caching import conditions
from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.freshness import age, remaining
from winnow.proxy.caching.storing import StoreMode
from winnow.proxy.http.headers import Field, Headers
from winnow.proxy.http.messages import OriginRequest, OriginResponse, ResponseHead
from winnow.proxy.http.reasons import CACHE_NAME

CONDITIONAL: Final = frozenset((*conditions.CONDITIONS, "range"))
"""Fields by which a request asks for less than all of a reply."""


def cache_status(headers: Headers, status: str) -> Headers:
    """The fields with our member added behind those of caches nearer the origin."""
    own = f"{CACHE_NAME}; {status}"
    if "cache-status" not in headers:
        return headers.plus(("Cache-Status", own))
    return headers.replaced(("Cache-Status", f"{headers.joined('cache-status')}, {own}"))


@asynccontextmanager
async def released_on_failure(answer: OriginResponse) -> AsyncIterator[None]:
    """Closes an answer that is not delivered, because of a failure or a cancellation."""
    try:
        yield
    except BaseException:
        await answer.aclose()
        raise


class StoredResponse:
    """What a GET or HEAD gets of a stored entry, its conditions and range minded."""

    def __init__(
        self, order: OriginRequest, entry: CacheEntry, now: float, mode: StoreMode, status: str
    ) -> None:
        self.entry = entry
        self._request = order
        left = int(remaining(entry, now, mode)) if not entry.doubtful else 0
        field = ("Cache-Status", f"{CACHE_NAME}; {status}; ttl={left}")
        self._fields: tuple[Field, ...] = (field, ("Age", str(int(age(entry, now)))))
        self._read = False

    @cached_property
    def _answer(self) -> tuple[ResponseHead, bytes]:
        is_head, request = self._request.method == "HEAD", self._request.headers
        # A range means nothing to HEAD (RFC 9110, section 14.2).
        request = request.without(("range",)) if is_head else request
        fields = self.entry.headers.replaced(*self._fields)
        head, body = conditions.answer(request, self.entry, fields)
        if head.status not in (204, 304):
            length = len(self.entry.body) if is_head else len(body)
            framed = head.headers.plus(("Content-Length", str(length)))
            head = ResponseHead(head.status, head.reason, framed)
        return head, b"" if is_head else body

    @property
    def head(self) -> ResponseHead:
        """The status line and the fields."""
        return self._answer[0]

    @property
    def length(self) -> int | None:
        """Bytes of the body, read or not."""
        return len(self._answer[1])

    async def read(self) -> bytes:
        """All of the body, then b""."""
        known, self._read = self._read, True
        return b"" if known else self._answer[1]

    async def aclose(self) -> None:
        """Nothing is held."""


class RevalidatedResponse:
    """An answer that is at hand as a whole; ``length`` is that of its body, read or not."""

    def __init__(self, head: ResponseHead, body: bytes) -> None:
        self.head = head
        self.length: int | None = len(body)
        self._body = body

    async def read(self) -> bytes:
        """All of the body, then b""."""
        body, self._body = self._body, b""
        return body

    async def aclose(self) -> None:
        """Nothing is held."""


class PassedResponse:
    """An origin's answer that is not stored; only Cache-Status tells that a cache saw it."""

    def __init__(self, answer: OriginResponse, how: str) -> None:
        head = answer.head
        self.head = ResponseHead(
            head.status, head.reason, cache_status(head.headers, how), head.version
        )
        self._answer = answer
        self.length: int | None = answer.length
        """Bytes of the body, if the head tells."""

    async def read(self) -> bytes:
        """The next piece of the body, empty at its end. Raises OriginFaultError if cut short."""
        return await self._answer.read()

    async def aclose(self) -> None:
        """Release the connection."""
        await self._answer.aclose()
