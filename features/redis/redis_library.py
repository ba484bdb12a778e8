"""Stores readers' saved items in Redis for several instances, and a copy where each is.

Needs the extra ``redis``. As with choices, Redis decides while it answers; steps that were
taken while it was gone are taken again on what it has by then.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Final, cast

from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.exceptions import RedisError, WatchError

from winnow.proxy.stores.library import Library, LibraryStore, packed, unpacked
from winnow.proxy.stores.notices import Notify, notify_nobody
from winnow.proxy.stores.store_errors import StoreError

KEY: Final = "winnow:shelf"
MOST_OWED: Final = 1000
"""Steps that are remembered for a Redis that is gone; the oldest are forgotten."""
_LOG = logging.getLogger("winnow.redis")
Step = Callable[[Library], Library]


class RedisLibrary(LibraryStore):
    """A ``LibraryStore``; ``copy`` answers, and notifies the other processes of its instance."""

    def __init__(self, copy: LibraryStore, redis: Redis, patience: float = 1.0) -> None:
        """``patience``: seconds that a change waits for Redis."""
        super().__init__()
        self._copy, self._redis, self._patience = copy, redis, patience
        self._owed: deque[Step] = deque(maxlen=MOST_OWED)
        self._seen = ""
        self.notify_instances: Notify = notify_nobody
        """Awaited after each change: the other instances are to ``refresh``."""

    @property
    def now(self) -> Library:
        """The library as of the last change."""
        return self._copy.now

    async def change(self, step: Step) -> None:
        """Make one change. Raises StoreError if not even the copy can be stored."""
        async with self._order:
            await self._copy.change(step)
            self._owed.append(step)
        try:
            await self.refresh()
        except StoreError as error:
            _LOG.warning("The library is stored here alone until Redis is back: %s", error)
        else:
            await self.notify_instances(
                None
            )  # outside the lock: two that notify each other must not wait

    async def on_notify(self, _message: object = None) -> None:
        """Another process of this instance changed the copy."""
        await self._copy.on_notify()

    async def refresh(self) -> None:
        """Take over what Redis has, after the steps that it does not know. Raises StoreError."""
        try:
            async with (
                asyncio.timeout(self._patience),
                self._order,
                self._redis.pipeline() as pipeline,
            ):
                while not await self._settled(pipeline):
                    pass  # somebody else was faster: on what that one left
        except (RedisError, OSError, TimeoutError, ValueError) as error:
            raise StoreError(f"Redis failed: {error!r}.") from error

    async def _settled(self, pipeline: Pipeline) -> bool:
        """Whether nobody else changed it meanwhile."""
        await pipeline.watch(KEY)
        found = cast("bytes | None", await pipeline.get(KEY))
        stored = found.decode() if found is not None else None
        if stored is not None and stored == self._seen and not self._owed:
            return True
        following = unpacked(stored) if stored is not None else self.now
        for step in self._owed if stored is not None else ():
            following = step(following)
        text = packed(following)
        if text != stored:
            pipeline.multi()  # type: ignore[no-untyped-call]  # the library's own lack
            pipeline.set(KEY, text)
            try:
                await pipeline.execute()
            except WatchError:
                return False
        self._owed.clear()
        self._seen = text
        if text != packed(self.now):
            await self._copy.change(lambda _: following)
        return True
