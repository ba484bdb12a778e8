"""No buffer of the caches grows without end, whatever addresses, fields and crowds there are."""

from __future__ import annotations

import asyncio
import gc
import random
import sqlite3
import threading
import tracemalloc
from contextlib import closing
from pathlib import Path

import pytest

from tests.proxy.caching.making import NOW, SHARED, MadeReply, bench, entry, fields, order, reply
from tests.sweeps import rest_in_release
from winnow.document.values import Page, Recipe, Rendered
from winnow.proxy.caching import caching_client, disk_storage
from winnow.proxy.caching.cache_entry import LONGEST, CacheEntry, invalidated_keys, key_of
from winnow.proxy.caching.disk_storage import MOST_WAITING, DiskStorage
from winnow.proxy.caching.memory_storage import MemoryStorage, SizedCache
from winnow.proxy.caching.renderings import CachingTransform
from winnow.proxy.caching.storing import MOST_VARYING, may_store
from winnow.proxy.http.headers import Headers

MINUTE = "Cache-Control: max-age=60"
LONG = "http://origin.test/" + "p" * 60_000
MIB = 1024 * 1024


def held() -> int:
    """Bytes that Python's own objects take."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


# -- addresses


def test_the_key_of_a_long_address_is_short_and_its_own() -> None:
    keys = {key_of(order(url=f"{LONG}{number}")) for number in range(100)}
    assert len(keys) == 100
    assert max(map(len, keys)) <= LONGEST + 20


def test_an_unsafe_request_to_a_long_address_empties_its_key() -> None:
    posted = order(url=LONG, method="POST")
    assert key_of(order(url=LONG)) in invalidated_keys(posted, fields())
    named = fields(f"Content-Location: {LONG}2")
    assert key_of(order(url=LONG + "2")) in invalidated_keys(posted, named)


@pytest.mark.parametrize("line", [MINUTE, "Cache-Control: no-store"])
async def test_long_addresses_cost_no_more_than_the_bound(line: str) -> None:
    made = bench(storage=MemoryStorage(200_000))
    made.origin.says(line)
    tracemalloc.start()
    try:
        before = held()
        for number in range(300):
            await made.get(url=f"{LONG}{number}")
            made.origin.orders.clear()
            made.origin.replies.clear()
        assert held() - before < 1_000_000  # their addresses alone are 18 MB
    finally:
        tracemalloc.stop()


async def test_renderings_count_with_their_addresses() -> None:
    class Small:
        async def __call__(self, page: Page, recipe: Recipe) -> Rendered:
            return Rendered(b"x", "text/html", "bte")

        async def fingerprint(self, recipe: Recipe) -> str:
            return "f"

        async def aclose(self) -> None:
            pass

    saved = CachingTransform(Small(), 1_000_000)
    tracemalloc.start()
    try:
        before = held()
        for number in range(200):
            await saved(Page(b"<p>", f"{LONG}{number}"), Recipe())
        assert held() - before < 1_500_000
    finally:
        tracemalloc.stop()
    assert 0 < saved.size <= 1_000_000


# -- fields


def test_an_entry_takes_no_more_than_it_says() -> None:
    tracemalloc.start()
    try:
        before = held()
        raw = [(b"x%d" % number, b"v%d" % number) for number in range(5000)]
        made = CacheEntry(200, "OK", Headers.from_raw(raw), b"", NOW, NOW)
        assert "x1" in made.headers  # from now on they are known by name, too
        del raw
        assert held() - before < made.size * 1.1
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("names", "stored"), [(MOST_VARYING, True), (10_000, False)])
def test_a_reply_that_varies_by_thousands_of_names_is_not_stored(names: int, stored: bool) -> None:
    vary = "Vary: " + ",".join(f"x{number}" for number in range(names))
    assert may_store(fields(), reply(MINUTE, vary), SHARED) is stored


@pytest.mark.parametrize("vary", ["*", ",".join(f"x{number}" for number in range(10_000))])
async def test_a_304_cannot_make_a_stored_reply_vary_by_everything(vary: str) -> None:
    made = bench()
    made.origin.says(MINUTE, 'ETag: "1"')
    await made.get()
    made.clock.now += 90
    made.origin.says(MINUTE, f"Vary: {vary}", status=304, body=b"")
    await made.get()
    assert not (await made.get()).cache.startswith("hit; ttl")
    assert made.fetches == 3


# -- crowds


async def test_what_is_validated_in_the_background_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(caching_client, "MAX_REVALIDATIONS", 5)
    made = bench()
    made.origin.says("Cache-Control: max-age=60, stale-while-revalidate=60")
    urls = [f"http://origin.test/{number}" for number in range(20)]
    for url in urls:
        await made.get(url=url)
    made.clock.now += 90
    made.origin.held = asyncio.Event()
    for url in urls:
        assert (await made.get(url=url)).is_hit
    await asyncio.sleep(0)
    assert made.fetches == 25
    made.origin.held.set()
    await made.client.settled()


async def test_memory_is_bounded_while_many_store() -> None:
    storage = MemoryStorage(100_000)
    made = bench(storage=storage)
    made.origin.answer = lambda _: MadeReply(reply(MINUTE), (b"x" * 3000,))
    await made.all([order(url=f"http://origin.test/{number}") for number in range(300)])
    assert 0 < storage.size <= 100_000


def test_a_value_beyond_the_limit_takes_the_place_of_nothing_and_of_its_own() -> None:
    saved: SizedCache[str, str] = SizedCache(5000)
    saved.put("a", "one", 100)
    saved.put("b", "two", 100)
    saved.put("a", "large", 5000)
    assert (saved.get("a"), saved.get("b"), len(saved)) == (None, "two", 1)


# -- disk


def file_size(path: Path) -> int:
    return sum(each.stat().st_size for each in path.parent.glob(path.name + "*"))


@pytest.mark.parametrize("times", rest_in_release([30, 100], [30]))
async def test_many_processes_open_a_new_file_at_once(tmp_path: Path, times: int) -> None:
    for number in range(times):
        storages = [DiskStorage(tmp_path / str(number), 4 * MIB) for _ in range(8)]
        await asyncio.gather(*(storage.put("http://a/", (entry(),)) for storage in storages))
        await asyncio.gather(*(storage.aclose() for storage in storages))


async def test_the_file_is_bounded_while_two_processes_store(tmp_path: Path) -> None:
    path, limit = tmp_path / "cache.sqlite3", 4 * MIB
    storages = [DiskStorage(path, limit) for _ in range(2)]
    sizes = []

    async def store(number: int) -> None:
        storage = storages[number % 2]
        await storage.put(f"http://a/{number}", (entry(body=bytes(100_000)),))
        sizes.append(await storage.size())

    for begin in range(0, 200, 20):
        await asyncio.gather(*map(store, range(begin, begin + 20)))
        assert file_size(path) < 1.3 * limit + 9 * MIB  # with the log
    assert max(sizes) <= limit
    for storage in storages:
        await storage.aclose()
    assert file_size(path) < 1.3 * limit


async def test_a_log_that_grew_while_another_process_read_is_cut_back(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    storage, log = DiskStorage(path, 64 * MIB), path.with_name(path.name + "-wal")
    await storage.put("http://a/", (entry(),))
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM reply").fetchone()
        while log.stat().st_size <= 8 * MIB:
            await storage.put("http://a/large", (entry(body=random.randbytes(1_000_000)),))
    await storage.put("http://a/small", (entry(),))
    assert log.stat().st_size <= 8 * MIB
    await storage.aclose()


async def test_a_file_above_its_bound_is_brought_below_it(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite3"
    large = DiskStorage(path, 32 * MIB)
    for number in range(200):
        await large.put(f"http://a/{number}", (entry(body=bytes(100_000)),))
    await large.aclose()
    assert file_size(path) > 15 * MIB
    small = DiskStorage(path, 2 * MIB)
    assert await small.get("http://a/199")
    assert await small.size() <= 2 * MIB
    await small.aclose()
    assert file_size(path) < 3 * MIB


async def test_what_waits_for_a_slow_disk_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    freed = threading.Event()
    written: list[str] = []

    def slow(_: sqlite3.Connection, key: str, _data: bytes, _limit: int) -> None:
        freed.wait(30)
        written.append(key)

    monkeypatch.setattr(disk_storage, "_write", slow)
    storage = DiskStorage(tmp_path / "cache.sqlite3", 1024 * MIB)
    stored = (entry(body=bytes(MIB)),)
    puts = [asyncio.create_task(storage.put(f"http://a/{number}", stored)) for number in range(60)]
    await asyncio.sleep(0.1)
    assert storage._waiting <= MOST_WAITING
    for put in puts[30:]:
        put.cancel()
    await asyncio.gather(*puts[30:], return_exceptions=True)
    freed.set()
    await asyncio.gather(*puts, return_exceptions=True)
    assert storage._waiting == 0
    assert len(written) == 30
    await storage.aclose()
