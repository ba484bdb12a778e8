"""Every storage keeps the same promises, whatever its medium."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.proxy.caching.making import bench, entry, selected
from winnow.proxy.caching.disk_storage import DiskStorage
from winnow.proxy.caching.memory_storage import (
    MemoryStorage,
    ResponseStorage,
    newest_within,
    size_of,
)
from winnow.proxy.caching.tiered import FaultTolerantStorage, TieredStorage

LIMIT = 400_000
ONE = entry("Cache-Control: max-age=60", "Set-Cookie: a=1", "Set-Cookie: b=2", "X: \xe9", age=0.25)
OTHER = replace(selected(entry("Vary: Accept", body=b"\x00\xff" * 9), "Accept: a"), doubtful=True)


@pytest.fixture(params=["memory", "disk", "tiers", "forgiving"])
async def storage(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ResponseStorage]:
    made: ResponseStorage = MemoryStorage(LIMIT)
    disk = DiskStorage(tmp_path / "cache.sqlite3", LIMIT)
    match request.param:
        case "disk":
            made = disk
        case "tiers":
            made = TieredStorage(made, disk)
        case "forgiving":
            made = FaultTolerantStorage(disk, 30)
    yield made
    await made.aclose()


async def test_what_is_not_there_is_nothing(storage: ResponseStorage) -> None:
    assert await storage.get("http://a/") == ()


async def test_what_is_put_comes_back_the_same(storage: ResponseStorage) -> None:
    await storage.put("http://a/", (ONE, OTHER))
    assert await storage.get("http://a/") == (ONE, OTHER)
    assert await storage.get("http://b/") == ()


async def test_a_later_put_replaces(storage: ResponseStorage) -> None:
    await storage.put("http://a/", (ONE, OTHER))
    await storage.put("http://a/", (OTHER,))
    assert await storage.get("http://a/") == (OTHER,)


async def test_what_is_deleted_is_gone_and_may_be_deleted_again(storage: ResponseStorage) -> None:
    await storage.put("http://a/", (ONE,))
    await storage.put("http://b/", (OTHER,))
    await storage.delete("http://a/")
    await storage.delete("http://a/")
    assert await storage.get("http://a/") == ()
    assert await storage.get("http://b/") == (OTHER,)


async def test_to_put_nothing_is_to_delete(storage: ResponseStorage) -> None:
    await storage.put("http://a/", (ONE,))
    await storage.put("http://a/", ())
    assert await storage.get("http://a/") == ()


async def test_what_is_too_large_is_not_stored_and_the_old_neither(
    storage: ResponseStorage,
) -> None:
    await storage.put("http://a/", (ONE,))
    await storage.put("http://a/", (entry(body=b"x" * LIMIT),))
    assert await storage.get("http://a/") == ()


async def test_of_too_many_the_newest_are_stored(storage: ResponseStorage) -> None:
    large = [entry(f"X: {number}", body=b"x" * 20_000) for number in range(20)]
    await storage.put("http://a/", tuple(large))
    stored = await storage.get("http://a/")
    assert stored
    assert stored == tuple(large[-len(stored) :])


async def test_odd_keys_are_keys(storage: ResponseStorage) -> None:
    keys = ["http://a/" + "x" * 20_000, "http://a/\xe9?'\";--", "local http://a/"]
    for number, key in enumerate(keys):
        await storage.put(key, (entry(f"X: {number}"),))
    found = [await storage.get(key) for key in keys]
    assert [entries[0].headers.get("x") for entries in found] == ["0", "1", "2"]


async def test_an_empty_body_and_many_at_once(storage: ResponseStorage) -> None:
    empty = entry(body=b"")
    keys = [f"http://a/{number}" for number in range(40)]
    await asyncio.gather(*(storage.put(key, (empty,)) for key in keys))
    assert await asyncio.gather(*map(storage.get, keys)) == [(empty,)] * len(keys)


async def test_the_cache_works_with_it(storage: ResponseStorage) -> None:
    made = bench(storage=storage)
    made.origin.says("Cache-Control: max-age=60", 'ETag: "1"')
    assert not (await made.get()).is_hit
    assert (await made.get()).is_hit
    made.clock.now += 100
    made.origin.says("Cache-Control: max-age=60", 'ETag: "1"', status=304, body=b"")
    assert (await made.get()).body == b"body"
    made.origin.says()
    await made.get(method="POST")
    assert not (await made.get()).is_hit


def test_the_newest_that_fit() -> None:
    sizes = size_of((ONE,)), size_of((OTHER,))
    assert newest_within((ONE, OTHER), sum(sizes)) == (ONE, OTHER)
    assert newest_within((ONE, OTHER), sum(sizes) - 1) == (OTHER,)
    assert newest_within((ONE, OTHER), 0) == ()
