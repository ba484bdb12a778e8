"""What each kind of request costs: CPU of the whole process tree, measured on this machine."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

from benchmarks.load.clients import Tally, Visitor, Wanted, read_reply, request
from benchmarks.load.local_deployment import CONFIG, balancer
from benchmarks.load.programs import children, memory, origin, winnow
from benchmarks.load.request_mix import BROWSER
from benchmarks.load.runs import answering, extracting, idle

CLIENTS: Final = 8
REQUESTS: Final = 1500
PICTURE: Final = "image/avif,image/webp,*/*;q=0.8"
BY_SITE: Final = CONFIG.with_name("haproxy-by-site.cfg")
FILLING: Final = (("kept", PICTURE, 15_000), ("story", BROWSER, 4000))
"""Different addresses, of 20 kB each: more than the caches below hold."""
SETTINGS: Final = {"WINNOW_CACHE__MEMORY": "256 MiB", "WINNOW_CACHE__RENDERINGS": "64 MiB"}


@dataclass(frozen=True, slots=True)
class Costs:
    """CPU seconds of one; bytes of memory. ``front``: of HAProxy, a request by site, a tunnel.

    ``page_kept``: from the cache, rendered; ``page_again``: fetched, rendered before;
    ``page_new``: fetched and extracted. ``answering``: the process that answers after some 15,000
    requests of few addresses, ``answering_full`` with full caches (of 320 MiB); ``extracting``: one
    process of those.
    """

    page_kept: float
    page_again: float
    page_new: float
    object_kept: float
    object_fetched: float
    tunnel: float
    front_request: float
    front_tunnel: float
    answering: float
    answering_full: float = 0.0
    extracting: float = 0.0
    connection: float = 0.0


def cpu_seconds(pids: Sequence[int]) -> float:
    """User and system time that processes have used so far (proc(5))."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


Action = Callable[[Visitor], Awaitable[None]]


async def each_costs(
    pids: Callable[[], Sequence[int]], port: int, action: Action, number: int = REQUESTS
) -> float:
    """CPU seconds of one of so many actions by CLIENTS at once. Raises RuntimeError."""
    tally, begun, left = Tally(), cpu_seconds(pids()), iter(range(number))

    async def client() -> None:
        visitor = Visitor(port, tally)
        for _ in left:
            await action(visitor)
        visitor.close()

    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    if tally.failures:
        raise RuntimeError(f"Requests failed: {dict(tally.failed)}")
    return (cpu_seconds(pids()) - begun) / number


def asking(pages: int, kind: str, accept: str, different: int) -> Action:
    """Requests for so many different addresses, over and over."""
    numbers = count()

    async def ask(visitor: Visitor) -> None:
        number = next(numbers) % different
        await visitor.ask(Wanted("any", f"http://127.0.0.1:{pages}/{kind}/{number}", accept))

    return ask


def tunnelling(pages: int) -> Action:
    """CONNECT, one request of 20 kB inside, end."""

    async def tunnel(visitor: Visitor) -> None:
        reader, writer = await asyncio.open_connection(visitor.host, visitor.port)
        at = f"127.0.0.1:{pages}"
        writer.write(f"CONNECT {at} HTTP/1.1\r\nHost: {at}\r\n\r\n".encode())
        if b" 200 " not in await reader.readuntil(b"\r\n\r\n"):
            raise RuntimeError("A tunnel was refused.")
        writer.write(request(Wanted("any", f"http://{at}/story/1")))
        await read_reply(reader)
        writer.close()
        await writer.wait_closed()

    return tunnel


async def measured(folder: Path) -> Costs:
    """Start Winnow, an origin and HAProxy, and load them. Raises RuntimeError, OSError."""
    async with origin() as pages:
        async with winnow(folder, environment=SETTINGS) as (process, port):
            pid = process.pid

            def tree() -> list[int]:
                return [*answering(pid), *extracting(pid)]

            async def cost(kind: str, accept: str, different: int = 20) -> float:
                return await each_costs(tree, port, asking(pages, kind, accept, different))

            for kind in ("kept", "story"):
                await cost(kind, BROWSER)  # they are stored, or rendered, once
            costs = Costs(
                page_kept=await cost("kept", BROWSER),
                page_again=await cost("story", BROWSER),
                page_new=await cost("story", BROWSER, 10**9),
                object_kept=await cost("kept", PICTURE),
                object_fetched=await cost("story", PICTURE),
                tunnel=await each_costs(tree, port, tunnelling(pages)),
                front_request=await of_front(port, asking(pages, "kept", PICTURE, 20), BY_SITE),
                front_tunnel=await of_front(port, tunnelling(pages), CONFIG),
                answering=memory(answering(pid)),
            )
            for kind, accept, number in FILLING:
                await each_costs(tree, port, asking(pages, kind, accept, 10**9), number)
            full, workers = memory(answering(pid)), extracting(pid)
            each = memory(workers) / len(workers)
        (folder / "idle").mkdir()
        idle_one = (await idle(folder / "idle", 500)).each
    return replace(costs, answering_full=full, extracting=each, connection=idle_one)


async def of_front(port: int, action: Action, config: Path) -> float:
    """CPU seconds of HAProxy for one action, by a shipped file before one Winnow."""
    async with balancer(port, port, config=config) as front:
        return await each_costs(haproxy, front, action)


def haproxy() -> list[int]:
    """The balancer that this program started."""
    return children(os.getpid(), "haproxy")


def main() -> Costs:
    with tempfile.TemporaryDirectory(prefix="winnow-fleet-") as folder:
        return asyncio.run(measured(Path(folder)))
