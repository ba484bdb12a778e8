"""Lookups of host names, with a fair share for each client and each zone.

Names whose servers do not answer would else take the place of all others.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from winnow.document.addresses import registrable_domain
from winnow.proxy.access.requester import REQUESTER, log_failure
from winnow.proxy.http.proxy_errors import OriginTimeoutError
from winnow.proxy.http.sentences import says

AddressInfo = tuple[int, int, int, str, Any]


class Found(NamedTuple):
    """A name's addresses, and the seconds that they hold (TTL); None where nobody says."""

    addresses: list[AddressInfo]
    seconds: float | None = None


Lookup = Callable[[str, int], Awaitable[Found]]
"""Raises OSError; as ``socket.gaierror`` EAI_AGAIN where another try may succeed."""


@dataclass(frozen=True, slots=True)
class LookupLimits:
    """How many lookups run at the same time.

    ``reserved``: of ``running``, for the first ``first`` of a client none of whose names is slow.
    ``quick``: one client's that have not yet taken ``slow_after`` seconds (names that exist take
    a tenth of that). ``slow``: from so many of a client's that have on, ``probes`` at a time are
    tried, the newest first. ``zone``: so many of one registrable domain count, and from then
    on only further names of that zone are tried so.
    ``names``: one client's at once, those included that wait, for at most ``wait_seconds``.
    """

    running: int = 1024
    reserved: int = 256
    first: int = 8
    quick: int = 64
    slow: int = 96
    zone: int = 32
    probes: int = 8
    slow_after: float = 1.0
    names: int = 512
    wait_seconds: float = 10.0


QUERIES: Final = LookupLimits()
"""A query by DNS holds some kilobytes and a socket that all share."""
THREADS: Final = LookupLimits(
    running=256, reserved=64, first=4, quick=16, slow=24, zone=24, probes=2, names=128
)
"""A lookup by the system holds a thread, of some 20 kB while it waits."""


def system_lookups(threads: int = THREADS.running) -> Lookup:
    """Those of ``getaddrinfo``, in threads of their own: the event loop's few would be blocked."""
    executor = ThreadPoolExecutor(threads, thread_name_prefix="winnow-dns")

    def blocking(host: str, port: int) -> Found:
        try:
            return Found(list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))
        except UnicodeError as error:  # a label that is no name's
            raise socket.gaierror(socket.EAI_NONAME, str(error)) from error

    async def found(host: str, port: int) -> Found:
        return await asyncio.get_running_loop().run_in_executor(executor, blocking, host, port)

    return found


@dataclass(slots=True)
class _Share:
    """One client's lookups: those that run, by whether they are slow, and those that wait."""

    tasks: int = 0
    quick: int = 0
    slow: int = 0
    slow_by_zone: Counter[str] = field(default_factory=Counter)
    waiting: list[tuple[str, asyncio.Future[None]]] = field(default_factory=list)

    @property
    def running(self) -> int:
        return self.quick + self.slow

    def count_slow(self, host: str, by: int) -> None:
        self.slow += by
        self.slow_by_zone[registrable_domain(host)] += by

    def slow_in_zone(self, host: str) -> int:
        """Slow ones of the host's zone; the list of zones is not read where there is none."""
        return self.slow_by_zone[registrable_domain(host)] if self.slow else 0


class Lookups:
    """Concurrent lookups of one name are one."""

    def __init__(self, lookup: Lookup, limits: LookupLimits = QUERIES) -> None:
        self._lookup, self._limits = lookup, limits
        self._tasks: dict[tuple[str, int], asyncio.Task[Found]] = {}
        self._shares: dict[str, _Share] = {}

    @property
    def running(self) -> int:
        """Lookups that run now."""
        return sum(share.running for share in self._shares.values())

    @property
    def waiting(self) -> int:
        """Lookups that wait for their turn."""
        return sum(len(share.waiting) for share in self._shares.values())

    async def __call__(self, host: str, port: int) -> Found:
        """Raises as the lookup does, and OriginTimeoutError where too many of a client wait."""
        task = self._tasks.get((host, port)) or self._start(host, port, REQUESTER.get().client)
        return await asyncio.shield(task)

    def _start(self, host: str, port: int, client: str) -> asyncio.Task[Found]:
        share = self._shares.setdefault(client, _Share())
        if share.tasks >= self._limits.names:
            raise _too_many()
        share.tasks += 1

        def ended(task: asyncio.Task[Found]) -> None:
            del self._tasks[host, port]
            share.tasks -= 1
            if not share.tasks:
                del self._shares[client]
            self._hand_out()
            if not task.cancelled() and not isinstance(task.exception(), OSError):
                log_failure(task)

        task = self._tasks[host, port] = asyncio.create_task(self._found(host, port, share))
        task.add_done_callback(ended)
        return task

    async def _found(self, host: str, port: int, share: _Share) -> Found:
        is_slow = False
        await self._turn(share, host)

        def age() -> None:
            nonlocal is_slow
            is_slow = True
            share.quick -= 1
            share.count_slow(host, 1)
            self._hand_out()

        ageing = asyncio.get_running_loop().call_later(self._limits.slow_after, age)
        try:
            return await self._lookup(host, port)
        finally:
            ageing.cancel()
            share.quick -= not is_slow
            if is_slow:
                share.count_slow(host, -1)

    async def _turn(self, share: _Share, host: str) -> None:
        """Wait until a client may look one more up; it then counts. Raises OriginTimeoutError."""
        if share.quick < self._most_of(host, share, self._most(share)):
            share.quick += 1
            return
        turn = asyncio.get_running_loop().create_future()
        share.waiting.append((host, turn))
        await asyncio.wait([turn], timeout=self._limits.wait_seconds)
        if not turn.done():
            share.waiting.remove((host, turn))
            raise _too_many()

    def _hand_out(self) -> None:
        """Give turns, the newest first, one a client in each round."""
        waiting = [share for share in self._shares.values() if share.waiting]
        while waiting := [share for share in waiting if self._give_one(share)]:
            pass

    def _give_one(self, share: _Share) -> bool:
        most = self._most(share)
        for host, turn in reversed(share.waiting):
            if share.quick < self._most_of(host, share, most):
                share.quick += 1
                share.waiting.remove((host, turn))
                turn.set_result(None)
                return True
            if share.quick >= most:
                break
        return False

    def _most_of(self, host: str, share: _Share, most: int) -> int:
        """How many of a client's lookups may be quick ones before one more of a zone starts."""
        is_dead = share.slow_in_zone(host) >= self._limits.zone
        return min(most, self._limits.probes) if is_dead else most

    def _most(self, share: _Share) -> int:
        """How many of a client's lookups may be quick ones before one more starts."""
        limits, shares = self._limits, self._shares.values()
        free = limits.running - sum(each.running for each in shares)
        if not share.slow:
            reserved = limits.reserved if share.quick >= limits.first else 0
            return limits.quick if free > reserved else 0
        fair = (limits.running - limits.reserved) // sum(each.slow > 0 for each in shares)
        if free <= limits.reserved or share.running >= fair:
            return 0
        slow = sum(min(number, limits.zone) for number in share.slow_by_zone.values())
        return limits.quick if slow < min(limits.slow, fair // 2) else limits.probes


def _too_many() -> OriginTimeoutError:
    return OriginTimeoutError(says("Too many names are being looked up for you already."))
