"""Responses of the cache: stored, complete, passed through, and stored while they pass."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from winnow.proxy.caching import conditions
from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.freshness import age, remaining
from winnow.proxy.caching.storing import StoreMode
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, OriginResponse, ResponseHead
from winnow.proxy.http.proxy_errors import OriginFaultError
from winnow.proxy.http.reasons import CACHE_NAME

CONDITIONAL: Final = frozenset((*conditions.CONDITIONS, "range"))
"""Fields by which a request asks for less than the whole response."""


def cache_status(headers: Headers, status: str) -> Headers:
    """The fields with our member added behind those of caches nearer the origin."""
    own = f"{CACHE_NAME}; {status}"
    if "cache-status" not in headers:
        return headers.plus(("Cache-Status", own))
    return headers.replaced(("Cache-Status", f"{headers.joined('cache-status')}, {own}"))


def hit_fields(entry: CacheEntry, now: float, mode: StoreMode, status: str) -> Headers:
    """The fields of a stored response as they are sent, with Cache-Status and Age."""
    left = int(remaining(entry, now, mode)) if not entry.doubtful else 0
    return entry.headers.replaced(
        ("Cache-Status", f"{CACHE_NAME}; {status}; ttl={left}"),
        ("Age", str(int(age(entry, now)))),
    )


@asynccontextmanager
async def released_on_failure(response: OriginResponse) -> AsyncIterator[None]:
    """Closes a response that is not delivered, because of a failure or a cancellation."""
    try:
        yield
    except BaseException:
        await response.aclose()
        raise


class CompleteResponse:
    """A complete response; ``length`` is that of its body, read or not."""

    def __init__(self, head: ResponseHead, body: bytes) -> None:
        self.head = head
        self.length: int | None = len(body)
        self._body = body

    @property
    def trailers(self) -> Headers:
        """None are stored."""
        return Headers()

    async def read(self) -> bytes:
        """All of the body, then b""."""
        body, self._body = self._body, b""
        return body

    async def aclose(self) -> None:
        """Nothing is held."""


class StoredResponse(CompleteResponse):
    """A stored entry as the response to a GET or HEAD, its conditions and range evaluated."""

    def __init__(
        self, order: OriginRequest, entry: CacheEntry, now: float, mode: StoreMode, status: str
    ) -> None:
        fields = hit_fields(entry, now, mode, status)
        is_head, request = order.method == "HEAD", order.headers
        # A range means nothing to HEAD (RFC 9110, section 14.2).
        request = request.without(("range",)) if is_head else request
        head, body = conditions.answer(request, entry, fields)
        framed = head.headers
        if head.status not in (204, 304):
            length = len(entry.body) if is_head else len(body)
            framed = framed.plus(("Content-Length", str(length)))
        head = ResponseHead(head.status, head.reason, framed, entry.version)
        super().__init__(head, b"" if is_head else body)


class PassedResponse:
    """An origin's response that is not stored: only Cache-Status is added."""

    def __init__(self, response: OriginResponse, how: str) -> None:
        head = response.head
        self.head = ResponseHead(
            head.status, head.reason, cache_status(head.headers, how), head.version
        )
        self._response = response
        self.length: int | None = response.length
        """Bytes of the body, where the head names them."""

    @property
    def trailers(self) -> Headers:
        """The trailer fields, once the body was read to its end."""
        return self._response.trailers

    async def read(self) -> bytes:
        """The next piece of the body, empty at its end. Raises OriginFaultError if cut short."""
        return await self._response.read()

    async def aclose(self) -> None:
        """Release the connection."""
        await self._response.aclose()


@dataclass
class SpoolBudget:
    """Bytes that all spools of a process hold, and ``limit``, from which on none grows.

    Each spool may exceed it by the one piece during which it was reached.
    """

    limit: int
    used: int = 0

    @property
    def is_full(self) -> bool:
        return self.used >= self.limit


class StoringResponse(PassedResponse):
    """Passes an origin's response on and stores it once it is complete.

    The spool is filled by whoever needs the next piece: the client that fetches, at its own pace,
    or ``hurry``, at the origin's: a client that does not read delays nobody who waits for the
    response. A body beyond ``largest`` bytes, or one for which ``budget`` has no room, is passed on
    and not stored.
    """

    def __init__(
        self,
        response: OriginResponse,
        store: Callable[[bytes], Awaitable[None]],
        largest: int,
        how: str,
        budget: SpoolBudget | None = None,
    ) -> None:
        super().__init__(response, how)
        self._plain, self._how = response.head, how
        self._store, self._largest = store, largest
        self._budget = budget or SpoolBudget(largest)
        self._body: list[bytes] | None = []
        self._unread: deque[bytes] = deque()
        self._size = self._unread_size = 0
        self._over = False
        self._failure: OriginFaultError | None = None
        self._reading = asyncio.Lock()
        self._hurrying: asyncio.Task[None] | None = None
        self._done: Callable[[bool], None] | None = None

    @property
    def storing(self) -> bool:
        """Whether the rest of the body would be stored."""
        return self._body is not None

    def on_done(self, done: Callable[[bool], None]) -> None:
        """Call ``done`` when this was stored or will not be: True if its reader left."""
        self._done = done

    def hurry(self) -> None:
        """Read on at the origin's pace while it is to be stored: another request waits for it."""
        if self._hurrying is None and self.storing:
            self._hurrying = asyncio.create_task(self._fill())

    async def _fill(self) -> None:
        while self.storing and not self._over:
            async with self._reading:
                if self.storing and not self._over:
                    await self._read_on()

    async def read(self) -> bytes:
        """The next piece of the body, empty at its end. Raises OriginFaultError if cut short."""
        while not self._unread and not self._over:
            async with self._reading:
                if not self._unread and not self._over:
                    await self._read_on()
        if self._unread:
            chunk = self._unread.popleft()
            self._hold_unread(-len(chunk))
            return chunk
        if self._failure:
            raise self._failure
        return b""

    async def _read_on(self) -> None:
        """Read the next piece of the origin's body, or find its end."""
        try:
            chunk = await self._response.read()
        except OriginFaultError as error:
            self._over, self._failure = True, error
            self._finish(lost=False)
            return
        if chunk:
            self._unread.append(chunk)
            self._hold_unread(len(chunk))
            self._spool(chunk)
            return
        self._over = True
        try:
            if self._body is not None:
                await self._store(b"".join(self._body))
                self._mark_stored()
        finally:
            self._finish(lost=False)

    def _hold_unread(self, more: int) -> None:
        self._unread_size += more
        self._budget.used += more

    def _spool(self, chunk: bytes) -> None:
        if self._body is None:
            return
        if self._size + len(chunk) > self._largest or self._budget.is_full:
            self._finish(lost=False)
            return
        self._size += len(chunk)
        self._budget.used += len(chunk)
        self._body.append(chunk)

    def _mark_stored(self) -> None:
        """Add ``stored`` to Cache-Status (RFC 9211, section 2.4) of a head read only now."""
        head = self._plain
        fields = cache_status(head.headers, f"{self._how}; stored")
        self.head = ResponseHead(head.status, head.reason, fields, head.version)

    async def aclose(self) -> None:
        """Release the connection; an incomplete body is not stored."""
        if self._hurrying:
            self._hurrying.cancel()
            await asyncio.gather(self._hurrying, return_exceptions=True)
        self._finish(lost=True)
        self._unread.clear()
        self._hold_unread(-self._unread_size)
        await self._response.aclose()

    def _finish(self, lost: bool) -> None:
        """Stop spooling and notify the waiters."""
        self._body = None
        self._budget.used -= self._size
        self._size = 0
        if self._done:
            self._done(lost)
            self._done = None


def not_stored() -> OriginResponse:
    """The 504 for ``only-if-cached`` without a stored response (RFC 9111, 5.2.1.7)."""
    fields = Headers((("Content-Type", "text/plain"),))
    head = ResponseHead(504, "Gateway Timeout", cache_status(fields, "detail=only-if-cached"))
    return CompleteResponse(head, b"Not in the cache, and the request says only-if-cached.\n")
