"""Messages between instances by Redis' PUBLISH. Needs the extra ``redis``.

Each process of each instance gets a message over one channel and acknowledges it (LPUSH), which the
sender awaits. While Redis fails the instances are isolated; nothing is raised.
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

from winnow.proxy.cluster.bus import Bus, Handler
from winnow.proxy.stores.store_errors import StoreError

CHANNEL: Final = "winnow:messages"
_ACKNOWLEDGED: Final = "winnow:acknowledged:"
EVERY: Final = 5.0
"""Seconds between two refreshes, and until a Redis that failed is tried again."""
_LOG = logging.getLogger("winnow.redis")
Refresh = Callable[[], Awaitable[None]]


class RedisBus:
    """The bus of an instance's own processes, and messages to the other instances.

    ``spread``: the subjects that other instances get too; replies come from ``own`` alone, the
    bus of this instance, which is called ``name``.
    """

    def __init__(
        self, own: Bus, redis: Redis, name: str, spread: Collection[str], patience: float = 1.0
    ) -> None:
        """``patience``: seconds for the acknowledgements of one message."""
        self._own, self._redis, self._name = own, redis, name
        self._spread, self._patience = frozenset(spread), patience
        self.every = EVERY
        self._handlers: dict[str, Handler] = {}
        self._refresh: Refresh | None = None
        self._listening: asyncio.Task[None] | None = None
        self._is_isolated = False

    async def ask(self, subject: str, payload: Any = None) -> list[Any]:
        """The own processes' replies; the other instances have acknowledged or timed out."""
        answers = await self._own.ask(subject, payload)
        if subject in self._spread:
            await self.publish(subject, payload)
        return answers

    async def ask_supervisor(self, subject: str) -> Any:
        """The reply of the own supervisor."""
        return await self._own.ask_supervisor(subject)

    def subscribe(self, subject: str, handler: Handler) -> None:
        """Have ``handler`` take messages of the own processes and of other instances."""
        self._own.subscribe(subject, handler)
        self._handlers[subject] = handler

    async def publish(self, subject: str, payload: Any = None) -> None:
        """Send to the other instances and await their acknowledgements, at most ``patience``."""
        if self._is_isolated:
            return
        number = _ACKNOWLEDGED + secrets.token_hex(8)
        message = {"from": self._name, "subject": subject, "payload": payload, "number": number}
        try:
            async with asyncio.timeout(self._patience):
                left = await self._redis.publish(CHANNEL, json.dumps(message))
                while left > 0:
                    await cast("Awaitable[Any]", self._redis.blpop([number], self._patience))
                    left -= 1
        except (RedisError, OSError, TimeoutError) as error:
            _LOG.warning("Another instance may not know of a change yet: %s.", error or "too slow")

    async def start(self, refresh: Refresh) -> None:
        """Start to listen. ``refresh`` is awaited at first, at each reconnection and periodically.

        Returns after the first refresh or a timeout; ``refresh`` may raise RedisError, StoreError.
        """
        self._refresh = refresh
        first = asyncio.Event()
        self._listening = asyncio.create_task(self._listen(first))
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience * 2):
                await first.wait()

    async def aclose(self) -> None:
        """Stop listening and close the connections."""
        while self._listening and not self._listening.done():
            self._listening.cancel()  # again, where one met a time limit of the client and was lost
            await asyncio.wait((self._listening,), timeout=1)
        await self._redis.aclose()

    async def _listen(self, first: asyncio.Event) -> None:
        while True:
            try:
                await self._listen_until_error(first)
            except (RedisError, OSError, TimeoutError, StoreError) as error:
                if not self._is_isolated:
                    _LOG.warning("Redis does not answer, the instances are isolated: %s.", error)
                self._is_isolated = True
            first.set()
            await asyncio.sleep(self.every)

    async def _listen_until_error(self, first: asyncio.Event) -> None:
        async with self._redis.pubsub(ignore_subscribe_messages=True) as line:
            await line.subscribe(CHANNEL)
            while True:
                await self._refresh_all()
                self._is_isolated = False
                first.set()
                while message := await line.get_message(timeout=self.every):
                    await self._take(json.loads(message["data"]))

    async def _refresh_all(self) -> None:
        if self._refresh:
            await self._refresh()

    async def _take(self, message: Any) -> None:
        handler = self._handlers.get(message["subject"])
        if handler and message["from"] != self._name:
            try:
                done = handler(message["payload"])
                if inspect.isawaitable(done):
                    await done
            except Exception:  # noqa: BLE001 - the sender must not wait for our error
                _LOG.exception("The handler of %s failed.", message["subject"])
        async with self._redis.pipeline() as pipeline:
            pipeline.lpush(message["number"], 1)
            pipeline.expire(message["number"], 60)
            await pipeline.execute()
