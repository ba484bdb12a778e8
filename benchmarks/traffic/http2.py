"""Requests on one kept connection inside intercepted TLS: HTTP/2 on both sides beside HTTP/1.1."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from benchmarks.traffic.async_client import ask, trusting, tunnelled
from benchmarks.traffic.processes import Server
from benchmarks.traffic.workloads import WITHIN
from winnow.evaluation.errors import SubjectError
from winnow.proxy.http.headers import Headers
from winnow.proxy.http2.connection import Http2Connection
from winnow.proxy.http2.fields import parse_response, section

SIZES: Final = {"2 kB": "/small.html", "100 kB": "/page.html"}
Way = Callable[[int, str, str, int], Coroutine[None, None, None]]


@dataclass(frozen=True, slots=True)
class Versions:
    """Microseconds of a proxy's CPU for a request of each version, and the median of their ratios.

    The ratios are of pairs measured one right after the other.
    """

    proxy: str
    size: str
    http1: float
    http2: float
    ratio: float


def measured(
    proxies: Mapping[str, Server], origins: Mapping[str, str], rounds: int, count: int
) -> list[Versions]:
    """``origins``: ``host:port`` of one that speaks "1.1" alone and of one that speaks "2" too."""
    found = []
    for name, server in proxies.items():
        for size, target in SIZES.items():
            pairs = [_pair(server, origins, target, count) for _ in range(rounds + 1)][1:]
            one, two = (statistics.median(each) for each in zip(*pairs, strict=True))
            ratio = statistics.median(second / first for first, second in pairs)
            found.append(Versions(name, size, one, two, ratio))
    return found


def _pair(
    server: Server, origins: Mapping[str, str], target: str, count: int
) -> tuple[float, float]:
    return (
        _cpu(server, _by_http1, origins["1.1"], target, count),
        _cpu(server, _by_http2, origins["2"], target, count),
    )


def _cpu(server: Server, way: Way, origin: str, target: str, count: int) -> float:
    before = server.cpu()
    asyncio.run(way(server.port, origin, target, count))
    return 1e6 * (server.cpu() - before) / count


async def _by_http1(proxy: int, origin: str, target: str, count: int) -> None:
    async with tunnelled(proxy, origin, trusting()) as streams:
        for _ in range(count):
            await ask(streams, target, {"Host": origin, **WITHIN})


async def _by_http2(proxy: int, origin: str, target: str, count: int) -> None:
    async with connected(proxy, origin) as connection:
        for _ in range(count):
            await _ask(connection, origin, target)


async def _ask(connection: Http2Connection, origin: str, target: str) -> None:
    pseudo = ((":method", "GET"), (":scheme", "https"), (":authority", origin), (":path", target))
    stream = connection.request(section(pseudo, Headers(tuple(WITHIN.items()))), last=True)
    status, _ = parse_response(await stream.receive_section(30))
    if status != 200:
        raise SubjectError(f"The answer is {status}.")
    while await stream.receive(30):
        pass


@asynccontextmanager
async def connected(proxy: int, origin: str) -> AsyncIterator[Http2Connection]:
    """A connection of HTTP/2 inside CONNECT and TLS."""
    loop, context = asyncio.get_running_loop(), trusting()
    context.set_alpn_protocols(["h2"])
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy)
    writer.write(f"CONNECT {origin} HTTP/1.1\r\nHost: {origin}\r\n\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    connection = Http2Connection(memoryview(bytearray(256 * 1024)))
    host = origin.partition(":")[0]
    secured = await loop.start_tls(writer.transport, connection, context, server_hostname=host)
    if secured is None or secured.get_extra_info("ssl_object").selected_alpn_protocol() != "h2":
        raise SubjectError("The proxy speaks no HTTP/2.")
    connection.connection_made(secured)
    try:
        yield connection
    finally:
        secured.abort()
