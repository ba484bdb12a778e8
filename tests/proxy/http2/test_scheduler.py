"""What streams send: in turn, by urgency, within bounds; a peer that reads gets all of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from h2.events import DataReceived
from h2.settings import SettingCodes
from hpack import HeaderTuple

from tests.proxy.http2_peers import Exchanged, Peer, get_fields
from winnow.proxy.http2.connection import Http2Connection
from winnow.proxy.http2.fields import RawFields
from winnow.proxy.http2.priorities import PRIORITY_UPDATE
from winnow.proxy.http2.scheduler import TURN, WRITE_AHEAD
from winnow.proxy.http2.stream import Http2Stream

pytestmark = pytest.mark.usefixtures("virtual_time")
SIZE = 1_000_000
WIDE = (1 << 31) - 1


@dataclass
class Sender:
    """Sends SIZE bytes in one piece on each stream, once ``go`` is set."""

    go: asyncio.Event = field(default_factory=asyncio.Event)
    connections: list[Http2Connection] = field(default_factory=list)
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def protocol(self) -> Http2Connection:
        buffer = memoryview(bytearray(65_536))
        self.connections.append(Http2Connection(buffer, self.opened, stalled_seconds=1))
        return self.connections[-1]

    def opened(self, stream: Http2Stream, _: RawFields) -> None:
        task = asyncio.create_task(self.answer(stream))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def answer(self, stream: Http2Stream) -> None:
        await self.go.wait()
        try:
            await stream.send_section([HeaderTuple(b":status", b"200")])
            await stream.send(bytes(SIZE))
            stream.finish()
        except ConnectionError:
            pass


@asynccontextmanager
async def connected(
    sender: Sender, stream_window: int = WIDE, connection_window: int = WIDE
) -> AsyncIterator[Peer]:
    """A client with these windows."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(sender.protocol, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    _, peer = await loop.create_connection(lambda: Peer(True), "127.0.0.1", port)
    peer.state.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: stream_window})
    peer.state.increment_flow_control_window(connection_window - 65_535)
    peer.flush()
    try:
        yield peer
    finally:
        peer.close()
        await peer.lost
        server.close()
        await asyncio.gather(*sender.tasks)


def ask(peer: Peer, priority: str = "") -> Exchanged:
    more = (("priority", priority),) if priority else ()
    return peer.request(get_fields("http://site.test/", *more))


def order(peer: Peer) -> list[int]:
    """The streams of the data that came, in order."""
    found = (event for event in peer.events if isinstance(event, DataReceived))
    return [event.stream_id for event in found if event.data]


async def test_many_large_answers_at_once_all_arrive() -> None:
    sender = Sender()
    async with connected(sender) as peer:
        streams = [ask(peer) for _ in range(40)]
        sender.go.set()
        for stream in streams:
            assert len((await stream.complete()).body) == SIZE
            assert stream.reset is None


async def test_streams_are_sent_in_turn() -> None:
    sender = Sender()
    async with connected(sender) as peer:
        streams = [ask(peer) for _ in range(3)]
        sender.go.set()
        for stream in streams:
            await stream.complete()
        came = order(peer)
    assert came[:6].count(1) <= WRITE_AHEAD // TURN + 1  # it began alone
    shared = came[6 : len(came) - came[::-1].index(1)]
    assert all(len(set(shared[at : at + 3])) == 3 for at in range(len(shared) - 2))


async def test_the_most_urgent_comes_first() -> None:
    sender = Sender()
    async with connected(sender) as peer:
        late, usual, first = ask(peer, "u=6"), ask(peer), ask(peer, "u=0, i")
        sender.go.set()
        for stream in (late, usual, first):
            await stream.complete()
        came = order(peer)
    last = {number: len(came) - came[::-1].index(number) for number in (1, 3, 5)}
    assert last[first.number] < last[usual.number] < last[late.number]


async def test_an_update_changes_the_urgency() -> None:
    sender = Sender()
    async with connected(sender) as peer:
        one, other = ask(peer, "u=1"), ask(peer, "u=2")
        head = bytes((0, 0, 7, PRIORITY_UPDATE, 0, 0, 0, 0, 0))
        peer.send_raw(head + other.number.to_bytes(4, "big") + b"u=0")
        await asyncio.sleep(0.05)
        sender.go.set()
        await one.complete()
        await other.complete()
        came = order(peer)
    assert came[::-1].index(other.number) > came[::-1].index(one.number)


async def test_a_shut_window_of_one_stream_delays_no_other() -> None:
    sender = Sender()
    async with connected(sender, stream_window=0) as peer:
        shut, wide = ask(peer), ask(peer)
        peer.state.increment_flow_control_window(2 * SIZE, wide.number)
        peer.flush()
        sender.go.set()
        assert len((await wide.complete()).body) == SIZE
        assert not shut.body


async def test_who_reads_nothing_makes_us_hold_little_and_loses_nothing() -> None:
    sender = Sender()
    async with connected(sender) as peer:
        assert peer.transport
        streams = [ask(peer) for _ in range(40)]
        await asyncio.sleep(0.05)
        peer.transport.pause_reading()
        sender.go.set()
        await asyncio.sleep(0.3)
        transport = sender.connections[0].transport
        assert transport.get_write_buffer_size() <= 3 * WRITE_AHEAD
        peer.transport.resume_reading()
        for stream in streams:
            assert len((await stream.complete()).body) == SIZE


async def test_a_window_that_opens_by_a_byte_at_a_time_ends_its_stream_alone() -> None:
    sender = Sender()
    async with connected(sender, stream_window=0) as peer:
        peer.reads = False
        slow, wide = ask(peer), ask(peer)
        peer.state.increment_flow_control_window(2 * SIZE, wide.number)
        sender.go.set()

        async def trickle() -> None:
            while slow.reset is None:
                peer.state.increment_flow_control_window(1, slow.number)
                peer.flush()
                await asyncio.sleep(0.2)

        async with asyncio.timeout(60):
            await trickle()
        assert len((await wide.complete()).body) == SIZE


async def test_who_reads_steadily_may_take_longer_than_the_bound() -> None:
    sender = Sender()
    async with connected(sender, stream_window=20_000) as peer:
        peer.reads = False
        stream = ask(peer)
        sender.go.set()
        for _ in range(50):  # 2.5 seconds: stalled_seconds is one
            peer.state.increment_flow_control_window(1000, stream.number)
            peer.flush()
            await asyncio.sleep(0.05)
        peer.state.increment_flow_control_window(SIZE, stream.number)
        peer.flush()
        await stream.complete()
    assert len(stream.body) == SIZE
