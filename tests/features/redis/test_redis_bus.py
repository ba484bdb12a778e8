"""Messages between instances over one Redis, their acknowledgements, and a Redis that fails."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as GoneError

from benchmarks.free_ports import free_port
from tests.features.redis.redises import MadeRedis, redis
from winnow.features.redis.redis_bus import RedisBus
from winnow.proxy.cluster.bus import ALONE, Bus

PATIENCE = 60.0


@pytest.fixture
async def running() -> AsyncIterator[MadeRedis]:
    async with redis() as made:
        yield made


async def nothing() -> None:
    """There is nothing to look at."""


def made(port: int, name: str, own: Bus = ALONE) -> RedisBus:
    line = Redis(port=port, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 1))
    instance = RedisBus(own, line, name, {"word"}, PATIENCE)
    instance.every = 0.05
    return instance


@asynccontextmanager
async def instances(port: int, *names: str) -> AsyncIterator[list[RedisBus]]:
    async with AsyncExitStack() as stack:
        lines = [made(port, name) for name in names]
        for line in lines:
            await line.start(nothing)
            stack.push_async_callback(line.aclose)
        yield lines


def noting(line: RedisBus, subject: str = "word") -> list[Any]:
    received: list[Any] = []
    line.subscribe(subject, received.append)
    return received


async def test_publish_ends_when_all_others_have_acknowledged(running: MadeRedis) -> None:
    async with instances(running.port, "one", "two", "three") as lines:
        received = [noting(line) for line in lines]
        assert await lines[0].ask("word", ["a", 1]) == []
        assert received == [[], [["a", 1]], [["a", 1]]]
        await lines[2].publish("word", None)
        assert received == [[None], [["a", 1], None], [["a", 1]]]


async def test_processes_of_one_instance_get_messages_by_their_own_bus_alone(
    running: MadeRedis,
) -> None:
    class Own:
        """Records the subjects."""

        def __init__(self) -> None:
            self.requests: list[Any] = []

        async def ask(self, subject: str, payload: Any = None) -> list[Any]:
            self.requests.append((subject, payload))
            return ["answer"]

        async def ask_supervisor(self, subject: str) -> Any:
            return f"middle {subject}"

        def subscribe(self, subject: str, handler: Any) -> None:
            self.requests.append(subject)

    own = Own()
    first, second = made(running.port, "one", own), made(running.port, "one")
    for line in (first, second):
        await line.start(nothing)
    received = noting(second)
    assert await first.ask("word", 1) == ["answer"]
    assert await first.ask("figures") == ["answer"]
    assert await first.ask_supervisor("past") == "middle past"
    noting(first)
    assert own.requests == [("word", 1), ("figures", None), "word"]
    assert received == []
    await first.aclose()
    await second.aclose()


async def test_what_is_not_spread_stays_here(running: MadeRedis) -> None:
    async with instances(running.port, "one", "two") as (one, two):
        received = noting(two, "figures")
        await one.ask("figures", 1)
        await one.ask("word", 1)  # this one arrives, so that the other would have, too
        assert received == []


async def test_a_failing_handler_acknowledges_too(
    running: MadeRedis, caplog: pytest.LogCaptureFixture
) -> None:
    async with instances(running.port, "one", "two") as (one, two):

        def fails(_: Any) -> None:
            raise ValueError("our fault")

        two.subscribe("word", fails)
        await one.publish("word")
        assert "The handler of word failed." in caplog.text


async def test_two_that_tell_each_other_at_once_do_not_wait_for_each_other(
    running: MadeRedis,
) -> None:
    async with instances(running.port, "one", "two") as (one, two):
        received = noting(one), noting(two)
        await asyncio.gather(*(line.publish("word", at) for line in (one, two) for at in range(5)))
        assert [sorted(each) for each in received] == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4]]


async def test_it_ends_where_a_cancellation_is_lost(running: MadeRedis) -> None:
    """As redis-py lost one, that met the time limit of a read: the bus never closed."""
    line, lost = made(running.port, "one"), asyncio.Event()

    async def loses() -> None:
        with suppress(asyncio.CancelledError):
            if line._listening and not lost.is_set():
                lost.set()
                await asyncio.sleep(PATIENCE)

    starting = asyncio.create_task(line.start(loses))
    await lost.wait()
    async with asyncio.timeout(PATIENCE / 2):
        await line.aclose()
    await starting


async def test_it_looks_first_and_now_and_then_and_when_redis_is_back() -> None:
    port = free_port()
    line, looks = made(port, "one"), asyncio.Queue[int]()
    there = Redis(port=port, retry=Retry(NoBackoff(), 1))

    async def look() -> None:
        await there.ping()
        looks.put_nowait(1)

    async def twice() -> None:
        for _ in range(2):
            await asyncio.wait_for(looks.get(), PATIENCE)

    async with redis(port) as running:
        await line.start(look)
        await twice()
        await running.kill()
        with pytest.raises(GoneError):
            await there.ping()
        while not looks.empty():
            looks.get_nowait()
        await line.publish("word")  # nobody is there: no error
    async with redis(port):
        await twice()
        await line.aclose()
    await there.aclose()


async def test_without_a_redis_it_begins_alone(caplog: pytest.LogCaptureFixture) -> None:
    line = made(free_port(), "one")
    await line.start(nothing)
    await line.publish("word")
    await line.aclose()
    messages = [each.message for each in caplog.records]
    assert len([text for text in messages if "the instances are isolated" in text]) == 1
