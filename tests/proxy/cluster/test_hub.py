"""All other server processes reply to a request; late or failed replies are left out."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from winnow.proxy.cluster import bus
from winnow.proxy.cluster.bus import ALONE, Hub, Member, MessageLine, ProcessBus
from winnow.proxy.cluster.channel import Channel, Message, pair


def total(many: Sequence[Any]) -> Any:
    return sum(many)


@dataclass
class Process:
    bus: ProcessBus
    channel: Channel
    middle: Channel


def line_over(side: Any) -> tuple[MessageLine, Channel]:
    def take(message: Message, _files: list[int]) -> None:
        assert line.take(message)

    channel = Channel(side, take, lambda: None)
    line = MessageLine(channel.send)
    return line, channel


@asynccontextmanager
async def processes(hub: Hub, number: int) -> AsyncIterator[list[Process]]:
    found = []
    for _ in range(number):
        ours, theirs = pair()
        line, middle = line_over(ours)
        hub.join(line)
        far, channel = line_over(theirs)
        found.append(Process(ProcessBus(far), channel, middle))
    yield found
    for process in found:
        process.channel.close()
        process.middle.close()


async def test_all_others_reply_but_not_the_sender() -> None:
    async with processes(Hub(total), 3) as (one, two, three):
        for name, process in (("one", one), ("two", two), ("three", three)):
            process.bus.subscribe("name", f"{{}} {name}".format)
        assert sorted(await one.bus.ask("name", "I am")) == ["I am three", "I am two"]


async def test_large_and_concurrent_replies_arrive_complete() -> None:
    async with processes(Hub(total), 2) as (one, two):
        two.bus.subscribe("echo", lambda payload: payload)
        requests = [one.bus.ask("echo", str(at) * 20_000) for at in range(10)]
        assert await asyncio.gather(*requests) == [[str(at) * 20_000] for at in range(10)]


async def test_a_late_or_failing_process_delays_no_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus, "WORKER_PATIENCE", 3.0)  # long enough for the one in time

    async def late(_: Any) -> None:
        await asyncio.Event().wait()

    def wrong(_: Any) -> None:
        raise ValueError("our error")

    async with processes(Hub(total), 4) as (one, two, three, four):
        two.bus.subscribe("name", late)
        three.bus.subscribe("name", wrong)
        four.bus.subscribe("name", lambda _: "four")
        replies = await one.bus.ask("name")
        assert sorted(replies, key=str) == [None, "four"]


async def test_the_figures_of_an_ended_process_are_added_up() -> None:
    hub = Hub(total)
    async with processes(hub, 1) as (one,):
        for figures in (10, 11, None):
            member = Member(MessageLine(lambda _: None), figures)
            hub.members.add(member)
            hub.leave(member)
        assert await one.bus.ask_supervisor("past") == 21
        assert await one.bus.ask("anything") == []


async def test_files_arrive_with_a_message_and_are_not_inherited(tmp_path: Path) -> None:
    received: asyncio.Future[list[int]] = asyncio.get_running_loop().create_future()
    left, right = pair()
    sender = Channel(left, lambda *_: None, lambda: None)
    receiver = Channel(right, lambda _, files: received.set_result(files), lambda: None)
    (tmp_path / "file").write_text("words")
    with (tmp_path / "file").open() as file:
        sender.send({"do": "take"}, [file.fileno()])
        (number,) = await received
    assert not os.get_inheritable(number)
    with os.fdopen(number) as taken:
        assert taken.read() == "words"
    sender.close()
    receiver.close()


async def test_closing_one_side_is_reported_to_the_other() -> None:
    ended = asyncio.Event()
    left, right = pair()
    one = Channel(left, lambda *_: None, lambda: None)
    Channel(right, lambda *_: None, ended.set)
    one.close()
    await ended.wait()


async def test_a_single_process_gets_no_reply() -> None:
    ALONE.subscribe("name", str)
    assert await ALONE.ask("name") == []
    assert await ALONE.ask_supervisor("past") is None
