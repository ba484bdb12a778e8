"""Memory while clients read nothing of 1 MiB, inside intercepted TLS and over HTTP/2."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Final

from benchmarks.traffic.async_client import trusting, tunnelled
from benchmarks.traffic.http2 import connected
from benchmarks.traffic.processes import Server, resident
from benchmarks.traffic.workloads import WITHIN
from winnow.proxy.http.headers import Headers
from winnow.proxy.http2.fields import section

READERS: Final = 64
TARGET: Final = "/stream.bin"
_SETTLED: Final = 4.0
"""Seconds in which all buffers have filled."""
_FEW: Final = 4
Way = Callable[[Server, str, int], Coroutine[None, None, int]]


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes of the server process with a few slow readers, and what ``READERS`` add to them."""

    version: str
    before: int
    added: int


def measured(server: Server, origins: Mapping[str, str]) -> list[Held]:
    """``origins`` as in ``benchmarks.traffic.http2``."""
    found = []
    for version, way in (("1.1", _by_http1), ("2", _by_http2)):
        before = asyncio.run(way(server, origins[version], _FEW))
        found.append(
            Held(version, before, asyncio.run(way(server, origins[version], READERS)) - before)
        )
    return found


async def _by_http1(server: Server, origin: str, readers: int) -> int:
    lines = "".join(f"{name}: {value}\r\n" for name, value in WITHIN.items())
    request = f"GET {TARGET} HTTP/1.1\r\nHost: {origin}\r\n{lines}\r\n".encode()
    async with AsyncExitStack() as stack:
        for _ in range(readers):
            streams = tunnelled(server.port, origin, trusting())
            _, writer = await stack.enter_async_context(streams)
            writer.transport.pause_reading()  # type: ignore[attr-defined]  # it reads, too
            writer.write(request)
        await asyncio.sleep(_SETTLED)
        return resident(server.pid)


async def _by_http2(server: Server, origin: str, readers: int) -> int:
    pseudo = ((":method", "GET"), (":scheme", "https"), (":authority", origin), (":path", TARGET))
    head = section(pseudo, Headers(tuple(WITHIN.items())))
    async with connected(server.port, origin) as connection:
        for _ in range(readers):
            connection.request(head, last=True)
        await asyncio.sleep(_SETTLED)
        return resident(server.pid)
