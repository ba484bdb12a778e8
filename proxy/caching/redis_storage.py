"""Entries in Redis, which several instances share. Needs the extra ``redis``.

Knows keys and how long they last; how much is kept is for Redis' own ``maxmemory`` to say.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from proxy.caching.errors import StorageError
from proxy.caching.packing import packed, readable
from proxy.caching.storage import Entries, newest_within

PREFIX: Final = "winnow:reply:"
KEPT: Final = 7 * 86_400
"""Seconds after which Redis forgets what nobody stored anew."""


class RedisStorage:
    """Entries of up to ``largest`` bytes a key. Every method raises StorageError."""

    def __init__(self, url: str, largest: int, patience: float = 0.25) -> None:
        """``patience``: seconds for a connection and for an answer. Raises ValueError."""
        self.largest = largest
        self._redis = Redis.from_url(
            url,
            socket_timeout=patience,
            socket_connect_timeout=patience,
            retry=Retry(NoBackoff(), 0),
        )

    async def get(self, key: str) -> Entries:
        try:
            data = await self._redis.get(name_of(key))
        except (RedisError, OSError) as error:
            raise _failed(error) from error
        return readable(data) if isinstance(data, bytes) else ()

    async def put(self, key: str, entries: Entries) -> None:
        """Keep the newest entries of a key that fit."""
        kept = newest_within(entries, self.largest)
        if not kept:
            await self.delete(key)
            return
        try:
            await self._redis.set(name_of(key), packed(kept), ex=KEPT)
        except (RedisError, OSError) as error:
            raise _failed(error) from error

    async def delete(self, key: str) -> None:
        try:
            await self._redis.delete(name_of(key))
        except (RedisError, OSError) as error:
            raise _failed(error) from error

    async def aclose(self) -> None:
        """Close the connections; what is kept stays."""
        await self._redis.aclose()


def name_of(key: str) -> str:
    """An address may be long; its name in Redis is not."""
    return PREFIX + blake2b(key.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def _failed(error: Exception) -> StorageError:
    return StorageError(f"Redis failed: {error}.")
