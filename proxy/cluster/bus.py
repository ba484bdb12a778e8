"""How one worker tells the others something and hears what they answer; knows no subject."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from winnow.proxy.cluster.channel import Message

Heard = Callable[[Any], Awaitable[Any] | Any]
"""Takes what was told and returns the answer, both as JSON; may be a coroutine function."""

_LOG = logging.getLogger("winnow.workers")
PATIENCE: Final = 6.0
"""Seconds for which answers of others are waited for."""


class Bus(Protocol):
    """The other workers, by subject."""

    async def ask(self, subject: str, told: Any = None) -> list[Any]:
        """What the others answer; those that did not in time are left out. Never raises."""
        ...

    async def middle(self, subject: str) -> Any:
        """What the process between the workers answers; None where there is none. Never raises."""
        ...

    def hear(self, subject: str, heard: Heard) -> None:
        """Have ``heard`` answer what others tell about a subject."""
        ...


class SingleProcessBus:
    """A bus with nobody else on it."""

    async def ask(self, subject: str, told: Any = None) -> list[Any]:
        """Nobody answers."""
        return []

    async def middle(self, subject: str) -> Any:
        """Nobody is there."""
        return None

    def hear(self, subject: str, heard: Heard) -> None:
        """Nobody will tell anything."""


ALONE: Final = SingleProcessBus()
"""The bus of a proxy that is one process."""


class MessageLine:
    """Requests over a channel and their answers, both ways."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._numbers = itertools.count()
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._heard: dict[str, Heard] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, subject: str, heard: Heard) -> None:
        """Have ``heard`` answer what comes about a subject."""
        self._heard[subject] = heard

    async def ask(self, subject: str, told: Any = None, patience: float = PATIENCE) -> Any:
        """The other side's answer. Raises TimeoutError where there is none in time."""
        number = next(self._numbers)
        answer = self._asked[number] = asyncio.get_running_loop().create_future()
        self._send({"do": "ask", "number": number, "subject": subject, "told": told})
        try:
            async with asyncio.timeout(patience):
                return await answer
        finally:
            del self._asked[number]

    def take(self, message: Message) -> bool:
        """Deal with a message of this kind; False for any other."""
        match message["do"]:
            case "ask":
                task = asyncio.create_task(self._answer(message))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
            case "answer":
                asked = self._asked.get(message["number"])
                if asked and not asked.done():
                    asked.set_result(message["told"])
            case _:
                return False
        return True

    async def _answer(self, message: Message) -> None:
        heard = self._heard.get(message["subject"])
        told = None
        try:
            told = heard(message["told"]) if heard else None
            told = await told if inspect.isawaitable(told) else told
        except Exception:  # noqa: BLE001 - whoever asked must not wait for our fault
            _LOG.exception("A worker could not answer about %s.", message["subject"])
        self._send({"do": "answer", "number": message["number"], "told": told})


class WorkersBus:
    """The bus of a worker: its line to the supervisor, which asks the others."""

    def __init__(self, line: MessageLine) -> None:
        self._line = line

    async def ask(self, subject: str, told: Any = None) -> list[Any]:
        """What the others answer."""
        try:
            answers = await self._line.ask("others", {"subject": subject, "told": told})
        except TimeoutError:
            return []
        return answers if isinstance(answers, list) else []

    async def middle(self, subject: str) -> Any:
        """What the supervisor answers."""
        try:
            return await self._line.ask(subject)
        except TimeoutError:
            return None

    def hear(self, subject: str, heard: Heard) -> None:
        """Have ``heard`` answer what others tell about a subject."""
        self._line.hear(subject, heard)
