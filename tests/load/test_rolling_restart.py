"""A rolling restart behind the shipped HAProxy settings loses no request and no tunnel."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks.free_ports import free_port
from benchmarks.load.clients import Tally
from benchmarks.load.local_deployment import balancer
from benchmarks.load.programs import origin, winnow
from tests.load.test_local_set import CLIENTS, further, load
from tests.programs import require_program

pytestmark = pytest.mark.release

SETTINGS = {
    "WINNOW_SERVER__DRAIN": "600s",  # the test says when HAProxy has seen it
    "WINNOW_SERVER__SHUTDOWN_GRACE": "600s",
    "WINNOW_EXTRACTION__PROCESSES": "1",
    "WINNOW_EXTRACTION__EXTRACTOR": "bte",
    "WINNOW_LEARNING__ENABLED": "false",
}
STATS = "global\n    stats socket {path} mode 600 level operator\n"
HALF = b"x" * 50_000


@dataclass
class Far:
    """An origin that sends the second half of a download, or of a tunnel's bytes, when it may."""

    port: int
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    open: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0]
        if line.startswith(b"GET"):
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (2 * len(HALF)))
        writer.write(HALF)
        self.open += 1
        await self.go_on.wait()
        writer.write(HALF)
        writer.close()

    async def get(self, port: int, request: str) -> int:
        """Bytes of a download or of a tunnel; ConnectionError or fewer bytes where it was cut."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request.encode())
        await reader.readuntil(b"\r\n\r\n")
        if request.startswith("CONNECT"):
            writer.write(b"hello\r\n\r\n")
        body = await reader.readexactly(2 * len(HALF))
        writer.close()
        return len(body)


@asynccontextmanager
async def far() -> AsyncIterator[Far]:
    made = Far(0)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    async with server:
        yield made


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(250):
        while not await holds():  # noqa: ASYNC110 - no event of another process reaches us
            await asyncio.sleep(0.1)


@dataclass
class Balanced:
    """Two instances behind HAProxy."""

    port: int
    stats: Path

    async def is_up(self, name: str) -> bool:
        reader, writer = await asyncio.open_unix_connection(str(self.stats))
        writer.write(b"show stat\n")
        rows = (await reader.read()).decode().splitlines()
        writer.close()
        status = rows[0].split(",").index("status")
        named = (row.split(",") for row in rows[1:] if row.startswith(f"winnow,{name},"))
        return next(named)[status].startswith("UP")


async def is_closed(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError:
        return True
    writer.close()
    return False


async def restart(
    name: str, process: asyncio.subprocess.Process, own: int, behind: Balanced, tally: Tally
) -> None:
    """SIGTERM to one instance, under load, with downloads and tunnels on both."""

    async def is_down() -> bool:
        return not await behind.is_up(name)

    async def no_longer_listens() -> bool:
        return await is_closed(own)

    async with far() as stranger:
        at = f"127.0.0.1:{stranger.port}"
        wanted = [f"GET http://{at}/big HTTP/1.1\r\nHost: {at}\r\n\r\n"]
        wanted += [f"CONNECT {at} HTTP/1.1\r\nHost: {at}\r\n\r\n"]
        long = [asyncio.create_task(stranger.get(behind.port, each)) for each in wanted * 4]

        async def all_begun() -> bool:
            return stranger.open == len(long)

        await until(all_begun)
        process.send_signal(signal.SIGTERM)
        await until(is_down)
        process.send_signal(signal.SIGTERM)  # it has drained for long enough
        await until(no_longer_listens)
        await further(tally, 6 * CLIENTS)
        assert not any(each.done() for each in long)
        stranger.go_on.set()
        assert await asyncio.gather(*long) == [2 * len(HALF)] * len(long)
        assert await process.wait() == 0


async def test_a_rolling_restart_loses_nothing(tmp_path: Path) -> None:
    require_program("haproxy")
    (tmp_path / "stats.cfg").write_text(STATS.format(path=tmp_path / "stats"))
    ports = {name: free_port() for name in ("first", "second")}

    async def started(name: str) -> asyncio.subprocess.Process:
        (tmp_path / name).mkdir(exist_ok=True)
        flags = ("--port", str(ports[name]), "--processes", "2")
        context = winnow(tmp_path / name, *flags, environment=SETTINGS)
        return (await ending.enter_async_context(context))[0]

    async with AsyncExitStack() as ending:
        processes = {name: await started(name) for name in ports}
        pages = await ending.enter_async_context(origin())
        before = balancer(ports["first"], ports["second"], tmp_path / "stats.cfg")
        behind = Balanced(await ending.enter_async_context(before), tmp_path / "stats")
        tally = await ending.enter_async_context(load(behind.port, pages))
        for name, process in processes.items():
            await restart(name, process, ports[name], behind, tally)
            await started(name)

            async def is_up(name: str = name) -> bool:
                return await behind.is_up(name)

            await until(is_up)
            await further(tally, 6 * CLIENTS)
        assert (tally.failures, tally.refused) == (0, 0)
