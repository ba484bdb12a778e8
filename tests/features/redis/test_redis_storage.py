"""Redis keeps what every storage keeps; down, frozen or killed it is one that has nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from benchmarks.free_ports import free_port
from tests.features.redis.redises import redis
from tests.proxy.caching import test_memory_storage as every
from tests.proxy.caching.making import Clock, bench
from tests.proxy.caching.test_tiered import ONE
from winnow.features.redis.redis_storage import RENDERINGS, RedisStorage, RedisValues
from winnow.proxy.caching.cache_entry import StorageError
from winnow.proxy.caching.memory_storage import MemoryStorage, ResponseStorage
from winnow.proxy.caching.tiered import FaultTolerantStorage, TieredStorage

globals().update({name: each for name, each in vars(every).items() if name.startswith("test_")})
"""What every storage is asked."""


@pytest.fixture
async def storage() -> AsyncIterator[ResponseStorage]:
    async with redis() as running:
        made = RedisStorage(running.url, every.LIMIT // 8, patience=30)
        yield made
        await made.aclose()


async def test_redis_down_is_a_miss_and_back_again_is_used() -> None:
    port, clock = free_port(), Clock()
    async with redis(port) as running:
        storage = FaultTolerantStorage(
            RedisStorage(running.url, 1 << 20, 5), 5, rest=5, clock=clock
        )
        made = bench(storage=TieredStorage(MemoryStorage(1 << 20), storage))
        made.origin.says("Cache-Control: max-age=60")
        await made.get()
        await running.kill()
        assert (await made.get(url="http://origin.test/2")).body == b"body"
        assert (await made.get(url="http://origin.test/2")).is_hit
        assert storage.is_open
    async with redis(port):
        clock.now += 6
        await storage.put("a", ONE)
        assert await storage.get("a") == ONE
        await storage.aclose()


async def test_redis_killed_and_started_again_under_load_costs_no_request() -> None:
    port, addresses = free_port(), [f"http://origin.test/{number}" for number in range(20)]
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(redis(port))
        storage = FaultTolerantStorage(RedisStorage(running.url, 1 << 20, 5), 5, rest=0)
        made = bench(storage=storage)
        made.origin.says("Cache-Control: max-age=60")
        bodies: list[bytes] = []

        async def load() -> None:
            for _ in range(5):
                for url in addresses:
                    bodies.append((await made.get(url=url)).body)

        async def disturb() -> None:
            await running.kill()
            await stack.enter_async_context(redis(port))

        await load()
        before = made.fetches
        await asyncio.gather(disturb(), *(load() for _ in range(4)))
        assert bodies == [b"body"] * 500
        assert made.fetches > before
        await load()
        before = made.fetches
        await load()
        assert made.fetches == before
        await storage.aclose()


async def test_a_frozen_redis_is_a_miss_within_its_time() -> None:
    async with redis() as running:
        clock = Clock()
        storage = FaultTolerantStorage(
            RedisStorage(running.url, 1 << 20, 0.1), 0.1, rest=5, clock=clock
        )
        await asyncio.wait_for(storage.put("a", ONE), 60)
        running.freeze()
        async with asyncio.timeout(60):
            clock.now += 6
            assert await storage.get("a") == ()
        running.thaw()


async def test_two_instances_share_what_one_fetched() -> None:
    async with redis() as running:
        one, other = (bench(storage=RedisStorage(running.url, 1 << 20, 30)) for _ in range(2))
        for made in (one, other):
            made.origin.says("Cache-Control: max-age=60")
        await one.get()
        assert (await other.get()).is_hit
        assert other.fetches == 0
        await one.client.aclose()
        await other.client.aclose()


async def test_redis_keeps_what_was_put_and_fails_as_a_storage() -> None:
    async with redis() as made:
        one, other = (RedisValues(made.url, RENDERINGS, 0.25) for _ in range(2))
        await one.put("a", b"\x00bytes")
        assert await other.get("a") == b"\x00bytes"
        assert await other.get("b") is None
        made.freeze()
        with pytest.raises(StorageError):
            await one.get("a")
        await made.kill()
        with pytest.raises(StorageError):
            await other.put("a", b"")
        await one.aclose()
        await other.aclose()
