"""What clients make Winnow hold is bounded, by client and in all, and given back; drips end."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.proxy.origins import Origin, ask, closed, html, opened, read_answer, reply
from tests.proxy.proxies import proxying
from tests.proxy.server.test_slow_clients import PATIENCE, end_of
from winnow.proxy.access.memory_account import MemoryAccount, MemoryFullError
from winnow.proxy.server.requests.client_limits import (
    ClientBounds,
    LeastRate,
    UploadLimits,
    spool_body,
)

pytestmark = pytest.mark.usefixtures("virtual_time")
KIB = 1024


def post(port: int, length: int) -> bytes:
    head = f"POST /-/api/extract HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length}"
    return f"{head}\r\n\r\n".encode()


async def until_held(account: MemoryAccount, size: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while account.held != size:  # noqa: ASYNC110 - nothing tells when it changes
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(("each", "most", "status"), [(100, 0, 413), (0, 100, 503)])
async def test_unfinished_bodies_together_are_bounded(each: int, most: int, status: int) -> None:
    account = MemoryAccount(each * KIB, most * KIB)
    async with proxying(bounds=ClientBounds(account=account)) as proxy:
        begun = [await opened(proxy.port) for _ in range(10)]
        for _, writer in begun:
            writer.write(post(proxy.port, 40 * KIB) + b"x" * 30 * KIB)
        done, waiting = await asyncio.wait(
            [asyncio.create_task(read_answer(reader)) for reader, _ in begun], timeout=2
        )
        assert 0 < account.held <= 100 * KIB
        assert len(done) >= 7
        assert {task.result().status for task in done} == {status}
        for task in waiting:
            task.cancel()
        for _, writer in begun:
            await closed(writer)
        await until_held(account, 0)
        answer = await ask(proxy.port, post(proxy.port, 3) + b"<p>")
        assert answer.status == 200
        assert not account.held


async def test_unfinished_heads_together_are_bounded() -> None:
    account = MemoryAccount(40 * KIB)
    async with proxying(bounds=ClientBounds(account=account)) as proxy:
        begun = [await opened(proxy.port) for _ in range(10)]
        for _, writer in begun:
            writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nX-A: " + b"x" * 7 * KIB)
        done, waiting = await asyncio.wait(
            [asyncio.create_task(end_of(reader)) for reader, _ in begun], timeout=2
        )
        assert {task.result()[:12] for task in done} == {b"HTTP/1.1 431"}
        assert len(done) == 5
        assert 30 * KIB < account.held <= 40 * KIB
        for _, writer in begun:
            writer.write(b"\r\n\r\n")
        await until_held(account, 0)
        for task in waiting:
            task.cancel()
        for _, writer in begun:
            await closed(writer)


async def test_pages_beyond_the_bound_are_sent_as_they_are(origin: Origin) -> None:
    """A page is no fault of who asked for it."""
    page = b"<html><body><p>A page.</p>" + b"<p>x</p>" * 10_000
    origin.replies["/a"] = html(page)
    account = MemoryAccount(100 * KIB)
    async with proxying(bounds=ClientBounds(account=account)) as proxy:
        answer = await ask(
            proxy.port,
            f"GET {origin.url('/a')} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n".encode(),
        )
        assert (answer.status, answer.field("winnow-reason")) == (200, "busy")
        assert page in answer.body
        assert not account.held


def test_a_rate_is_measured_over_its_seconds() -> None:
    rate = LeastRate(100, 60)
    for now in range(0, 60, 10):
        rate.moved(1, now)
    with pytest.raises(TimeoutError):
        rate.moved(1, 60)
    rate = LeastRate(100, 60)
    for now in range(0, 600, 10):
        rate.moved(20, now)


async def test_an_upload_that_drips_is_ended(origin: Origin) -> None:
    origin.replies["/up"] = reply(b"thanks")
    async with proxying(bounds=ClientBounds(rate_seconds=0.5)) as proxy:
        reader, writer = await opened(proxy.port)
        fields = f"Host: 127.0.0.1:{origin.port}\r\nContent-Length: 1000"
        writer.write(f"POST {origin.url('/up')} HTTP/1.1\r\n{fields}\r\n\r\n".encode())

        async def drip() -> None:
            while True:
                writer.write(b"x")
                await asyncio.sleep(0.05)

        dripping = asyncio.create_task(drip())
        async with asyncio.timeout(PATIENCE):
            assert (await read_answer(reader)).status == 408
        dripping.cancel()
        await closed(writer)


async def receive(port: int, url: str, pieces: int, pause: float, size: int) -> int:
    """Bytes that a client with a small window reads of a reply, so many at a time."""
    loop, got = asyncio.get_running_loop(), 0
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 * KIB)
        client.connect(("127.0.0.1", port))
        client.setblocking(False)
        await loop.sock_sendall(client, f"GET {url} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        while got < size and (piece := await loop.sock_recv(client, pieces)):
            got += len(piece)
            await asyncio.sleep(pause)
    return got


async def test_who_reads_a_reply_by_drips_is_cut_off(origin: Origin) -> None:
    ended = asyncio.Event()

    async def endless(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: video/x\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
        except ConnectionError:
            ended.set()

    origin.replies["/endless"] = endless
    async with proxying(bounds=ClientBounds(rate_seconds=0.6)) as proxy:
        url = origin.url("/endless")
        reading = asyncio.create_task(receive(proxy.port, url, 1, 0.05, 1 << 30))
        async with asyncio.timeout(PATIENCE):
            await ended.wait()
        reading.cancel()


async def test_who_reads_slowly_but_reads_gets_all(origin: Origin) -> None:
    size = 6 << 20  # more than the kernel takes
    origin.replies["/big"] = reply(b"x" * size, "Content-Type: video/x")
    async with proxying(bounds=ClientBounds(rate_seconds=0.6)) as proxy:
        url = origin.url("/big")
        assert await receive(proxy.port, url, 64 * KIB, 0.005, size) >= size


async def test_what_uploads_have_on_disk_is_bounded(tmp_path: Path) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(10):
            yield b"x" * KIB

    held = MemoryAccount(4 * KIB).holding("a")
    with (tmp_path / "body").open("wb") as file, pytest.raises(MemoryFullError):
        await spool_body(chunks(), KIB * KIB, UploadLimits(), file, held)
    assert held.size == 4 * KIB
    assert (tmp_path / "body").stat().st_size == 4 * KIB
