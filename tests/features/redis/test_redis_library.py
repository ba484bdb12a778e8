"""What is put by at several instances: nothing of it is lost, whoever comes first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from benchmarks.free_ports import free_port
from tests.features.redis.redises import redis
from winnow.features.redis.redis_library import KEY, RedisLibrary
from winnow.proxy.stores.library import Library, LibraryEntry, LibraryStore
from winnow.proxy.stores.store_errors import StoreError

PAGE = LibraryEntry("https://a.example/", "A")
OTHER = LibraryEntry("https://b.example/", "B")
PATIENCE = 60.0


def shelves(port: int, *folders: Path) -> tuple[Redis, list[RedisLibrary]]:
    client = Redis(port=port, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 1))
    copies = [LibraryStore.open(folder / "shelf.json") for folder in folders]
    return client, [RedisLibrary(copy, client, PATIENCE) for copy in copies]


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[tuple[Redis, list[RedisLibrary]]]:
    async with redis() as running:
        client, made = shelves(running.port, tmp_path / "one", tmp_path / "two")
        yield client, made
        await client.aclose()


async def test_what_is_put_by_at_one_is_there_at_the_other(
    pair: tuple[Redis, list[RedisLibrary]], tmp_path: Path
) -> None:
    _, (one, two) = pair
    await one.change(lambda shelf: shelf.with_bookmark(PAGE).with_looks("10.0.0.1", "dark"))
    await two.change(lambda shelf: shelf.with_bookmark(OTHER))
    await one.refresh()
    assert one.now == two.now
    assert one.now.bookmarks == (PAGE, OTHER)
    assert LibraryStore.open(tmp_path / "one" / "shelf.json").now == one.now
    await one.change(lambda shelf: shelf.without_bookmark(PAGE))
    await two.refresh()
    assert two.now.bookmarks == (OTHER,)


async def test_many_changes_at_once_are_all_stored(pair: tuple[Redis, list[RedisLibrary]]) -> None:
    _, made = pair
    await asyncio.gather(
        *(each.change(lambda shelf: shelf.with_bytes(100, 1)) for each in made * 10)
    )
    for each in made:
        await each.refresh()
        assert (each.now.fetched, each.now.sent) == (2000, 20)


async def test_others_are_reported_once_it_is_stored(
    pair: tuple[Redis, list[RedisLibrary]],
) -> None:
    _, (one, two) = pair

    async def reported(_: object) -> None:
        await two.refresh()

    one.notify_instances = reported
    await one.change(lambda shelf: shelf.with_bookmark(PAGE))
    assert two.now.bookmarks == (PAGE,)


async def test_steps_that_redis_missed_are_taken_on_what_it_has_by_then(tmp_path: Path) -> None:
    port = free_port()
    async with AsyncExitStack() as stack:
        running = await stack.enter_async_context(redis(port))
        client, (one, two) = shelves(port, tmp_path / "one", tmp_path / "two")
        stack.push_async_callback(client.aclose)
        await one.change(lambda shelf: shelf.with_bytes(100, 1))
        await two.refresh()
        await running.kill()
        await one.change(lambda shelf: shelf.with_bytes(10, 1))
        with pytest.raises(StoreError):
            await two.refresh()
        assert (one.now.fetched, two.now.fetched) == (110, 100)
        await stack.enter_async_context(redis(port))
        await two.change(lambda shelf: shelf.with_bytes(1, 1))  # Redis forgot: filled from here
        await one.refresh()
        await two.refresh()
        assert one.now == two.now
        assert one.now.fetched == 111


async def test_what_somebody_else_wrote_there_is_an_error_and_changes_nothing(
    pair: tuple[Redis, list[RedisLibrary]],
) -> None:
    client, (one, _) = pair
    await client.set(KEY, '{"parts": []}')
    with pytest.raises(StoreError):
        await one.refresh()
    assert one.now == Library()
    await one.change(lambda shelf: shelf.with_bookmark(PAGE))  # kept here at least
    assert one.now.bookmarks == (PAGE,)


async def test_another_process_of_the_instance_may_change_the_copy(
    pair: tuple[Redis, list[RedisLibrary]], tmp_path: Path
) -> None:
    _, (one, _) = pair
    sibling = LibraryStore.open(tmp_path / "one" / "shelf.json")
    await sibling.change(lambda shelf: shelf.with_bookmark(PAGE))
    await one.on_notify()
    assert one.now.bookmarks == (PAGE,)
