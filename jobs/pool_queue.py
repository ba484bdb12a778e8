"""Which waiting job gets the next free worker: workers are shared fairly between clients.

Bookkeeping alone: it reads no clock (the caller passes the time, in seconds) and awaits nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from typing import Generic, TypeVar

from winnow.jobs.job_types import PoolBusyError

J = TypeVar("J")


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """``workers`` that run jobs; at most ``total`` jobs wait, of one client at most ``each``.

    For ``reserve_seconds`` after another client had a job, no client gets the last free worker.
    """

    workers: int = 2
    total: int = 64
    each: int = 32
    reserve_seconds: float = 60.0


class FairQueue(Generic[J]):
    """Jobs that wait, by client, and how many workers each client holds.

    The next job is one of the client that holds the fewest workers; among equals, of the one that
    was served longest ago (fair queueing, RFC 970).
    """

    def __init__(self, limits: QueueLimits) -> None:
        self._limits = limits
        self._waiting: dict[str, deque[J]] = {}
        self._held: Counter[str] = Counter()
        self._latest: dict[str, float] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def put(self, client: str, job: J, now: float) -> J | None:
        """Add a job. Returns the job that lost its place to it, if one did.

        Where no more jobs may wait, the newest job of the client with the most of them goes, unless
        that is this client. Raises PoolBusyError if the job itself may not wait.
        """
        self._saw(client, now)
        own = self._waiting.get(client, ())
        if len(own) >= self._limits.each:
            raise PoolBusyError("Too many of your pages are waiting already.")
        displaced = None
        if len(self) >= self._limits.total:
            longest = max(self._waiting, key=lambda each: len(self._waiting[each]), default=client)
            if len(self._waiting.get(longest, ())) <= len(own) + 1:
                raise PoolBusyError("Too many pages are waiting already.")
            displaced = self._waiting[longest].pop()
        self._waiting.setdefault(client, deque()).append(job)
        return displaced

    def take(self, now: float) -> tuple[str, J] | None:
        """The next job and its client, which holds one worker more from now on."""
        entitled = [each for each in self._waiting if self._held[each] < self._most(each, now)]
        if not entitled:
            return None
        client = min(entitled, key=self._held.__getitem__)
        jobs = self._waiting.pop(client)
        job = jobs.popleft()
        if jobs:
            self._waiting[client] = jobs  # behind all others
        self._held[client] += 1
        return client, job

    def give_back(self, client: str) -> None:
        """A client holds one worker less."""
        self._held[client] -= 1
        if self._held[client] <= 0:
            del self._held[client]

    def remove(self, client: str, job: J) -> None:
        """A job waits no longer; one that does not wait is no error."""
        jobs = self._waiting.get(client)
        if jobs and job in jobs:
            jobs.remove(job)
            if not jobs:
                del self._waiting[client]

    def clear(self) -> list[J]:
        """All jobs that waited."""
        jobs = [job for each in self._waiting.values() for job in each]
        self._waiting.clear()
        return jobs

    @property
    def is_shut_out(self) -> bool:
        """Whether a client waits without any worker while another holds all of them."""
        all_held = any(held >= self._limits.workers for held in self._held.values())
        return all_held and any(not self._held[client] for client in self._waiting)

    def _saw(self, client: str, now: float) -> None:
        """Remember the two clients that came last: one of them is another than any client."""
        self._latest.pop(client, None)
        self._latest[client] = now
        while len(self._latest) > 2:
            del self._latest[next(iter(self._latest))]

    def _most(self, client: str, now: float) -> int:
        """How many workers a client may hold now."""
        since = now - self._limits.reserve_seconds
        contended = any(each != client and at > since for each, at in self._latest.items())
        return max(1, self._limits.workers - contended)
