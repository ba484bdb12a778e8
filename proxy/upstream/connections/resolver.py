"""Addresses of names, cached; those that could not be resolved for a short time too."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cachetools import LRUCache, TTLCache

from winnow.proxy.access.requester import log_failure
from winnow.proxy.http.proxy_errors import OriginUnreachableError
from winnow.proxy.http.sentences import says
from winnow.proxy.upstream.connections.dns_client import DnsClient, only_system_knows
from winnow.proxy.upstream.connections.lookups import (
    THREADS,
    AddressInfo,
    Found,
    Lookups,
    system_lookups,
)

CACHED_NAMES = 4096
LEAST_SECONDS = 5.0
"""What is cached holds at least so long: a page asks for a hundred parts of one host."""
FAILED_SECONDS = 5.0
"""A name that could not be resolved is not looked up again for so long (RFC 9520, section 3.2)."""
STALE_SECONDS = 86400.0
"""An expired address is used for so long where no name server answers (RFC 8767, section 5)."""
STALE_AFTER = 1.8
"""Seconds that a new answer has, before the expired one is used."""
RECHECK_SECONDS = 30.0
"""After a failed try the expired one is used at once for so long."""


@dataclass(slots=True)
class _Cached:
    addresses: list[AddressInfo]
    expires: float
    failed: float = float("-inf")


class Resolver:
    """Addresses of names, for their TTL or ``seconds`` at most, in the order that the system gives.

    ``zones``: whose names are asked of the system, not by DNS (``only_system_knows``). ``seconds``
    of 0: each is looked up anew.
    """

    def __init__(
        self,
        seconds: float = 300,
        zones: Sequence[str] = (),
        lookups: Lookups | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds, self._zones, self._clock = seconds, zones, clock
        self._dns = DnsClient()
        self._queries = lookups or Lookups(self._dns)
        self._system = lookups or Lookups(system_lookups(), THREADS)
        self._cache: LRUCache[tuple[str, int], _Cached] = LRUCache(CACHED_NAMES)
        self._failed: TTLCache[str, OriginUnreachableError] = TTLCache(
            CACHED_NAMES, FAILED_SECONDS, timer=clock
        )

    async def addresses(self, host: str, port: int) -> list[AddressInfo]:
        """Raises OriginUnreachableError, and OriginTimeoutError where too many wait."""
        cached, now = self._cache.get((host, port)), self._clock()
        if cached is None or now >= cached.expires + STALE_SECONDS:
            return await self._looked_up(host, port)
        if now < cached.expires or now < cached.failed + RECHECK_SECONDS:
            return cached.addresses
        return await self._refreshed(host, port, cached)

    @property
    def running(self) -> int:
        """Lookups that run now."""
        return self._queries.running + self._system.running

    @property
    def waiting(self) -> int:
        """Lookups that wait for their turn, as their client has too many."""
        return self._queries.waiting + self._system.waiting

    async def aclose(self) -> None:
        """End the queries that run."""
        await self._dns.aclose()

    async def _refreshed(self, host: str, port: int, cached: _Cached) -> list[AddressInfo]:
        """The new addresses; the old ones where none come in time (RFC 8767, section 5)."""
        task = asyncio.create_task(self._looked_up(host, port))
        task.add_done_callback(log_failure)
        await asyncio.wait([task], timeout=STALE_AFTER)
        is_gone = (host, port) not in self._cache
        if task.done() and (is_gone or not task.exception()):
            return task.result()
        cached.failed = self._clock()
        return cached.addresses

    async def _looked_up(self, host: str, port: int) -> list[AddressInfo]:
        if failure := self._failed.get(host):
            raise OriginUnreachableError(failure.sentence, failure.proxy_status)
        of_system = only_system_knows(host, self._zones)
        try:
            found = await (self._system if of_system else self._queries)(host, port)
        except OSError as error:
            temporary = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
            if not temporary:
                self._cache.pop((host, port), None)
            raise self._failure(host, "dns_timeout" if temporary else "dns_error") from error
        return self._stored(host, port, found)

    def _stored(self, host: str, port: int, found: Found) -> list[AddressInfo]:
        if self._seconds:
            lifetime = self._seconds if found.seconds is None else found.seconds
            held = min(max(lifetime, LEAST_SECONDS), self._seconds)
            self._cache[host, port] = _Cached(found.addresses, self._clock() + held)
        return found.addresses

    def _failure(self, host: str, status: str) -> OriginUnreachableError:
        sentence = says("The name {host} could not be resolved.", host=host)
        failure = self._failed[host] = OriginUnreachableError(sentence, status)
        return failure
