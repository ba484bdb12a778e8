"""Requests and replies between processes, by subject; the supervisor's hub passes them on."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from winnow.proxy.cluster.channel import Message

Handler = Callable[[Any], Awaitable[Any] | Any]
"""Takes a payload and returns the reply, both JSON values; may be a coroutine function."""

_LOG = logging.getLogger("winnow.cluster")
PATIENCE: Final = 6.0
"""Seconds until a reply counts as missing."""
WORKER_PATIENCE: Final = 5.0
"""Seconds for one process's reply; less than the requesting process waits."""
Sum = Callable[[Sequence[Any]], Any]
"""The sum of several processes' figures."""


class Bus(Protocol):
    """The other processes, by subject."""

    async def ask(self, subject: str, payload: Any = None) -> list[Any]:
        """The replies of all others within PATIENCE. Never raises."""
        ...

    async def ask_supervisor(self, subject: str) -> Any:
        """The supervisor's reply; None without a supervisor or after PATIENCE. Never raises."""
        ...

    def subscribe(self, subject: str, handler: Handler) -> None:
        """Have ``handler`` reply to the others' requests on a subject."""
        ...


class SingleProcessBus:
    """The bus of a proxy that is one process: no replies, no requests."""

    async def ask(self, subject: str, payload: Any = None) -> list[Any]:
        return []

    async def ask_supervisor(self, subject: str) -> Any:
        return None

    def subscribe(self, subject: str, handler: Handler) -> None:
        pass


ALONE: Final = SingleProcessBus()


class MessageLine:
    """Requests and replies over a channel, in both directions."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._numbers = itertools.count()
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._handlers: dict[str, Handler] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def subscribe(self, subject: str, handler: Handler) -> None:
        """Have ``handler`` reply to requests on a subject."""
        self._handlers[subject] = handler

    async def ask(self, subject: str, payload: Any = None, patience: float = PATIENCE) -> Any:
        """The peer's reply. Raises TimeoutError after ``patience`` seconds."""
        number = next(self._numbers)
        reply = self._pending[number] = asyncio.get_running_loop().create_future()
        self._send({"do": "ask", "number": number, "subject": subject, "payload": payload})
        try:
            async with asyncio.timeout(patience):
                return await reply
        finally:
            del self._pending[number]

    def take(self, message: Message) -> bool:
        """Handle a request or reply; False for any other message."""
        match message["do"]:
            case "ask":
                task = asyncio.create_task(self._answer(message))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case "answer":
                reply = self._pending.get(message["number"])
                if reply and not reply.done():
                    reply.set_result(message["payload"])
            case _:
                return False
        return True

    async def _answer(self, message: Message) -> None:
        handler = self._handlers.get(message["subject"])
        reply = None
        try:
            reply = handler(message["payload"]) if handler else None
            reply = await reply if inspect.isawaitable(reply) else reply
        except Exception:  # noqa: BLE001 - the peer must not wait for our error
            _LOG.exception("The handler of %s failed.", message["subject"])
        self._send({"do": "answer", "number": message["number"], "payload": reply})


class ProcessBus:
    """The bus of a process: a line to the supervisor, which asks the other processes."""

    def __init__(self, line: MessageLine) -> None:
        self._line = line

    async def ask(self, subject: str, payload: Any = None) -> list[Any]:
        """The replies of the other processes."""
        try:
            replies = await self._line.ask("others", {"subject": subject, "payload": payload})
        except TimeoutError:
            return []
        return replies if isinstance(replies, list) else []

    async def ask_supervisor(self, subject: str) -> Any:
        """The supervisor's reply, None after PATIENCE."""
        try:
            return await self._line.ask(subject)
        except TimeoutError:
            return None

    def subscribe(self, subject: str, handler: Handler) -> None:
        """Have ``handler`` reply to the others' requests on a subject."""
        self._line.subscribe(subject, handler)


@dataclass(eq=False)
class Member:
    """A process's line, and the last figures it sent."""

    line: MessageLine
    figures: Any = None


@dataclass
class Hub:
    """Passes a process's requests on to the others and collects their replies.

    ``past``: the figures of all processes that have ended.
    """

    sum_of: Sum
    members: set[Member] = field(default_factory=set)
    past: Any = None

    def join(self, line: MessageLine) -> Member:
        """Add a new process."""
        member = Member(line)
        self.members.add(member)

        async def others(request: Any) -> list[Any]:
            return await self.ask(request["subject"], request["payload"], besides=member)

        line.subscribe("others", others)
        line.subscribe("past", lambda _: self.past)
        return member

    def leave(self, member: Member) -> None:
        """Remove a process that has ended; its figures are added to ``past``."""
        self.members.discard(member)
        past = [figures for figures in (self.past, member.figures) if figures is not None]
        self.past = self.sum_of(past) if past else None

    async def ask(self, subject: str, payload: Any, besides: Member) -> list[Any]:
        """The replies of all processes but one, without those that failed or took too long."""
        others = self.members - {besides}
        requests = [other.line.ask(subject, payload, WORKER_PATIENCE) for other in others]
        replies = await asyncio.gather(*requests, return_exceptions=True)
        return [reply for reply in replies if not isinstance(reply, BaseException)]
