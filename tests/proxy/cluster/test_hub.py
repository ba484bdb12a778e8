"""What one worker asks all others answer; who is late or gone is left out."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from winnow.proxy.cluster import hub as hubs
from winnow.proxy.cluster.bus import ALONE, MessageLine, WorkersBus
from winnow.proxy.cluster.channel import Channel, Message, pair
from winnow.proxy.cluster.hub import Hub, Member


def added(many: Sequence[Any]) -> Any:
    return sum(many)


@dataclass
class Worker:
    bus: WorkersBus
    channel: Channel
    middle: Channel


def line_over(side: Any) -> tuple[MessageLine, Channel]:
    def hear(message: Message, _files: list[int]) -> None:
        assert line.take(message)

    channel = Channel(side, hear, lambda: None)
    line = MessageLine(channel.send)
    return line, channel


@asynccontextmanager
async def workers(hub: Hub, number: int) -> AsyncIterator[list[Worker]]:
    found = []
    for _ in range(number):
        ours, theirs = pair()
        line, middle = line_over(ours)
        hub.join(line)
        far, channel = line_over(theirs)
        found.append(Worker(WorkersBus(far), channel, middle))
    yield found
    for worker in found:
        worker.channel.close()
        worker.middle.close()


async def test_all_others_answer_but_not_oneself() -> None:
    async with workers(Hub(added), 3) as (one, two, three):
        for name, worker in (("one", one), ("two", two), ("three", three)):
            worker.bus.subscribe("name", f"{{}} {name}".format)
        assert sorted(await one.bus.ask("name", "I am")) == ["I am three", "I am two"]


async def test_a_large_answer_and_many_at_once_come_whole() -> None:
    async with workers(Hub(added), 2) as (one, two):
        two.bus.subscribe("echo", lambda told: told)
        asked = [one.bus.ask("echo", str(at) * 20_000) for at in range(10)]
        assert await asyncio.gather(*asked) == [[str(at) * 20_000] for at in range(10)]


async def test_one_that_fails_or_is_late_keeps_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "PATIENCE", 3.0)  # long enough for the one in time

    async def late(_: Any) -> None:
        await asyncio.Event().wait()

    def wrong(_: Any) -> None:
        raise ValueError("our fault")

    async with workers(Hub(added), 4) as (one, two, three, four):
        two.bus.subscribe("name", late)
        three.bus.subscribe("name", wrong)
        four.bus.subscribe("name", lambda _: "four")
        answers = await one.bus.ask("name")
        assert sorted(answers, key=str) == [None, "four"]


async def test_what_one_counted_outlives_it() -> None:
    hub = Hub(added)
    async with workers(hub, 1) as (one,):
        for figures in (10, 11, None):
            member = Member(MessageLine(lambda _: None), figures)
            hub.members.add(member)
            hub.leave(member)
        assert await one.bus.ask_supervisor("past") == 21
        assert await one.bus.ask("anything") == []


async def test_files_come_with_a_message_and_are_not_passed_on_to_programs(tmp_path: Path) -> None:
    came: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
    left, right = pair()
    sender = Channel(left, lambda *_: None, lambda: None)
    receiver = Channel(right, lambda _, files: came.set_result(files), lambda: None)
    (tmp_path / "file").write_text("words")
    with (tmp_path / "file").open() as file:
        sender.send({"do": "take"}, [file.fileno()])
        (number,) = await came
    assert not os.get_inheritable(number)
    with os.fdopen(number) as taken:
        assert taken.read() == "words"
    sender.close()
    receiver.close()


async def test_the_end_of_one_side_is_heard_by_the_other() -> None:
    ended = asyncio.Event()
    left, right = pair()
    one = Channel(left, lambda *_: None, lambda: None)
    Channel(right, lambda *_: None, ended.set)
    one.close()
    await ended.wait()


async def test_a_proxy_alone_asks_nobody() -> None:
    ALONE.subscribe("name", str)
    assert await ALONE.ask("name") == []
    assert await ALONE.ask_supervisor("past") is None
