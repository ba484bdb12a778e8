"""What costs a client of HTTP/2 little and a server much is bounded (RFC 9113, section 10.5)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from h2.errors import ErrorCodes
from h2.settings import Settings
from hpack import Encoder
from hyperframe.frame import (
    ContinuationFrame,
    DataFrame,
    Frame,
    GoAwayFrame,
    HeadersFrame,
    PingFrame,
    PriorityFrame,
    RstStreamFrame,
    SettingsFrame,
    WindowUpdateFrame,
)

from tests.proxy.http2_peers import Exchanged, Peer, get_fields
from tests.proxy.origins import Origin, reply
from tests.proxy.proxies import Proxy, proxying
from tests.proxy.server.test_http2 import client_of
from winnow.proxy.http2.frame_budget import BUDGET, PER_SECOND, FrameBudget
from winnow.proxy.http2.protocol import (
    MAX_REQUEST_SECTION,
    MAX_SECTION,
    MOST_SECTIONS,
    MOST_STREAMS,
)
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.server.requests.http2_requests import PREFACE

CALM = 11
"""ENHANCE_YOUR_CALM (RFC 9113, section 7)."""


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async with proxying(bounds=ClientBounds(http2=True)) as running:
        yield running


@asynccontextmanager
async def raw(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection on which the prefaces were exchanged."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(PREFACE + SettingsFrame(0).serialize())
    try:
        yield reader, writer
    finally:
        writer.close()


async def goaway(reader: asyncio.StreamReader) -> int | None:
    """The error code of the GOAWAY at which the connection ended, None without one."""
    data, code = b"", None
    try:
        while piece := await asyncio.wait_for(reader.read(65536), 60):
            data += piece
    except ConnectionError:
        pass  # closed while more was sent
    while len(data) >= 9:
        frame, length = Frame.parse_frame_header(memoryview(data[:9]))
        if isinstance(frame, GoAwayFrame):
            frame.parse_body(memoryview(data[9 : 9 + length]))
            code = frame.error_code
        data = data[9 + length :]
    return code


async def pour(writer: asyncio.StreamWriter, frames: Callable[[int], bytes], most: int) -> None:
    """Send until the other side ends the connection, at most that many times."""
    try:
        for number in range(most):
            writer.write(frames(number))
            if number % 100 == 0:
                await writer.drain()
    except ConnectionError:
        pass


def opened(number: int, block: bytes) -> bytes:
    return HeadersFrame(number, block, flags=["END_HEADERS"]).serialize()


def block_of(url: str) -> bytes:
    return Encoder().encode(get_fields(url))


async def test_rapid_reset(proxy: Proxy, origin: Origin) -> None:
    """CVE-2023-44487: streams that are opened and reset at once."""

    def frames(at: int) -> bytes:
        number = 2 * at + 1
        return opened(number, block_of(origin.url())) + RstStreamFrame(number, 8).serialize()

    async with raw(proxy.port) as (reader, writer):
        task = asyncio.create_task(pour(writer, frames, 100_000))
        assert await goaway(reader) in (CALM, None)
        await task
    assert len(origin.requests) <= BUDGET + 10 * PER_SECOND + MOST_STREAMS


@pytest.mark.parametrize(
    "frame",
    [
        PingFrame(0, b"12345678").serialize(),
        SettingsFrame(0).serialize(),
        PriorityFrame(1, depends_on=3, stream_weight=1).serialize(),
        WindowUpdateFrame(0, 1).serialize(),
        b"\x00\x00\x01\xee\x00\x00\x00\x00\x00x",
    ],
    ids=["ping", "settings", "priority", "window-update", "unknown"],
)
async def test_frames_without_use(proxy: Proxy, frame: bytes) -> None:
    """CVE-2019-9512, 9515, 9513 and their like."""
    async with raw(proxy.port) as (reader, writer):
        task = asyncio.create_task(pour(writer, lambda _: frame * 100, 10_000))
        assert await goaway(reader) in (CALM, None)
        await task


async def test_empty_data(proxy: Proxy, origin: Origin) -> None:
    """CVE-2019-9518: DATA that is neither anything nor the end."""
    block = Encoder().encode(get_fields(origin.url(), method="POST"))
    empty = DataFrame(1).serialize()
    async with raw(proxy.port) as (reader, writer):
        writer.write(opened(1, block))
        task = asyncio.create_task(pour(writer, lambda _: empty * 100, 10_000))
        assert await goaway(reader) in (CALM, None)
        await task


async def test_a_flood_whose_answers_are_not_read(proxy: Proxy) -> None:
    ping = PingFrame(0, b"12345678").serialize() * 1000
    async with raw(proxy.port) as (reader, writer):
        await pour(writer, lambda _: ping, 1000)
        assert await goaway(reader) in (CALM, None)


async def test_continuation_without_end(proxy: Proxy) -> None:
    """CVE-2024-27316 and its like."""
    more = ContinuationFrame(1, b"\x00" * 64).serialize()
    async with raw(proxy.port) as (reader, writer):
        writer.write(HeadersFrame(1, b"").serialize())
        task = asyncio.create_task(pour(writer, lambda _: more, 10_000))
        assert await goaway(reader) is not None
        await task


async def test_a_section_that_unpacks_to_more_than_its_bound(proxy: Proxy, origin: Origin) -> None:
    """An HPACK bomb: one large field in the table, then named by a byte each."""
    bomb = Encoder().encode([*get_fields(origin.url()), ("x", "y" * 4000)])
    async with raw(proxy.port) as (reader, writer):
        writer.write(opened(1, bomb + b"\xbe" * 10_000))
        assert MAX_SECTION < 10_000 * 4000
        assert await goaway(reader) is not None
    assert not origin.requests


async def silence(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


async def test_more_streams_than_allowed_are_refused_alone(proxy: Proxy, origin: Origin) -> None:
    go = asyncio.Event()

    async def wait(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await go.wait()
        writer.write(reply(b"late"))
        await writer.drain()

    origin.usual = wait
    async with client_of(proxy.port) as peer:
        streams = [peer.request(get_fields(origin.url())) for _ in range(MOST_STREAMS)]
        peer.state.remote_settings = Settings(client=False)  # as before the server's had come
        late = [peer.request(get_fields(origin.url())) for _ in range(20)]
        for stream in late:
            assert (await stream.complete()).reset == ErrorCodes.REFUSED_STREAM
        go.set()
        for stream in streams:
            assert (await stream.complete()).body == b"late"
    assert len(origin.requests) == MOST_STREAMS


async def test_a_section_above_its_bound_is_a_431_alone(proxy: Proxy, origin: Origin) -> None:
    async with client_of(proxy.port) as peer:
        held = peer.request(get_fields(origin.url()))
        more = [("x", "y" * 8000)] * (MAX_REQUEST_SECTION // 8000 + 1)
        got = await peer.request(get_fields(origin.url(), *more)).complete()
        assert (got.get(":status"), got.get("winnow-reason")) == ("431", "head-too-large")
        assert (await held.complete()).get(":status") == "404"


async def test_open_requests_of_a_connection_hold_a_bounded_number_of_bytes(
    proxy: Proxy, origin: Origin
) -> None:
    """A field of 4 kB in HPACK's table that a byte names each time (CVE-2016-6581)."""
    many, encoder, enough = 14, Encoder(), asyncio.Event()
    most = MOST_SECTIONS // (many * 4033)

    async def count(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        if origin.connections >= most - 1:
            enough.set()
        await reader.read()

    origin.usual = count
    first = encoder.encode([*get_fields(origin.url()), ("x", "y" * 4000)])
    async with raw(proxy.port) as (reader, writer):
        for at in range(MOST_STREAMS):
            named = encoder.encode(get_fields(origin.url())) if at else first
            writer.write(opened(2 * at + 1, named + b"\xbe" * many))
        async with asyncio.timeout(60):
            await enough.wait()
        writer.write(PingFrame(0, b"12345678").serialize())
        async with asyncio.timeout(60):
            await reader.readuntil(b"12345678")  # so the connection goes on
        assert origin.connections <= most


async def test_who_cancels_many_requests_loses_no_other(proxy: Proxy, origin: Origin) -> None:
    """A map that is dragged cancels 200 within seconds."""
    go = asyncio.Event()

    async def download(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await go.wait()
        writer.write(reply(b"z" * 100_000))
        await writer.drain()

    origin.replies["/download"], origin.usual = download, silence
    async with client_of(proxy.port) as peer:
        beside = peer.request(get_fields(origin.url("/download")))
        for _ in range(300):
            tile = peer.request(get_fields(origin.url("/tile")))
            await asyncio.sleep(0)
            peer.state.reset_stream(tile.number, ErrorCodes.CANCEL)
            peer.flush()
        go.set()
        assert (await beside.complete()).body == b"z" * 100_000


async def test_more_fields_than_allowed_are_a_431(proxy: Proxy, origin: Origin) -> None:
    loop = asyncio.get_running_loop()
    _, peer = await loop.create_connection(lambda: Peer(True), "127.0.0.1", proxy.port)
    got = await peer.request(get_fields(origin.url(), *[("x", "y")] * 1001)).complete()
    assert (got.get(":status"), got.get("winnow-reason")) == ("431", "head-too-large")
    peer.close()
    await peer.lost


async def test_a_window_that_stays_shut_ends_the_stream(origin: Origin) -> None:
    origin.replies["/"] = reply(b"z" * 1_000_000)
    async with proxying(bounds=ClientBounds(http2=True, stalled=0.2)) as proxy:
        loop = asyncio.get_running_loop()
        _, peer = await loop.create_connection(lambda: Peer(True), "127.0.0.1", proxy.port)
        peer.reads = False
        stream: Exchanged = peer.request(get_fields(origin.url()))
        await stream.until(lambda: stream.reset is not None)
        peer.close()
        await peer.lost


def test_the_budget_is_spent_and_comes_back() -> None:
    now = [0.0]
    budget = FrameBudget(lambda: now[0])
    assert all(budget.spend(1) for _ in range(BUDGET))
    assert not budget.spend(1)
    now[0] += 10
    assert all(budget.spend(1) for _ in range(int(10 * PER_SECOND) - 1))
    assert not budget.spend(1)
    budget.earn(10 * BUDGET)
    assert not budget.spend(BUDGET + 1)
