"""What clients of HTTP/2 make Winnow hold is booked for them, bounded and given back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from h2.errors import ErrorCodes
from hyperframe.frame import ContinuationFrame, HeadersFrame

from tests.proxy.http2_peers import Exchanged, Peer, get_fields
from tests.proxy.origins import Origin, reply
from tests.proxy.proxies import proxying
from tests.proxy.server.test_held_memory import KIB, until_held
from tests.proxy.server.test_http2 import client_of
from tests.proxy.server.test_http2_floods import goaway, raw, silence
from winnow.proxy.access.memory_account import MemoryAccount
from winnow.proxy.http2.protocol import MAX_SECTION
from winnow.proxy.server.requests.client_limits import ClientBounds

pytestmark = pytest.mark.usefixtures("virtual_time")
CALM = ErrorCodes.ENHANCE_YOUR_CALM
BLOCK = ContinuationFrame(1, b"\x00" * 16 * KIB).serialize()


@asynccontextmanager
async def speaking(
    account: MemoryAccount, rate_seconds: float = 60
) -> AsyncIterator[tuple[int, Peer]]:
    """A proxy's port and a client; all that is booked is given back once that is gone."""
    bounds = ClientBounds(http2=True, account=account, rate_seconds=rate_seconds)
    async with proxying(bounds=bounds) as proxy:
        async with client_of(proxy.port) as peer:
            yield proxy.port, peer
        await until_held(account, 0)


@pytest.mark.parametrize(("each", "most", "status"), [(100, 0, "431"), (0, 100, "503")])
async def test_heads_together_are_bounded(
    each: int, most: int, status: str, origin: Origin
) -> None:
    origin.usual = silence
    account = MemoryAccount(each * KIB, most * KIB)
    async with speaking(account) as (_, peer):
        large = [("x", "y" * 8000)] * 5
        streams = [peer.request(get_fields(origin.url(), *large)) for _ in range(5)]
        for stream in streams[2:]:
            assert (await stream.complete()).get(":status") == status
        assert 80_000 < account.held <= 100 * KIB
        assert not any(stream.ended for stream in streams[:2])
        before = account.held
        peer.state.reset_stream(streams[0].number, ErrorCodes.CANCEL)
        peer.flush()
        await until_held(account, before // 2)


async def test_bodies_that_wait_are_bounded(origin: Origin) -> None:
    async def unread(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.pause_reading()  # type: ignore[attr-defined]  # a socket's has it
        await asyncio.sleep(60)

    origin.usual = unread
    account = MemoryAccount(200 * KIB)
    async with speaking(account) as (_, peer):
        streams = [
            peer.request(get_fields(origin.url(), method="POST"), end=False) for _ in range(8)
        ]
        sending = [
            asyncio.create_task(peer.data(stream.number, b"x" * 8000 * KIB)) for stream in streams
        ]
        await one_of(streams)
        assert account.held <= 200 * KIB
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)


async def one_of(streams: list[Exchanged]) -> None:
    """Wait until one is reset since its client shall calm down."""
    async with asyncio.timeout(60):
        while CALM not in {stream.reset for stream in streams}:  # noqa: ASYNC110 - as until_held
            await asyncio.sleep(0.01)


async def test_what_waits_to_be_sent_is_bounded(origin: Origin) -> None:
    origin.replies["/"] = reply(b"z" * 1_000_000, "Content-Type: video/x")
    account = MemoryAccount(150 * KIB)
    async with speaking(account) as (_, peer):
        peer.reads = False
        streams = [peer.request(get_fields(origin.url())) for _ in range(8)]
        await one_of(streams)
        assert account.held <= 150 * KIB


async def test_a_section_that_does_not_end_is_booked(origin: Origin) -> None:
    account = MemoryAccount(100 * KIB)
    async with speaking(account) as (port, _), raw(port) as (reader, writer):
        writer.write(HeadersFrame(1, b"").serialize() + BLOCK * 4)
        await until_held(account, 9 + 4 * len(BLOCK))
        writer.write(BLOCK * 4)
        assert await goaway(reader) == CALM


async def test_a_section_that_does_not_end_is_bounded() -> None:
    async with speaking(MemoryAccount()) as (port, _), raw(port) as (reader, writer):
        writer.write(HeadersFrame(1, b"").serialize() + BLOCK * (MAX_SECTION // len(BLOCK) + 1))
        assert await goaway(reader) == CALM


async def test_a_field_named_by_a_byte_is_booked_by_what_it_unpacks_to(origin: Origin) -> None:
    origin.usual = silence
    account = MemoryAccount(300 * KIB)
    async with speaking(account) as (_, peer):
        named = [("x", "y" * 4000)] * 14  # in HPACK's table from the first on
        streams = [peer.request(get_fields(origin.url(), *named)) for _ in range(20)]
        for stream in streams[6:]:
            assert (await stream.complete()).get(":status") == "431"
        assert 200 * KIB < account.held <= 300 * KIB


async def test_an_upload_that_drips_is_ended(origin: Origin) -> None:
    origin.usual = silence
    async with speaking(MemoryAccount(), rate_seconds=0.5) as (_, peer):
        stream = peer.request(get_fields(origin.url(), method="POST"), end=False)

        async def drip() -> None:
            while True:
                await peer.data(stream.number, b"x", end=False)
                await asyncio.sleep(0.05)

        dripping = asyncio.create_task(drip())
        await stream.until(lambda: stream.get(":status") == "408")
        dripping.cancel()
