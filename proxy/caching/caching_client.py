"""An HTTP client with a cache (RFC 9111) and request coalescing before another client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from winnow.proxy.caching.cache_entry import CacheEntry, invalidated_keys, key_of
from winnow.proxy.caching.coalescing import CoalescedFetches
from winnow.proxy.caching.conditions import CONDITIONS, has_validator, validating
from winnow.proxy.caching.freshness import (
    Decision,
    ForwardToOrigin,
    OnlyIfCachedMiss,
    RevalidateStored,
    UseStored,
    decide,
    may_stand_in,
)
from winnow.proxy.caching.memory_storage import ResponseStorage
from winnow.proxy.caching.partial_content import StoredParts, may_store_part
from winnow.proxy.caching.responses import (
    CONDITIONAL,
    PassedResponse,
    SpoolBudget,
    StoredResponse,
    StoringResponse,
    not_stored,
    released_on_failure,
)
from winnow.proxy.caching.revalidation import freshened, is_same
from winnow.proxy.caching.storing import StoreMode, may_store, shareable, stored_headers
from winnow.proxy.caching.vary import is_selected, selecting_fields
from winnow.proxy.http.messages import OriginRequest, OriginResponse, ResponseHead, Sender
from winnow.proxy.http.proxy_errors import OriginCertificateError, OriginFaultError, ProxyError

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
FAILURES: Final = frozenset({500, 502, 503, 504})
"""Statuses that count as errors for ``stale-if-error`` (RFC 5861, section 4)."""
MAX_UNCACHEABLE: Final = 4096
"""Keys whose last response could not be stored: their requests are not coalesced."""
MAX_REVALIDATIONS: Final = 64
"""Responses that are revalidated in the background at the same time."""
VARIANTS: Final = 8
"""Responses stored for one key, with different selecting fields (Vary)."""


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
    """Responds from ``storage`` where RFC 9111 allows, else from ``origin``."""

    def __init__(
        self,
        origin: Sender,
        storage: ResponseStorage,
        rules: CachingRules | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.origin, self.storage, self.rules = origin, storage, rules or CachingRules()
        self._clock = clock
        self._fetches = CoalescedFetches(self.rules.patience)
        self._budget = SpoolBudget(self.rules.spool)
        self._parts = StoredParts(storage, self.rules.mode, self.rules.largest, clock)
        self._revalidations: dict[str, asyncio.Task[None]] = {}
        self._uncacheable: dict[str, None] = {}

    async def send(self, request: OriginRequest) -> OriginResponse:
        """The stored or fetched response. Raises OriginFaultError."""
        if request.method not in ("GET", "HEAD") or request.upgrade or request.body is not None:
            return await self._forward(request)
        key = key_of(request)
        decision = await self._decide(key, request)
        if isinstance(decision, UseStored):
            return self._respond(request, decision)
        stale = decision.entry if isinstance(decision, RevalidateStored) else None
        if part := await self._parts.find(request, stale):
            return part
        if isinstance(decision, OnlyIfCachedMiss):
            return not_stored()
        if request.method == "GET" and CONDITIONAL.isdisjoint(request.headers.by_name):
            return await self._fetch_coalesced(key, request, decision)
        return await self._fetch(request, decision)

    async def settled(self) -> None:
        """Wait for the background revalidations."""
        await asyncio.gather(*self._revalidations.values(), return_exceptions=True)

    async def aclose(self) -> None:
        """Cancel background revalidations, close the storage and the client."""
        tasks = list(self._revalidations.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.storage.aclose()
        await self.origin.aclose()

    def _respond(
        self, request: OriginRequest, use: UseStored, status: str = "hit"
    ) -> OriginResponse:
        if use.refresh:
            self._start_revalidation(request, use.entry)
        return StoredResponse(request, use.entry, self._clock(), self.rules.mode, status)

    async def _forward(self, request: OriginRequest) -> OriginResponse:
        """Forward past the cache; a successful unsafe request invalidates (section 4.4)."""
        response = await self.origin.send(request)
        if request.method not in SAFE and response.head.status < 400:
            async with released_on_failure(response):
                for key in invalidated_keys(request, response.head.headers):
                    await self.storage.delete(key)
        return response

    async def _decide(self, key: str, request: OriginRequest) -> Decision:
        entries = await self.storage.get(key)
        return decide(entries, request.headers, self._clock(), self.rules.mode)

    async def _fetch_coalesced(
        self, key: str, request: OriginRequest, revalidation: RevalidateStored
    ) -> OriginResponse:
        """Fetch, or wait for an equal request's fetch and use the response that it stores.

        There is no waiting where the last response for the key could not be stored.
        """
        if key in self._uncacheable:
            return self._note_cacheability(key, await self._fetch(request, revalidation))
        while self._fetches.is_running(key):
            lost = await self._fetches.wait(key)
            again = await self._decide(key, request)
            if isinstance(again, UseStored):
                return self._respond(request, again, "hit; collapsed")
            revalidation = again if isinstance(again, RevalidateStored) else revalidation
            if not lost:
                return await self._fetch(request, revalidation)
        return await self._fetch_first(key, request, revalidation)

    async def _fetch_first(
        self, key: str, request: OriginRequest, revalidation: RevalidateStored
    ) -> OriginResponse:
        finish = self._fetches.start(key)
        try:
            response = await self._fetch(request, revalidation)
        except BaseException as error:
            finish(not isinstance(error, ProxyError))
            raise
        if isinstance(response, StoringResponse):
            response.on_done(finish)
            self._fetches.on_waiter(key, response.hurry)
        else:
            finish(False)
        return self._note_cacheability(key, response)

    def _note_cacheability(self, key: str, response: OriginResponse) -> OriginResponse:
        if isinstance(response, StoringResponse):
            self._uncacheable.pop(key, None)
        elif key not in self._uncacheable:
            self._uncacheable[key] = None
            if len(self._uncacheable) > MAX_UNCACHEABLE:
                del self._uncacheable[next(iter(self._uncacheable))]
        return response

    async def _fetch(
        self, request: OriginRequest, revalidation: RevalidateStored
    ) -> OriginResponse:
        """Send to the origin; a stored entry is validated, or used where the origin fails."""
        entry, requested, how = revalidation.entry, self._clock(), f"fwd={revalidation.why}"
        validates = request.method == "GET" and entry is not None and has_validator(entry)
        headers = validating(request.headers, entry) if entry and validates else request.headers
        try:
            sent = replace(request, headers=headers) if validates else request
            response = await self.origin.send(sent)
        except OriginCertificateError:  # the peer is not the origin that the entry is from
            raise
        except OriginFaultError:
            if entry and may_stand_in(entry, request.headers, requested, self.rules.mode, True):
                return self._respond(request, UseStored(entry), "hit; detail=origin-unreachable")
            raise
        if entry is None:
            return await self._fetched(request, response, requested, how)
        head = response.head
        if validates and head.status == 304:
            await response.aclose()
            return await self._validated(request, entry, head, requested, how)
        if head.status in FAILURES and may_stand_in(
            entry, request.headers, requested, self.rules.mode, False
        ):
            await response.aclose()
            return self._respond(request, UseStored(entry), f"hit; fwd-status={head.status}")
        return await self._fetched(request, response, requested, how)

    async def _validated(
        self,
        request: OriginRequest,
        entry: CacheEntry,
        head: ResponseHead,
        requested: float,
        how: str,
    ) -> OriginResponse:
        fresh = freshened(entry, head, requested, self._clock())
        fresh = replace(fresh, vary=selecting_fields(request.headers, fresh.headers))
        stored = shareable(fresh, self.rules.mode)
        if may_store(request.headers, stored.head(), self.rules.mode):
            await self._store(request, stored, instead=entry)
        return self._respond(request, UseStored(fresh), f"hit; {how}; fwd-status=304")

    async def _fetched(
        self, request: OriginRequest, response: OriginResponse, requested: float, how: str
    ) -> OriginResponse:
        """Pass on the origin's response and store it on the way where that is allowed."""
        received, head = self._clock(), response.head
        if request.method == "HEAD":
            async with released_on_failure(response):
                await self._compare(request, head, requested)
            return PassedResponse(response, how)
        mode = self.rules.mode
        storable = may_store(request.headers, head, mode) or may_store_part(request, head, mode)
        if not storable or (response.length or 0) > self.rules.largest:
            return PassedResponse(response, how)

        async def store(body: bytes) -> None:
            headers = stored_headers(head)
            selecting = selecting_fields(request.headers, headers)
            entry = CacheEntry(
                *(head.status, head.reason, headers, body, requested, received, selecting),
                version=head.version,
            )
            await self._store(request, shareable(entry, self.rules.mode))

        return StoringResponse(response, store, self.rules.largest, how, self._budget)

    async def _store(
        self, request: OriginRequest, entry: CacheEntry, instead: CacheEntry | None = None
    ) -> None:
        """Store an entry in place of the one with the same selecting fields."""
        if entry.status == 206:
            if (whole := await self._parts.add(request, entry)) is None:
                return
            entry = whole
        key = key_of(request)
        gone = {entry.vary, instead.vary if instead else entry.vary}
        others = [other for other in await self.storage.get(key) if other.vary not in gone]
        await self.storage.put(key, (*others[1 - VARIANTS :], entry))

    async def _compare(self, request: OriginRequest, head: ResponseHead, requested: float) -> None:
        """Freshen or invalidate the stored GET by a HEAD response (RFC 9111, 4.3.5)."""
        key = key_of(request)
        entries = await self.storage.get(key) if head.status == 200 else ()

        def compared(entry: CacheEntry) -> CacheEntry:
            if not is_selected(entry, request.headers):
                return entry
            if is_same(entry, head):
                fresh = freshened(entry, head, requested, self._clock())
                return shareable(fresh, self.rules.mode)
            return replace(entry, doubtful=True)

        if entries:
            await self.storage.put(key, tuple(map(compared, entries)))

    def _start_revalidation(self, request: OriginRequest, entry: CacheEntry) -> None:
        """Revalidate in the background, once at a time for each key."""
        key = key_of(request)
        if key in self._revalidations or len(self._revalidations) >= MAX_REVALIDATIONS:
            return
        headers = request.headers.without((*CONDITIONS, "range"))
        plain = replace(request, method="GET", headers=headers, interim=None)
        task = asyncio.create_task(self._revalidate(plain, entry))
        self._revalidations[key] = task
        task.add_done_callback(lambda _: self._revalidations.pop(key, None))

    async def _revalidate(self, request: OriginRequest, entry: CacheEntry) -> None:
        """Fetch the entry again; after a failure the next request finds it stale."""
        with suppress(ProxyError):
            response = await self._fetch(request, RevalidateStored(ForwardToOrigin.STALE, entry))
            try:
                while isinstance(response, StoringResponse) and response.storing:
                    await response.read()
            finally:
                await response.aclose()
