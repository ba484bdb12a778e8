"""A client that remembers: the same ``send`` as the one it stands before, with RFC 9111 between.

Knows when to ask; whether and what is decided by the pure modules beside it. One storage, one
process; equal requests at the same time become one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.cache_keys import key_of, unsure
from winnow.proxy.caching.coalescing import CoalescedFetches
from winnow.proxy.caching.conditions import CONDITIONS, has_validator, validating
from winnow.proxy.caching.memory_storage import ResponseStorage
from winnow.proxy.caching.responses import (
    CONDITIONAL,
    PassedResponse,
    RevalidatedResponse,
    StoredResponse,
    cache_status,
    released_on_failure,
)
from winnow.proxy.caching.reuse import (
    Decision,
    ForwardToOrigin,
    OnlyIfCachedMiss,
    RevalidateStored,
    UseStored,
    decide,
    may_stand_in,
)
from winnow.proxy.caching.spool import SpoolBudget, StoringAnswer
from winnow.proxy.caching.storing import (
    StoreMode,
    fits,
    freshened,
    is_same,
    may_store,
    shareable,
    stored_headers,
    varied,
)
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.origin_messages import OriginRequest, OriginResponse, ResponseHead, Sender
from winnow.proxy.http.proxy_errors import OriginCertificateError, OriginFaultError, ProxyError

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
FAILURES: Final = frozenset({500, 502, 503, 504})
"""Statuses that count as errors for ``stale-if-error`` (RFC 5861, section 4)."""
MOST_IN_VAIN: Final = 4096
"""Addresses that are known for replies which cannot be stored."""
MOST_REFRESHED: Final = 64
"""Replies that are validated in the background at once; others wait for their next request."""
VARIANTS: Final = 8
"""Replies kept of one address that differ by Vary."""


@dataclass(frozen=True, slots=True)
class CachingRules:
    """``largest``: bytes of a body that is stored at most, ``spool``: of all that are on their way.

    ``patience``: seconds that a request waits at most for an equal one before it goes itself.
    """

    mode: StoreMode = field(default_factory=StoreMode)
    largest: int = 4 * 1024 * 1024
    spool: int = 32 * 1024 * 1024
    patience: float = 10.0


class CachingClient:
    """Answers from ``storage`` what may be answered so; everything else from ``origin``."""

    def __init__(
        self,
        origin: Sender,
        storage: ResponseStorage,
        rules: CachingRules | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.origin, self.storage, self.rules = origin, storage, rules or CachingRules()
        self._clock = clock
        self._flights = CoalescedFetches(self.rules.patience)
        self._budget = SpoolBudget(self.rules.spool)
        self._refreshing: dict[str, asyncio.Task[None]] = {}
        self._in_vain: dict[str, None] = {}

    async def send(self, order: OriginRequest) -> OriginResponse:
        """The reply, stored or fetched. Raises OriginFaultError where neither can be had."""
        if order.method not in ("GET", "HEAD") or order.upgrade or order.body is not None:
            return await self._past(order)
        key = key_of(order)
        decision = await self._decide(key, order)
        if isinstance(decision, UseStored):
            return self._used(order, decision)
        if isinstance(decision, OnlyIfCachedMiss):
            return _not_stored()
        if order.method == "GET" and CONDITIONAL.isdisjoint(order.headers.by_name):
            return await self._ask_once(key, order, decision)
        return await self._ask(order, decision)

    async def settled(self) -> None:
        """Wait until nothing is validated in the background."""
        await asyncio.gather(*self._refreshing.values(), return_exceptions=True)

    async def aclose(self) -> None:
        """End what still refreshes in the background, then the storage and the client behind."""
        tasks = list(self._refreshing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.storage.aclose()
        await self.origin.aclose()

    def _used(self, order: OriginRequest, use: UseStored, status: str = "hit") -> OriginResponse:
        if use.refresh:
            self._refresh(order, use.entry)
        return StoredResponse(order, use.entry, self._clock(), self.rules.mode, status)

    async def _past(self, order: OriginRequest) -> OriginResponse:
        """What no cache answers; what goes well and is unsafe makes stored replies unsure."""
        answer = await self.origin.send(order)
        if order.method not in SAFE and answer.head.status < 400:
            async with released_on_failure(answer):
                for key in unsure(order, answer.head.headers):
                    await self.storage.delete(key)
        return answer

    async def _decide(self, key: str, order: OriginRequest) -> Decision:
        entries = await self.storage.get(key)
        return decide(entries, order.headers, self._clock(), self.rules.mode)

    async def _ask_once(
        self, key: str, order: OriginRequest, ask: RevalidateStored
    ) -> OriginResponse:
        """Fetch, unless an equal request does so already: then wait for what it stores.

        Nobody waits where the last reply was none to be stored: the next will hardly be one.
        """
        if key in self._in_vain:
            return self._noted(key, await self._ask(order, ask))
        while self._flights.under_way(key):
            lost = await self._flights.landing(key)
            again = await self._decide(key, order)
            if isinstance(again, UseStored):
                return self._used(order, again, "hit; collapsed")
            ask = again if isinstance(again, RevalidateStored) else ask
            if not lost:
                return await self._ask(order, ask)
        return await self._lead(key, order, ask)

    async def _lead(self, key: str, order: OriginRequest, ask: RevalidateStored) -> OriginResponse:
        landed = self._flights.begin(key)
        try:
            answer = await self._ask(order, ask)
        except BaseException as error:
            landed(not isinstance(error, ProxyError))
            raise
        if isinstance(answer, StoringAnswer):
            answer.when_done(landed)
            self._flights.when_awaited(key, answer.hurry)
        else:
            landed(False)
        return self._noted(key, answer)

    def _noted(self, key: str, answer: OriginResponse) -> OriginResponse:
        if isinstance(answer, StoringAnswer):
            self._in_vain.pop(key, None)
        elif key not in self._in_vain:
            self._in_vain[key] = None
            if len(self._in_vain) > MOST_IN_VAIN:
                del self._in_vain[next(iter(self._in_vain))]
        return answer

    async def _ask(self, order: OriginRequest, ask: RevalidateStored) -> OriginResponse:
        """Ask the origin; a stored entry is validated, or stands in where the origin fails."""
        entry, requested, how = ask.entry, self._clock(), f"fwd={ask.why}"
        validates = order.method == "GET" and entry is not None and has_validator(entry)
        headers = validating(order.headers, entry) if entry and validates else order.headers
        try:
            sent = replace(order, headers=headers) if validates else order
            answer = await self.origin.send(sent)
        except OriginCertificateError:  # whoever answers there is not the one we stored from
            raise
        except OriginFaultError:
            if entry and may_stand_in(entry, order.headers, requested, self.rules.mode, True):
                return self._used(order, UseStored(entry), "hit; detail=origin-unreachable")
            raise
        if entry is None:
            return await self._fetched(order, answer, requested, how)
        head = answer.head
        if validates and head.status == 304:
            await answer.aclose()
            return await self._validated(order, entry, head, requested, how)
        if head.status in FAILURES and may_stand_in(
            entry, order.headers, requested, self.rules.mode, False
        ):
            await answer.aclose()
            return self._used(order, UseStored(entry), f"hit; fwd-status={head.status}")
        return await self._fetched(order, answer, requested, how)

    async def _validated(
        self,
        order: OriginRequest,
        entry: CacheEntry,
        head: ResponseHead,
        requested: float,
        how: str,
    ) -> OriginResponse:
        fresh = freshened(entry, head, requested, self._clock())
        fresh = replace(fresh, vary=varied(order.headers, fresh.headers))
        kept = shareable(fresh, self.rules.mode)
        if may_store(order.headers, kept.head(), self.rules.mode):
            await self._keep(order, kept, instead=entry)
        return self._used(order, UseStored(fresh), f"hit; {how}; fwd-status=304")

    async def _fetched(
        self, order: OriginRequest, answer: OriginResponse, requested: float, how: str
    ) -> OriginResponse:
        """Pass on what the origin sent, storing it on the way where that is allowed."""
        received, head = self._clock(), answer.head
        if order.method == "HEAD":
            async with released_on_failure(answer):
                await self._compare(order, head, requested)
            return PassedResponse(answer, how)
        storable = may_store(order.headers, head, self.rules.mode)
        if not storable or (answer.length or 0) > self.rules.largest:
            return PassedResponse(answer, how)

        async def store(body: bytes) -> None:
            headers = stored_headers(head)
            selecting = varied(order.headers, headers)
            entry = CacheEntry(
                head.status, head.reason, headers, body, requested, received, selecting
            )
            await self._keep(order, shareable(entry, self.rules.mode))

        return StoringAnswer(answer, store, self.rules.largest, how, self._budget)

    async def _keep(
        self, order: OriginRequest, entry: CacheEntry, instead: CacheEntry | None = None
    ) -> None:
        """Store an entry in place of the one that fits the same request."""
        key = key_of(order)
        gone = {entry.vary, instead.vary if instead else entry.vary}
        others = [other for other in await self.storage.get(key) if other.vary not in gone]
        await self.storage.put(key, (*others[1 - VARIANTS :], entry))

    async def _compare(self, order: OriginRequest, head: ResponseHead, requested: float) -> None:
        """A HEAD's reply freshens the stored GET or casts doubt on it (RFC 9111, 4.3.5)."""
        key = key_of(order)
        entries = await self.storage.get(key) if head.status == 200 else ()

        def compared(entry: CacheEntry) -> CacheEntry:
            if not fits(entry, order.headers):
                return entry
            if is_same(entry, head):
                fresh = freshened(entry, head, requested, self._clock())
                return shareable(fresh, self.rules.mode)
            return replace(entry, doubtful=True)

        if entries:
            await self.storage.put(key, tuple(map(compared, entries)))

    def _refresh(self, order: OriginRequest, entry: CacheEntry) -> None:
        """Validate in the background, once at a time for each address."""
        key = key_of(order)
        if key in self._refreshing or len(self._refreshing) >= MOST_REFRESHED:
            return
        headers = order.headers.without((*CONDITIONS, "range"))
        plain = replace(order, method="GET", headers=headers)
        task = asyncio.create_task(self._refreshed(plain, entry))
        self._refreshing[key] = task
        task.add_done_callback(lambda _: self._refreshing.pop(key, None))

    async def _refreshed(self, order: OriginRequest, entry: CacheEntry) -> None:
        """Ask for the entry anew. Where that fails, the next request finds it stale and asks."""
        with suppress(ProxyError):
            answer = await self._ask(order, RevalidateStored(ForwardToOrigin.STALE, entry))
            try:
                while isinstance(answer, StoringAnswer) and answer.storing:
                    await answer.read()
            finally:
                await answer.aclose()


def _not_stored() -> OriginResponse:
    """What who asks for nothing but the cache gets of an empty one (RFC 9111, 5.2.1.7)."""
    fields = Headers((("Content-Type", "text/plain"),))
    head = ResponseHead(504, "Gateway Timeout", cache_status(fields, "detail=only-if-cached"))
    return RevalidatedResponse(head, b"Not in the cache, and only the cache was asked.\n")
