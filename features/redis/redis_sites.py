"""Keeps what pages taught in Redis, for several instances together. Needs the extra ``redis``.

A site's memory is replaced only if nobody else changed it meanwhile (WATCH), so that no lesson is
lost; the secret is made by whoever is first.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Collection, Mapping
from typing import Any, Final, cast

from redis.asyncio.client import Pipeline
from redis.exceptions import RedisError, WatchError

from winnow.features.redis.redis_connection import redis_at
from winnow.proxy.stores.site_keys import is_learned_key
from winnow.proxy.stores.site_store import (
    KEY_SIZE,
    Merge,
    SiteNews,
    SiteStoreBounds,
    joined,
)
from winnow.proxy.stores.store_errors import StoreError

PREFIX: Final = "winnow:site:"
KEY: Final = "winnow:sites:key"
STAMPS: Final = "winnow:sites:stamps"
CHANGES: Final = "winnow:sites:changes"
"""Counts all changes: the number of a forgotten site is not given again."""
USED: Final = "winnow:sites:used"
TRIES: Final = 20


class RedisSites:
    """A ``SiteStore`` in Redis."""

    def __init__(
        self, url: str, merge: Merge, bounds: SiteStoreBounds | None = None, patience: float = 2.0
    ) -> None:
        """``patience``: seconds for a connection and for an answer. Raises ValueError."""
        self._redis = redis_at(url, timeout=patience, connect_timeout=patience, tries_again=True)
        self._merge, self._bounds = merge, bounds or SiteStoreBounds()

    async def secret(self) -> bytes:
        try:
            await self._redis.set(KEY, secrets.token_bytes(KEY_SIZE), nx=True)
            found: bytes = await _answer(self._redis.get(KEY))
        except (RedisError, OSError) as error:
            raise _failed(error) from error
        return found

    async def fold(self, lessons: Mapping[str, bytes]) -> None:
        try:
            for site, lesson in lessons.items():
                await self._fold(site, lesson)
            await self._forget_old()
        except (RedisError, OSError) as error:
            raise _failed(error) from error

    async def stamps(self) -> Mapping[str, int]:
        try:
            found = await _answer(self._redis.hgetall(STAMPS))
        except (RedisError, OSError) as error:
            raise _failed(error) from error
        stamps = {site.decode(): int(stamp) for site, stamp in found.items()}
        return {site: stamp for site, stamp in stamps.items() if is_learned_key(site)}

    async def news(self, since: int) -> SiteNews:
        """All sites: Redis has no index by the number of a field."""
        stamps = await self.stamps()
        return SiteNews(stamps, len(stamps))

    async def recall(self, sites: Collection[str]) -> Mapping[str, bytes]:
        names = list(sites)
        if not names:
            return {}
        try:
            found = await _answer(self._redis.mget([PREFIX + site for site in names]))
        except (RedisError, OSError) as error:
            raise _failed(error) from error
        return {site: memory for site, memory in zip(names, found, strict=True) if memory}

    async def forget(self, sites: Collection[str]) -> None:
        try:
            await self._forget(list(sites))
        except (RedisError, OSError) as error:
            raise _failed(error) from error

    async def aclose(self) -> None:
        await self._redis.aclose()

    async def _fold(self, site: str, lesson: bytes) -> None:
        async with self._redis.pipeline() as pipeline:
            for _ in range(TRIES):
                try:
                    await self._fold_once(pipeline, site, lesson)
                    return
                except WatchError:
                    continue
        raise StoreError(f"The memory of {site} is changed by others all the time.")

    async def _fold_once(self, pipeline: Pipeline, site: str, lesson: bytes) -> None:
        name = PREFIX + site
        await pipeline.watch(name)
        stored = await _answer(pipeline.get(name))
        memory = joined(self._merge, stored or b"", lesson)
        number = await _answer(pipeline.incr(CHANGES))
        pipeline.multi()  # type: ignore[no-untyped-call]  # the library's own lack
        pipeline.set(name, memory, ex=self._bounds.days * 86_400)
        pipeline.hset(STAMPS, site, number)
        pipeline.zadd(USED, {site: time.time()})
        await pipeline.execute()

    async def _forget_old(self) -> None:
        old = await self._redis.zrangebyscore(USED, 0, self._bounds.oldest(time.time()))
        beyond = await self._redis.zrevrange(USED, self._bounds.sites, -1)
        found = await _answer(self._redis.hkeys(STAMPS))
        foreign = {site for site in found if not is_learned_key(site.decode())}
        await self._forget([site.decode() for site in {*old, *beyond, *foreign}])

    async def _forget(self, sites: list[str]) -> None:
        if not sites:
            return
        async with self._redis.pipeline() as pipeline:
            pipeline.delete(*(PREFIX + site for site in sites))
            pipeline.hdel(STAMPS, *sites)
            pipeline.zrem(USED, *sites)
            await pipeline.execute()


async def _answer(command: Any) -> Any:
    """The library's types say that an answer may come at once; of this client none does."""
    return await cast("Awaitable[Any]", command)


def _failed(error: Exception) -> StoreError:
    return StoreError(f"Redis failed: {error}.")
