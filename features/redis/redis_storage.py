"""Entries in Redis, which several instances share. Needs the extra ``redis``.

How much is stored is for Redis' own ``maxmemory`` to say.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from redis.exceptions import RedisError

from winnow.features.redis.redis_connection import redis_at
from winnow.proxy.caching.cache_entry import StorageError, packed, readable
from winnow.proxy.caching.memory_storage import Entries, newest_within

PREFIX: Final = "winnow:reply:"
RENDERINGS: Final = "winnow:rendering:"
EXPIRY: Final = 7 * 86_400
"""Seconds after which Redis deletes an entry that is not stored again."""


class RedisValues:
    """Bytes by key, below a prefix. Every method raises StorageError."""

    def __init__(self, url: str, prefix: str, patience: float = 0.25) -> None:
        """``patience``: seconds for a connection and for an answer. Raises ValueError."""
        self._prefix = prefix
        self._redis = redis_at(url, timeout=patience, connect_timeout=patience)

    async def get(self, key: str) -> bytes | None:
        try:
            data = await self._redis.get(self._prefix + key)
        except (RedisError, OSError) as error:
            raise _failed(error) from error
        return data if isinstance(data, bytes) else None

    async def put(self, key: str, value: bytes) -> None:
        try:
            await self._redis.set(self._prefix + key, value, ex=EXPIRY)
        except (RedisError, OSError) as error:
            raise _failed(error) from error

    async def delete(self, key: str) -> None:
        try:
            await self._redis.delete(self._prefix + key)
        except (RedisError, OSError) as error:
            raise _failed(error) from error

    async def aclose(self) -> None:
        """Close the connections; entries stay."""
        await self._redis.aclose()


class RedisStorage:
    """Entries of up to ``largest`` bytes a key. Every method raises StorageError."""

    def __init__(self, url: str, largest: int, patience: float = 0.25) -> None:
        """``patience``: seconds for a connection and for an answer. Raises ValueError."""
        self.largest = largest
        self._values = RedisValues(url, PREFIX, patience)

    async def get(self, key: str) -> Entries:
        return readable(await self._values.get(digest_of(key)))

    async def put(self, key: str, entries: Entries) -> None:
        """Store the newest entries of a key that fit."""
        newest = newest_within(entries, self.largest)
        if newest:
            await self._values.put(digest_of(key), packed(newest))
        else:
            await self.delete(key)

    async def delete(self, key: str) -> None:
        await self._values.delete(digest_of(key))

    async def aclose(self) -> None:
        """Close the connections; entries stay."""
        await self._values.aclose()


def digest_of(key: str) -> str:
    """The name in Redis: short, however long the address is."""
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


def name_of(key: str) -> str:
    """The name of a key's entries in Redis."""
    return PREFIX + digest_of(key)


def _failed(error: Exception) -> StorageError:
    return StorageError(f"Redis failed: {error}.")
