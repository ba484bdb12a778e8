"""Keeps a number of worker processes answering on one port; knows no request and no setting.

Each worker accepts from sockets of its own at the same port (SO_REUSEPORT), which stay open here
too: while a worker is being replaced, the others accept what the kernel put into its queue.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from winnow.proxy.cluster.backoff import Backoff
from winnow.proxy.cluster.bus import MessageLine
from winnow.proxy.cluster.channel import Channel, Message, pair
from winnow.proxy.cluster.hub import Hub, Member, Sum
from winnow.proxy.server.listener import bound, probe

_LOG = logging.getLogger("winnow.workers")
START_SECONDS: Final = 120.0


class WorkerNotStartedError(Exception):
    """A worker could not begin; the message is its own."""


@dataclass(frozen=True)
class SupervisorPlan:
    """``command`` starts a worker that finds its side of the channel at the number put behind.

    ``job`` is what worker ``n`` of so many is to do; ``grace``: seconds to finish requests.
    """

    command: Sequence[str]
    job: Callable[[int, int], Any]
    sum_of: Sum
    host: str = "127.0.0.1"
    port: int = 0
    grace: float = 10.0


@dataclass(eq=False)
class WorkerSlot:
    """One worker's place: its sockets last, the processes in it come and go."""

    number: int
    sockets: list[socket.socket]
    backoff: Backoff = field(default_factory=Backoff)
    process: asyncio.subprocess.Process | None = None
    channel: Channel | None = None
    line: MessageLine | None = None
    ready: bool = False
    stopping: bool = False
    begun: asyncio.Future[str] | None = None
    keeping: asyncio.Task[None] | None = None

    @property
    def files(self) -> list[int]:
        return [each.fileno() for each in self.sockets]


class Supervisor:
    """``start`` them, ``resize`` their number, ``ask`` all of them, ``stop`` them."""

    def __init__(self, plan: SupervisorPlan) -> None:
        self.plan = plan
        self.hub = Hub(plan.sum_of)
        self.restarts = 0
        self.port = plan.port
        self._wanted = 1
        self._places: dict[int, WorkerSlot] = {}

    @property
    def pids(self) -> list[int]:
        """The workers that are ready."""
        found = (place.process for place in self._places.values() if place.ready)
        return [process.pid for process in found if process]

    async def start(self, workers: int) -> None:
        """Return once all are ready. Raises OSError or WorkerNotStartedError."""
        if self.port:
            probe(self.plan.host, self.port)  # a stranger who shares ports would get half of all
        await self.resize(workers)

    async def resize(self, workers: int) -> None:
        """Start or end workers; the first starts alone, so that an error is reported once."""
        self._wanted = workers
        while len(self._places) > workers:
            await self._end(self._places.pop(max(self._places)))
        fresh = range(len(self._places), workers)
        if 0 in fresh:
            await self._begin(0)
        others = [self._begin(number) for number in fresh if number]
        await asyncio.gather(*others)

    async def reload(self, workers: int) -> list[str]:
        """Have all read their settings again; what each says that is wrong, or ""."""
        asked = (place.line for place in self._places.values() if place.line and place.ready)
        tried = [line.ask("reload", workers, START_SECONDS) for line in asked]
        answers = await asyncio.gather(*tried, return_exceptions=True)
        return ["" if answer is None else str(answer) for answer in answers]

    async def stop(self) -> None:
        """Accept nothing more, let each finish its requests, and wait until all are gone."""
        places, self._places = list(self._places.values()), {}
        await asyncio.gather(*(self._end(place) for place in places))

    async def _begin(self, number: int) -> None:
        sockets = bound(self.plan.host, self.port, shared=True)
        self.port = sockets[0].getsockname()[1]
        place = self._places[number] = WorkerSlot(number, sockets)
        place.begun = asyncio.get_running_loop().create_future()
        place.keeping = asyncio.create_task(self._keep(place))
        async with asyncio.timeout(START_SECONDS):
            failure = await place.begun
        if failure:
            raise WorkerNotStartedError(failure)

    async def _end(self, place: WorkerSlot) -> None:
        place.stopping = True
        for each in place.sockets:  # or what connects from now on would wait where nobody accepts
            each.close()
        if place.channel:
            place.channel.send({"do": "stop"})
        if place.process:
            await _ended(place.process, self.plan.grace + 5)
        if place.keeping:
            place.keeping.cancel()
            await asyncio.gather(place.keeping, return_exceptions=True)

    async def _keep(self, place: WorkerSlot) -> None:
        """Run one process after the other in a place, until it is given up."""
        while not place.stopping:
            begun = time.monotonic()
            await self._run(place)
            if place.begun and not place.begun.done():
                place.begun.set_result("A worker ended while it started.")
                return
            if place.stopping:
                return
            place.backoff = place.backoff.after(time.monotonic() - begun)
            self.restarts += 1
            wait = place.backoff.wait
            _LOG.warning("Worker %d ended; a new one starts in %.1f s.", place.number, wait)
            await asyncio.sleep(wait)

    async def _run(self, place: WorkerSlot) -> None:
        """One process from its start to its end."""
        ours, theirs = pair()
        with theirs:
            command = (*self.plan.command, str(theirs.fileno()))
            process = await asyncio.create_subprocess_exec(*command, pass_fds=[theirs.fileno()])
        place.process = process

        def on_message(message: Message, files: list[int]) -> None:
            for each in files:
                os.close(each)
            if not line.take(message):
                self._on_message(place, member, message)

        channel = place.channel = Channel(ours, on_message, lambda: None)
        line = place.line = MessageLine(channel.send)
        line.subscribe(
            "supervisor", lambda _: {"workers": len(self.pids), "restarts": self.restarts}
        )
        member = self.hub.join(line)
        job = self.plan.job(place.number, self._wanted)
        channel.send({"do": "serve", "job": job}, place.files)
        try:
            await process.wait()
        finally:
            place.ready, place.channel, place.line = False, None, None
            channel.close()
            self.hub.leave(member)
            self._tell_others(place, {"do": "adopt", "number": place.number}, place.files)

    def _on_message(self, place: WorkerSlot, member: Member, message: Message) -> None:
        if message["do"] == "figures":
            member.figures = message["payload"]
            return
        failure = str(message.get("failure", ""))
        if not failure:
            place.ready = True
            self._tell_others(place, {"do": "release", "number": place.number})
        if place.begun and not place.begun.done():
            place.begun.set_result(failure)

    def _tell_others(self, place: WorkerSlot, message: Message, files: Sequence[int] = ()) -> None:
        if place.stopping:
            return
        for other in self._places.values():
            if other is not place and other.ready and other.channel:
                other.channel.send(message, files)


async def _ended(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Wait for its end so long, then kill it."""
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
