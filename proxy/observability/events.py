"""What happened, as frozen values: the events, what emits them, who observes them, their log line.

Observers run off the data path: in the loop's next turn, and one that raises is ignored.
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest, OriginResponse, ResponseHead, Sender
from winnow.proxy.http.proxy_errors import ProxyError
from winnow.proxy.http.reasons import CACHE_NAME
from winnow.proxy.server.requests.exchange import Exchange

_LOG: Final = logging.getLogger("winnow.compose.observing")
_REQUESTS: Final = logging.getLogger("winnow.requests")
_OURS: Final = re.compile(rf"(?:^|, ){CACHE_NAME}; ([^,]*)\Z")


LIMITS: Final = {
    "connections": "server.connections is reached",
    "connections_per_client": "server.connections_per_client is reached by one address",
    "open_files": "a third of this process's open files are connections (raise LimitNOFILE)",
    "unasked_proxy_header": "a PROXY header from an address that server.trusted_proxies lacks",
    "proxy_header": "no PROXY header from one of server.trusted_proxies, and closed without 503",
}
LIMIT_LOG_SECONDS: Final = 60.0


class CacheConsulted(StrEnum):
    """What the cache of responses had for a request."""

    HIT = "hit"
    COLLAPSED = "collapsed"
    VALIDATED = "validated"
    MISS = "miss"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class RequestAnswered:
    """A request has been answered, or its client has left.

    ``action`` and ``reason`` as in the response's fields; ``action`` is ``own`` for our own pages,
    ``refused`` for our own errors, ``left`` where no response began (``status`` is then 0). Times
    in seconds, None where there was no such stage. ``sent``: bytes of the body as sent; ``came``:
    those of the page that was extracted, else 0. ``number``: the request's in log lines. ``trace``:
    its ``traceparent``, not from inside intercepted TLS.
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
    trace: str = ""


@dataclass(frozen=True, slots=True)
class OriginFetched:
    """An origin's response has been read, as far as it was wanted; bytes of its body."""

    status: int
    size: int


@dataclass(frozen=True, slots=True)
class OriginFailed:
    """An origin could not be reached or failed; ``kind`` is the error's reason token."""

    kind: str


@dataclass(frozen=True, slots=True)
class PageOpened:
    """A person has opened a page; ``owner`` is RequestHead.owner.

    ``at``: Unix time of the request; ``action``, ``reason`` and ``method`` (an extractor) as in
    the response's fields, ``action`` is ``failed`` where there was none. ``is_intercepted``: it
    came through intercepted TLS. ``is_whole``: ``url`` is the page's address, not its origin alone.
    ``by_reader``: the person clicked what is done with this page. ``words``: of the article.
    ``number``: the request's in log lines.
    """

    owner: str
    url: str
    is_intercepted: bool
    at: float
    action: str
    reason: str
    method: str
    purpose: str
    seconds: float
    is_whole: bool = True
    by_reader: bool = False
    words: int = 0
    number: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionRefused:
    """A client's connection was above a limit: ``connections``, ``connections_per_client`` or
    ``open_files`` (a third of the process's).
    """

    limit: str


Event = RequestAnswered | OriginFetched | OriginFailed | PageOpened | ConnectionRefused
Observer = Callable[[Event], None]


def ignore_event(_event: Event) -> None:
    """The Observer that does nothing."""


def answered(exchange: Exchange) -> RequestAnswered:
    """The event of a request whose handling has just ended."""
    fields = exchange.response_headers
    action = fields.get("winnow-action") or _unnamed(exchange.status)
    return RequestAnswered(
        method=exchange.head.method,
        status=exchange.status,
        action=action,
        reason=fields.get("winnow-reason") or action,
        cached=cached(fields),
        fetch=exchange.fetched,
        extract=exchange.extracted if action == "extracted" and exchange.page_size else None,
        total=time.perf_counter() - exchange.begun,
        sent=exchange.sent,
        came=exchange.page_size,
        number=exchange.number,
        trace="" if exchange.head.inside else exchange.head.headers.get("traceparent"),
    )


def _unnamed(status: int) -> str:
    if not status:
        return "left"
    return "own" if status < 400 else "refused"


def cached(headers: Headers) -> CacheConsulted:
    """What our own member of a response's Cache-Status says (RFC 9211)."""
    ours = _OURS.search(headers.joined("cache-status"))
    if not ours:
        return CacheConsulted.NONE
    if not ours[1].startswith("hit"):
        return CacheConsulted.MISS
    if "fwd-status=304" in ours[1]:
        return CacheConsulted.VALIDATED
    return CacheConsulted.COLLAPSED if "collapsed" in ours[1] else CacheConsulted.HIT


class Observers:
    """An Observer that passes events on to others in the loop's next turn."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._observers = tuple(observers)
        self._pending: list[Event] = []

    def __call__(self, event: Event) -> None:
        """Returns at once and never raises."""
        if not self._pending:
            asyncio.get_running_loop().call_soon(self._notify)
        self._pending.append(event)

    def _notify(self) -> None:
        events, self._pending = self._pending, []
        for event in events:
            for observer in self._observers:
                try:
                    observer(event)
                except Exception:  # noqa: BLE001 - an observer's fault must cost no response
                    _LOG.exception("An observer failed; the event is skipped.")


@dataclass(slots=True)
class LimitLog:
    """An Observer that logs, at most once a minute each, which limit of connections is reached."""

    clock: Callable[[], float] = time.monotonic
    _refused: Counter[str] = field(default_factory=Counter)
    _logged: dict[str, float] = field(default_factory=dict)

    def __call__(self, event: Event) -> None:
        if not isinstance(event, ConnectionRefused):
            return
        self._refused[event.limit] += 1
        if self.clock() >= self._logged.get(event.limit, -math.inf) + LIMIT_LOG_SECONDS:
            self._logged[event.limit] = self.clock()
            number = self._refused.pop(event.limit)
            _LOG.warning("%d connections refused: %s", number, LIMITS[event.limit])


@dataclass(slots=True)
class RequestLog:
    """An Observer that logs each request as a line; no address, query or client is in it."""

    enabled: bool = False

    def __call__(self, event: Event) -> None:
        if self.enabled and isinstance(event, OriginFailed):
            _REQUESTS.info("origin failed", extra={"kind": event.kind})
        elif self.enabled and isinstance(event, RequestAnswered):
            fields = {
                "request": event.number,
                "method": event.method,
                "status": event.status,
                "action": event.action,
                "reason": event.reason,
                "cache": str(event.cached),
                "seconds": round(event.total, 4),
                "bytes": event.sent,
            }
            _REQUESTS.info("answered", extra=fields)


class ObservedSender:
    """A Sender that emits events; right before the wire, so that only real fetches count."""

    def __init__(self, sender: Sender, observe: Observer) -> None:
        self._sender, self._observe = sender, observe

    async def send(self, order: OriginRequest) -> OriginResponse:
        """As the sender behind. Raises OriginFaultError."""
        try:
            response = await self._sender.send(order)
        except ProxyError as error:
            self._observe(OriginFailed(error.reason))
            raise
        # A 101 has no body: its connection is joined with the client's.
        return (
            response if response.head.status == 101 else ObservedResponse(response, self._observe)
        )

    async def aclose(self) -> None:
        await self._sender.aclose()


class ObservedResponse:
    """Counts the bytes of a response's body; emits one event when it is closed."""

    def __init__(self, response: OriginResponse, observe: Observer) -> None:
        self._response, self._observe = response, observe
        self.head: ResponseHead = response.head
        self.length: int | None = response.length
        self._size = 0
        self._open = True

    @property
    def trailers(self) -> Headers:
        """As the response's."""
        return self._response.trailers

    async def read(self) -> bytes:
        """As the response's. Raises OriginFaultError if cut short."""
        try:
            chunk = await self._response.read()
        except ProxyError as error:
            self._observe(OriginFailed(error.reason))
            raise
        self._size += len(chunk)
        return chunk

    async def aclose(self) -> None:
        if self._open:
            self._open = False
            self._observe(OriginFetched(self.head.status, self._size))
        await self._response.aclose()
