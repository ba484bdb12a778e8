"""Runs server processes that answer on one port, and starts one again after it has ended.

Each process accepts from its own sockets at the port (SO_REUSEPORT). They stay open here too: while
a process is replaced, the others accept the connections in its queue.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from winnow.jobs.backoff import Backoff
from winnow.proxy.access.credentials.withdrawal import Admits
from winnow.proxy.cluster.bus import Hub, Member, MessageLine, Sum
from winnow.proxy.cluster.channel import Channel, Message, pair
from winnow.proxy.server.sockets import bind_sockets, check_free

_LOG = logging.getLogger("winnow.cluster")
START_SECONDS: Final = 120.0
"""How long a process may take to start."""
SILENT_SECONDS: Final = 30.0
"""How long a process may send nothing: it reports its figures every two seconds."""


class ProcessNotStartedError(Exception):
    """A process failed to start; the message is what it reported."""


@dataclass(frozen=True)
class SupervisorPlan:
    """``command`` starts a process; the file number of its side of the channel is appended.

    ``job`` is what process ``n`` of so many does; ``grace``: seconds to finish requests.
    ``sockets``: bound ones that all processes accept from, instead of one's own each.
    """

    command: Sequence[str]
    job: Callable[[int, int], Any]
    sum_of: Sum
    host: str = "127.0.0.1"
    port: int = 0
    grace: float = 10.0
    silent: float = SILENT_SECONDS
    sockets: Sequence[socket.socket] = ()


@dataclass(eq=False)
class ProcessSlot:
    """Sockets, and the server process that accepts from them now; the sockets outlive it.

    ``started``: the error of its first start, or "".
    """

    number: int
    sockets: list[socket.socket]
    started: asyncio.Future[str]
    backoff: Backoff = field(default_factory=Backoff)
    process: asyncio.subprocess.Process | None = None
    channel: Channel | None = None
    line: MessageLine | None = None
    ready: bool = False
    stopping: bool = False
    silent: int = 0
    member: Member | None = None
    task: asyncio.Task[None] | None = None

    @property
    def files(self) -> list[int]:
        return [each.fileno() for each in self.sockets]

    def send(self, message: Message, files: Sequence[int] = ()) -> None:
        """Send to the current process, if any."""
        if self.channel:
            self.channel.send(message, files)

    def set_started(self, failure: str) -> bool:
        """Report the end of the first start; False if it was reported before."""
        if self.started.done():
            return False
        self.started.set_result(failure)
        return True


class Supervisor:
    """Starts processes, changes their number, has them reload, and stops them."""

    def __init__(self, plan: SupervisorPlan) -> None:
        self.plan = plan
        self.hub = Hub(plan.sum_of)
        self.restarts = 0
        self.port = plan.port
        self._processes = 1
        self._slots: dict[int, ProcessSlot] = {}

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that are ready."""
        processes = (slot.process for slot in self._slots.values() if slot.ready)
        return [process.pid for process in processes if process]

    async def start(self, processes: int) -> None:
        """Return once all are ready. Raises OSError or ProcessNotStartedError."""
        if self.port and not self.plan.sockets:
            check_free(
                self.plan.host, self.port
            )  # SO_REUSEPORT would share it with another program
        await self.resize(processes)

    async def resize(self, processes: int) -> None:
        """Start or end processes; the first starts alone, so that an error is reported once."""
        self._processes = processes
        while len(self._slots) > processes:
            await self._end(self._slots.pop(max(self._slots)))
        missing = range(len(self._slots), processes)
        if 0 in missing:
            await self._begin(0)
        await asyncio.gather(*(self._begin(number) for number in missing if number))

    async def reload(self) -> list[str]:
        """Have all load their settings again; each one's error, or ""."""
        replies = await self._ask_all("reload", self._processes)
        return ["" if reply is None else str(reply) for reply in replies]

    async def _ask_all(self, subject: str, payload: object = None) -> list[Any]:
        """The reply of each process that is ready, or its error."""
        lines = (slot.line for slot in self._slots.values() if slot.line and slot.ready)
        requests = [line.ask(subject, payload, START_SECONDS) for line in lines]
        return await asyncio.gather(*requests, return_exceptions=True)

    def drain(self) -> None:
        """Have all say that they stop, while they still accept."""
        for slot in self._slots.values():
            slot.send({"do": "drain"})

    @property
    def sockets(self) -> Sequence[socket.socket]:
        """Those that the processes accept from."""
        return self.plan.sockets or [one for slot in self._slots.values() for one in slot.sockets]

    async def rest(self) -> None:
        """Have all accept nothing more and change nothing stored."""
        await self._ask_all("rest")

    async def resume(self) -> None:
        """Have all go on after ``rest``."""
        await self._ask_all("resume")

    def withdraw(self, later: Admits) -> None:
        """Have all break off what serves those whom a newer process would not let in."""
        for slot in self._slots.values():
            slot.send({"do": "withdraw", "later": later})

    async def leave(self, seconds: float) -> None:
        """End each process after its last connection, at most so many seconds from now."""
        for slot in self._slots.values():
            slot.stopping = True
        await asyncio.gather(*(self._leave(slot, seconds) for slot in self._slots.values()))

    async def stop(self) -> None:
        """Accept nothing more, let each process finish its requests, and wait for their end."""
        slots, self._slots = list(self._slots.values()), {}
        await asyncio.gather(*(self._end(slot) for slot in slots))

    async def _begin(self, number: int) -> None:
        inherited = [each.dup() for each in self.plan.sockets]
        sockets = inherited or bind_sockets(self.plan.host, self.port, shared=True)
        self.port = sockets[0].getsockname()[1]
        started = asyncio.get_running_loop().create_future()
        slot = self._slots[number] = ProcessSlot(number, sockets, started)
        slot.task = asyncio.create_task(self._run_slot(slot))
        failure = await started
        if failure:
            raise ProcessNotStartedError(failure)

    async def _leave(self, slot: ProcessSlot, seconds: float) -> None:
        if slot.line and slot.task:
            done = asyncio.ensure_future(slot.line.ask("leave", None, seconds))
            await asyncio.wait((done, slot.task), return_when=asyncio.FIRST_COMPLETED)
            done.cancel()
        await self._end(slot)

    async def _end(self, slot: ProcessSlot) -> None:
        slot.stopping = True
        for each in slot.sockets:  # open ones would queue connections that nobody accepts
            each.close()
        slot.send({"do": "stop"})
        if slot.process:
            if not slot.ready:
                _signal(slot.process, signal.SIGTERM)  # it may not read its channel yet
            await _wait_or_kill(slot.process, self.plan.grace + 5)
        if slot.task:
            slot.task.cancel()
            await asyncio.gather(slot.task, return_exceptions=True)

    async def _run_slot(self, slot: ProcessSlot) -> None:
        """Run one process after the other, until the slot ends or its first start failed."""
        while not slot.stopping:
            begun = time.monotonic()
            await self._run(slot)
            if slot.set_started("A process ended while it started.") or slot.stopping:
                return
            slot.backoff = slot.backoff.after(time.monotonic() - begun)
            self.restarts += 1
            wait = slot.backoff.wait
            _LOG.warning("Server process %d ended; a new one starts in %.1f s.", slot.number, wait)
            await asyncio.sleep(wait)

    async def _run(self, slot: ProcessSlot) -> None:
        """One process from its start to its end."""
        ours, theirs = pair()
        with theirs:
            command = (*self.plan.command, str(theirs.fileno()))
            process = await asyncio.create_subprocess_exec(*command, pass_fds=[theirs.fileno()])
        slot.process = process

        def on_message(message: Message, files: list[int]) -> None:
            for each in files:
                os.close(each)
            slot.silent = 0
            if not line.take(message):
                self._on_message(slot, line, message)

        channel = slot.channel = Channel(ours, on_message, lambda: None)
        line = slot.line = MessageLine(channel.send)
        line.subscribe(
            "supervisor", lambda _: {"processes": len(self.pids), "restarts": self.restarts}
        )
        slot.member = None
        job = self.plan.job(slot.number, self._processes)
        channel.send({"do": "serve", "job": job}, slot.files)
        watching = asyncio.create_task(self._kill_if_silent(slot, process))
        try:
            await process.wait()
        finally:
            watching.cancel()
            slot.ready, slot.channel, slot.line = False, None, None
            channel.close()
            if slot.member:
                self.hub.leave(slot.member)
            self._send_others(slot, {"do": "adopt", "number": slot.number}, slot.files)

    async def _kill_if_silent(self, slot: ProcessSlot, process: asyncio.subprocess.Process) -> None:
        """Kill a process that sends nothing while this loop runs for so many seconds."""
        slot.silent = 0
        while slot.silent < (self.plan.silent if slot.ready else START_SECONDS):
            await asyncio.sleep(1)
            slot.silent += 1
        _LOG.error("Process %d does not respond and is replaced.", slot.number)
        _signal(process, signal.SIGKILL)

    def _on_message(self, slot: ProcessSlot, line: MessageLine, message: Message) -> None:
        if message["do"] == "joins":
            slot.member = self.hub.join(line)
            return
        if message["do"] == "figures":
            if slot.member:
                slot.member.figures = message["payload"]
            return
        if message["do"] == "reload":
            signal.raise_signal(signal.SIGHUP)
            return
        failure = str(message.get("failure", ""))
        if not failure:
            slot.ready = True
            self._send_others(slot, {"do": "release", "number": slot.number})
        slot.set_started(failure)

    def _send_others(self, slot: ProcessSlot, message: Message, files: Sequence[int] = ()) -> None:
        if slot.stopping:
            return
        for other in self._slots.values():
            if other is not slot and other.ready:
                other.send(message, files)


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(number)


async def _wait_or_kill(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Wait for the process's end; kill it after ``seconds``."""
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        _signal(process, signal.SIGKILL)
        await process.wait()
