"""A client that remembers: the same ``send`` as the one it stands before, with RFC 9111 between.

Knows when to ask; whether and what is decided by the pure modules beside it. One storage, one
process; equal requests at the same time become one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import urljoin

from proxy.caching.answers import KeptAnswer, PassingAnswer, StoringAnswer, shown
from proxy.caching.conditions import CONDITIONS, has_validator, validating
from proxy.caching.entry import Entry
from proxy.caching.reuse import Ask, Forward, Use, decide, may_stand_in
from proxy.caching.storage import Storage
from proxy.caching.storing import Mode, freshened, is_same, may_store, stored_headers, varied
from proxy.errors import ClientFaultError, OriginFaultError
from proxy.headers import Headers
from proxy.upstream.client import Answer, Order, Sender
from proxy.upstream.connect import anywhere
from proxy.upstream.origins import parse_url
from proxy.upstream.replies import ReplyHead

SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
FAILURES: Final = frozenset({500, 502, 503, 504})
"""Statuses that count as errors for ``stale-if-error`` (RFC 5861, section 4)."""
PATIENCE: Final = 10.0
"""Seconds that a request waits at most for an equal one before it goes itself."""
VARIANTS: Final = 8
"""Replies kept of one address that differ by Vary."""


@dataclass(frozen=True, slots=True)
class Rules:
    """``largest``: bytes of a body that is stored at most."""

    mode: Mode = field(default_factory=Mode)
    largest: int = 4 * 1024 * 1024


class CachingClient:
    """Answers from ``storage`` what may be answered so; everything else from ``origin``."""

    def __init__(
        self,
        origin: Sender,
        storage: Storage,
        rules: Rules | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.origin, self.storage, self.rules = origin, storage, rules or Rules()
        self._clock = clock
        self._flights: dict[str, asyncio.Event] = {}
        self._refreshing: dict[str, asyncio.Task[None]] = {}

    async def send(self, order: Order) -> Answer:
        """The reply, stored or fetched. Raises OriginFaultError where neither can be had."""
        if order.method not in ("GET", "HEAD") or order.upgrade or order.body is not None:
            answer = await self.origin.send(order)
            if order.method not in SAFE and answer.head.status < 400:
                await self._invalidate(order, answer.head.headers)
            return answer
        entries = await self.storage.get(key_of(order))
        decision = decide(entries, order.headers, self._clock(), self.rules.mode)
        if isinstance(decision, Use):
            return self._used(order, decision)
        if not isinstance(decision, Ask):
            head = ReplyHead(504, "Gateway Timeout", Headers((("Content-Type", "text/plain"),)))
            return KeptAnswer(head, b"Not in the cache, and only the cache was asked.\n")
        if order.method == "GET" and not _has_conditions(order.headers):
            return await self._ask_once(order, decision)
        return await self._ask(order, decision)

    async def aclose(self) -> None:
        """End what still refreshes in the background, then the storage and the client behind."""
        tasks = list(self._refreshing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.storage.aclose()
        await self.origin.aclose()

    def _used(self, order: Order, use: Use, status: str = "hit") -> Answer:
        if use.refresh:
            self._refresh(order, use.entry)
        return shown(order, use.entry, self._clock(), self.rules.mode, status)

    async def _ask_once(self, order: Order, ask: Ask) -> Answer:
        """Fetch, unless an equal request does so already: then wait for what it stores."""
        key = key_of(order)
        flight = self._flights.get(key)
        if flight is None:
            return await self._lead(key, order, ask)
        try:
            async with asyncio.timeout(PATIENCE):
                await flight.wait()
        except TimeoutError:
            return await self._ask(order, ask)
        entries = await self.storage.get(key)
        again = decide(entries, order.headers, self._clock(), self.rules.mode)
        if isinstance(again, Use):
            return self._used(order, again, "hit; collapsed")
        return await self._ask(order, ask)

    async def _lead(self, key: str, order: Order, ask: Ask) -> Answer:
        flight = self._flights[key] = asyncio.Event()

        def landed() -> None:
            self._flights.pop(key, None)
            flight.set()

        try:
            answer = await self._ask(order, ask)
        except BaseException:
            landed()
            raise
        if isinstance(answer, StoringAnswer):
            answer.when_done(landed)
        else:
            landed()
        return answer

    async def _ask(self, order: Order, ask: Ask) -> Answer:
        """Ask the origin; a stored entry is validated, or stands in where the origin fails."""
        entry, requested = ask.entry, self._clock()
        validates = order.method == "GET" and entry is not None and has_validator(entry)
        headers = validating(order.headers, entry) if entry and validates else order.headers
        try:
            answer = await self.origin.send(replace(order, headers=headers))
        except OriginFaultError:
            if entry and may_stand_in(entry, order.headers, requested, self.rules.mode, True):
                return self._used(order, Use(entry), "hit; detail=origin-unreachable")
            raise
        if entry is None:
            return await self._fetched(order, answer, requested, f"fwd={ask.why}")
        if validates and answer.head.status == 304:
            await answer.aclose()
            return await self._validated(order, entry, answer.head, requested, str(ask.why))
        if answer.head.status in FAILURES and may_stand_in(
            entry, order.headers, requested, self.rules.mode, False
        ):
            await answer.aclose()
            return self._used(order, Use(entry), f"hit; fwd-status={answer.head.status}")
        return await self._fetched(order, answer, requested, f"fwd={ask.why}")

    async def _validated(
        self, order: Order, entry: Entry, head: ReplyHead, requested: float, why: str
    ) -> Answer:
        fresh = freshened(entry, head, requested, self._clock())
        await self._keep(order, fresh)
        return self._used(order, Use(fresh), f"hit; fwd={why}; fwd-status=304")

    async def _fetched(self, order: Order, answer: Answer, requested: float, how: str) -> Answer:
        """Pass on what the origin sent, storing it on the way where that is allowed."""
        received, head = self._clock(), answer.head
        if order.method == "HEAD":
            await self._compare(order, head, requested)
            return answer
        storable = may_store(order.headers, head, self.rules.mode)
        if not storable or (answer.length or 0) > self.rules.largest:
            return PassingAnswer(answer, how)

        async def store(body: bytes) -> None:
            headers = stored_headers(head)
            selecting = varied(order.headers, headers)
            entry = Entry(head.status, head.reason, headers, body, requested, received, selecting)
            await self._keep(order, entry)

        return StoringAnswer(answer, store, self.rules.largest, how)

    async def _keep(self, order: Order, entry: Entry) -> None:
        """Store an entry in place of the one that fits the same request."""
        key = key_of(order)
        others = [other for other in await self.storage.get(key) if other.vary != entry.vary]
        await self.storage.put(key, (*others[1 - VARIANTS :], entry))

    async def _compare(self, order: Order, head: ReplyHead, requested: float) -> None:
        """A HEAD's reply freshens the stored GET or casts doubt on it (RFC 9111, 4.3.5)."""
        if head.status != 200:
            return
        key = key_of(order)
        entries = await self.storage.get(key)
        changed = tuple(
            freshened(entry, head, requested, self._clock())
            if is_same(entry, head)
            else replace(entry, doubtful=True)
            for entry in entries
        )
        if changed:
            await self.storage.put(key, changed)

    async def _invalidate(self, order: Order, headers: Headers) -> None:
        """An unsafe request that went well makes what is stored unsure (RFC 9111, section 4.4)."""
        here = order.target
        urls = {here.url}
        for name in ("location", "content-location"):
            if name in headers:
                urls.add(urljoin(here.url, headers.get(name)))
        for url in urls:
            try:
                target = parse_url(url)
            except ClientFaultError:  # not an address that could be stored
                continue
            if target.origin == here.origin:
                for key in _keys(target.url):
                    await self.storage.delete(key)

    def _refresh(self, order: Order, entry: Entry) -> None:
        """Validate in the background, once at a time for each address."""
        key = key_of(order)
        if key in self._refreshing:
            return
        headers = order.headers.without((*CONDITIONS, "range"))
        plain = replace(order, method="GET", headers=headers)
        task = asyncio.create_task(self._refreshed(plain, entry))
        self._refreshing[key] = task
        task.add_done_callback(lambda _: self._refreshing.pop(key, None))

    async def _refreshed(self, order: Order, entry: Entry) -> None:
        try:
            answer = await self._ask(order, Ask(Forward.STALE, entry))
        except OriginFaultError:  # the next request finds the entry stale and asks again
            return
        try:
            while await answer.read():
                pass
        except OriginFaultError:
            return
        finally:
            await answer.aclose()


def key_of(order: Order) -> str:
    """The address; what only this machine's own clients may reach is kept apart from the rest."""
    return _keys(order.target.url)[order.permit is anywhere]


def _keys(url: str) -> tuple[str, str]:
    return url, f"{url} (local)"


def _has_conditions(headers: Headers) -> bool:
    return any(name in headers for name in (*CONDITIONS, "range"))
