"""How one of several instances tells the others something, by way of Redis; knows no subject.

Needs the extra ``redis``. What is told goes over one channel to each process of each instance
(PUBLISH); each says that it has heard (LPUSH), so that who told it may wait for that. A Redis that
is gone or slow leaves the instances alone: nothing here raises for it.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any, Final, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError

from winnow.proxy.cluster.bus import Bus, Heard
from winnow.proxy.stores.store_errors import StoreError

CHANNEL: Final = "winnow:told"
_HEARD: Final = "winnow:heard:"
EVERY: Final = 5.0
"""Seconds between two looks, and until a Redis that failed is tried again."""
_LOG = logging.getLogger("winnow.compose.instances")
Begun = Callable[[], Awaitable[None]]


class RedisBus:
    """The bus of an instance's own processes, and a line to the other instances.

    ``spread`` are the subjects that these hear of, too; all others stay within the instance, and
    so do answers. ``name`` is the instance's own: its processes hear each other by ``own``.
    """

    def __init__(
        self, own: Bus, redis: Redis, name: str, spread: Collection[str], patience: float = 1.0
    ) -> None:
        """``patience``: seconds in which all others are to hear what is told."""
        self._own, self._redis, self._name = own, redis, name
        self._spread, self._patience = frozenset(spread), patience
        self.every = EVERY
        self._heard: dict[str, Heard] = {}
        self._look: Begun | None = None
        self._listening: asyncio.Task[None] | None = None
        self._is_alone = False

    async def ask(self, subject: str, told: Any = None) -> list[Any]:
        """What the own processes answer; the other instances have heard, or are not there."""
        answers = await self._own.ask(subject, told)
        if subject in self._spread:
            await self.tell(subject, told)
        return answers

    async def middle(self, subject: str) -> Any:
        """What the process between the own ones answers."""
        return await self._own.middle(subject)

    def hear(self, subject: str, heard: Heard) -> None:
        """Have ``heard`` answer what the own processes tell, and hear other instances."""
        self._own.hear(subject, heard)
        self._heard[subject] = heard

    async def tell(self, subject: str, told: Any = None) -> None:
        """Let the others know; returns once they do, or when they have had their time."""
        if self._is_alone:
            return
        number = _HEARD + secrets.token_hex(8)
        message = {"from": self._name, "subject": subject, "told": told, "number": number}
        try:
            async with asyncio.timeout(self._patience):
                left = await self._redis.publish(CHANNEL, json.dumps(message))
                while left > 0:
                    await cast("Awaitable[Any]", self._redis.blpop([number], self._patience))
                    left -= 1
        except (RedisError, OSError, TimeoutError) as error:
            _LOG.warning("Another instance may not know of a change yet: %s.", error or "too slow")

    async def begin(self, look: Begun) -> None:
        """Listen from now on. ``look`` is awaited first, when Redis is back, and now and then.

        Returns once that was done or has had its time. It may raise RedisError or StoreError.
        """
        self._look = look
        first = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(first))
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience * 2):
                await first.wait()

    async def aclose(self) -> None:
        """Listen no longer, and end the connections."""
        if self._listening:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)
        await self._redis.aclose()

    async def _listen(self, first: asyncio.Event) -> None:
        while True:
            try:
                await self._listen_while_there(first)
            except (RedisError, OSError, TimeoutError, StoreError) as error:
                if not self._is_alone:
                    _LOG.warning("Redis does not answer, so that instances are alone: %s.", error)
                self._is_alone = True
            first.set()
            await asyncio.sleep(self.every)

    async def _listen_while_there(self, first: asyncio.Event) -> None:
        async with self._redis.pubsub(ignore_subscribe_messages=True) as line:
            await line.subscribe(CHANNEL)
            while True:
                await self._looked()
                self._is_alone = False
                first.set()
                while message := await line.get_message(timeout=self.every):
                    await self._take(json.loads(message["data"]))

    async def _looked(self) -> None:
        if self._look:
            await self._look()

    async def _take(self, message: Any) -> None:
        heard = self._heard.get(message["subject"])
        if heard and message["from"] != self._name:
            try:
                done = heard(message["told"])
                if inspect.isawaitable(done):
                    await done
            except Exception:  # noqa: BLE001 - who tells must not wait for our fault
                _LOG.exception("What an instance told about %s failed.", message["subject"])
        async with self._redis.pipeline() as pipeline:
            pipeline.lpush(message["number"], 1)
            pipeline.expire(message["number"], 60)
            await pipeline.execute()
