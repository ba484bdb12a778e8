"""Memory stays flat: many clients at once, and one that reads slowly, in a proxy of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.programs import require_program
from tests.proxy.origins import Origin, get, read_answer, reply, serving

pytestmark = pytest.mark.release

MIB = 1024 * 1024
BODY = bytes(range(256)) * 4096
GROWTH = 30 * MIB
"""16 MiB are measured, however busy the machine is. By its bounds each of the 64 could hold at once
some 128 KiB of what it sends (``http1_stream.PIECE``) and as much of what it gets,
16 MiB in all; the heap's own gaps come on top."""


@asynccontextmanager
async def separate_proxy() -> AsyncIterator[tuple[int, int]]:
    """Process id and port of a proxy that runs by itself."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "winnow", "serve", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    try:
        async with asyncio.timeout(60):
            line = (await process.stdout.readline()).decode()
        yield process.pid, int(line.split("(", 1)[0].strip().rpartition(":")[2])
    finally:
        process.terminate()
        async with asyncio.timeout(60):
            await process.communicate()


def memory(pid: int, which: str) -> int:
    """Bytes that a process holds now (VmRSS) or held at most (VmHWM)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(which):
            return int(line.split()[1]) * 1024
    raise AssertionError("this system does not tell")


async def uploads_and_reads(port: int, url: str) -> None:
    """One client: sends a mebibyte and gets one back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    fields = (f"Content-Length: {len(BODY)}", "Connection: close")
    writer.write(get(url, *fields, method="POST"))
    for at in range(0, len(BODY), 65536):
        writer.write(BODY[at : at + 65536])
        await writer.drain()
    assert (await read_answer(reader)).body == BODY
    writer.close()
    await writer.wait_closed()


@pytest.fixture
async def origin() -> AsyncIterator[Origin]:
    async with serving(Origin()) as running:
        yield running


async def test_sixty_four_clients_cost_no_memory(origin: Origin) -> None:
    origin.replies["/mebibyte"] = reply(BODY, "Content-Type: application/octet-stream")
    async with separate_proxy() as (pid, port):
        await asyncio.gather(*(uploads_and_reads(port, origin.url("/mebibyte")) for _ in range(4)))
        before = memory(pid, "VmRSS")
        for _ in range(3):
            work = (uploads_and_reads(port, origin.url("/mebibyte")) for _ in range(64))
            await asyncio.gather(*work)
            origin.bodies.clear()
        assert memory(pid, "VmHWM") - before < GROWTH


async def test_a_slow_reader_of_a_gigabyte_costs_no_memory(origin: Origin) -> None:
    sent = 0

    async def gigabyte(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (1024 * MIB))
        for _ in range(1024):
            writer.write(BODY)
            await writer.drain()
            sent += MIB

    origin.replies["/gigabyte"] = gigabyte
    async with separate_proxy() as (pid, port):
        before = memory(pid, "VmRSS")
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(get(origin.url("/gigabyte")))
        await reader.readuntil(b"\r\n\r\n")
        for _ in range(20):  # each pause is long enough for a hundred MiB
            await reader.read(65536)
            await asyncio.sleep(0.05)
        assert sent < 64 * MIB
        writer.close()
        await writer.wait_closed()
        curl = (require_program("curl"), "-s", "-x", f"http://127.0.0.1:{port}", "-o", "/dev/null")
        whole = await asyncio.create_subprocess_exec(*curl, origin.url("/gigabyte"))
        assert await whole.wait() == 0
        assert memory(pid, "VmHWM") - before < GROWTH
