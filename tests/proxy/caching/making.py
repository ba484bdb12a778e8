"""Requests, replies and an origin made for the tests of the cache; times are seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from email.utils import formatdate

from winnow.proxy.caching.cache_entry import CacheEntry
from winnow.proxy.caching.caching_client import CachingClient, CachingRules
from winnow.proxy.caching.memory_storage import MemoryStorage, ResponseStorage
from winnow.proxy.caching.storing import StoreMode, stored_headers
from winnow.proxy.caching.vary import selecting_fields
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, OriginResponse, Permit, ResponseHead, anywhere
from winnow.proxy.http.proxy_errors import MalformedResponseError, OriginFaultError
from winnow.proxy.http.request_target import parse_url

SHARED, PRIVATE = StoreMode(shared=True), StoreMode(shared=False)
HOUSEHOLD = StoreMode(shared=True, household=True)
NOW = 1_800_000_000.0
URL = "http://origin.test/page"


def http_date(offset: float = 0) -> str:
    """An HTTP date ``offset`` seconds after NOW."""
    return formatdate(NOW + offset, usegmt=True)


def fields(*lines: str) -> Headers:
    """Fields from lines such as ``Vary: Accept``."""
    pairs = (line.partition(":") for line in lines)
    return Headers(tuple((name, value.strip()) for name, _, value in pairs))


def reply(*lines: str, status: int = 200) -> ResponseHead:
    return ResponseHead(status, "Made", fields(*lines))


def entry(
    *lines: str, status: int = 200, body: bytes = b"0123456789", age: float = 0
) -> CacheEntry:
    """What was stored ``age`` seconds before NOW, made by the origin at that time."""
    made = NOW - age
    dated = (
        ()
        if any(line.lower().startswith("date:") for line in lines)
        else (f"Date: {formatdate(made, usegmt=True)}",)
    )
    return CacheEntry(status, "Made", fields(*dated, *lines), body, made, made)


def selected(stored: CacheEntry, *request: str) -> CacheEntry:
    """The entry as it is stored for a request with these fields."""
    return replace(stored, vary=selecting_fields(fields(*request), stored_headers(stored.head())))


class Clock:
    """Tells the time that the test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@dataclass
class MadeReply:
    """A reply in pieces; ``gate`` is waited for before the last piece, ``cut`` breaks off there."""

    head: ResponseHead
    pieces: tuple[bytes, ...] = (b"body",)
    reported: bool = True
    gate: asyncio.Event | None = None
    cut: bool = False
    closed: bool = False
    _at: int = 0

    @property
    def length(self) -> int | None:
        return sum(map(len, self.pieces)) if self.reported else None

    @property
    def trailers(self) -> Headers:
        return Headers()

    async def read(self) -> bytes:
        if self._at == len(self.pieces):
            return b""
        if self._at == len(self.pieces) - 1:
            if self.gate:
                await self.gate.wait()
            if self.cut:
                raise MalformedResponseError("cut short")
        self._at += 1
        return self.pieces[self._at - 1]

    @property
    def pieces_read(self) -> int:
        return self._at

    async def aclose(self) -> None:
        self.closed = True


@dataclass
class MadeOrigin:
    """Answers with what the test put last; remembers what it was asked.

    ``held``: where given, no request is answered before it is set.
    """

    answer: Callable[[OriginRequest], MadeReply] = lambda _: MadeReply(reply())
    orders: list[OriginRequest] = field(default_factory=list)
    replies: list[MadeReply] = field(default_factory=list)
    failure: Exception | None = None
    held: asyncio.Event | None = None
    requested: asyncio.Event = field(default_factory=asyncio.Event)
    closed: bool = False

    def says(self, *lines: str, status: int = 200, body: bytes = b"body") -> None:
        """From now on every request gets this; Date is when it is asked."""
        self.answer = lambda _: MadeReply(reply(*lines, status=status), (body,) if body else ())
        self.failure = None

    def fails(self, failure: Exception | None = None) -> None:
        """From now on it cannot be reached."""
        self.failure = failure or OriginFaultError("made to fail")

    async def asked_by(self, many: int) -> None:
        """Wait until so many requests have come in all."""
        while len(self.orders) < many:
            self.requested.clear()
            await self.requested.wait()

    async def send(self, order: OriginRequest) -> OriginResponse:
        self.orders.append(order)
        self.requested.set()
        if self.held:
            await self.held.wait()
        if self.failure:
            raise self.failure
        made = self.answer(order)
        self.replies.append(made)
        return made

    async def aclose(self) -> None:
        self.closed = True


def order(
    *lines: str, method: str = "GET", url: str = URL, permit: Permit = anywhere
) -> OriginRequest:
    return OriginRequest(method, parse_url(url), fields(*lines), None, permit)


@dataclass(frozen=True)
class Got:
    """An answer read whole."""

    head: ResponseHead
    body: bytes

    @property
    def status(self) -> int:
        return self.head.status

    @property
    def cache(self) -> str:
        """What our own member of Cache-Status says."""
        return self.head.headers.joined("cache-status").rpartition("Winnow; ")[2]

    @property
    def is_hit(self) -> bool:
        return self.cache.split(";")[0] == "hit"


async def whole(answer: OriginResponse) -> Got:
    """Read an answer as a client does, and close it."""
    try:
        pieces: list[bytes] = []
        while piece := await answer.read():
            pieces.append(piece)
        return Got(answer.head, b"".join(pieces))
    finally:
        await answer.aclose()


@dataclass
class Bench:
    """A cache before a made origin, with a clock that the test moves."""

    origin: MadeOrigin
    clock: Clock
    client: CachingClient

    async def get(self, *lines: str, method: str = "GET", url: str = URL) -> Got:
        return await whole(await self.client.send(order(*lines, method=method, url=url)))

    async def all(self, requests: Iterable[OriginRequest]) -> list[Got]:
        """Send requests at the same time."""

        async def one(request: OriginRequest) -> Got:
            return await whole(await self.client.send(request))

        return await asyncio.gather(*map(one, requests))

    @property
    def fetches(self) -> int:
        """How often the origin was asked."""
        return len(self.origin.orders)


def bench(rules: CachingRules | None = None, storage: ResponseStorage | None = None) -> Bench:
    origin, clock = MadeOrigin(), Clock()
    saved = storage or MemoryStorage(1 << 20)
    return Bench(origin, clock, CachingClient(origin, saved, rules, clock))
