"""Requests from asyncio where wrk cannot go: through CONNECT and TLS, at set times."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from winnow.evaluation.errors import SubjectError

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds from the request's last byte to the first of the body, and to the last."""

    first: float
    last: float


def trusting() -> ssl.SSLContext:
    """Takes every certificate: what is measured is the handshake, not the trust."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@asynccontextmanager
async def tunnelled(proxy: int, origin: str, context: ssl.SSLContext) -> AsyncIterator[Streams]:
    """A new connection through CONNECT to ``host:port``, its TLS done with the proxy."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy)
    try:
        writer.write(f"CONNECT {origin} HTTP/1.1\r\nHost: {origin}\r\n\r\n".encode())
        await _head(reader)
        await writer.start_tls(context, server_hostname=origin.partition(":")[0])
        yield reader, writer
    finally:
        writer.transport.abort()


async def ask(streams: Streams, target: str, fields: Mapping[str, str]) -> Timed:
    """One request on a connection. Raises SubjectError for any answer but 200 with a length."""
    reader, writer = streams
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    writer.write(f"GET {target} HTTP/1.1\r\n{lines}\r\n".encode())
    begun = time.perf_counter()
    left = await _head(reader)
    first = 0.0
    while left:
        left -= len(await reader.read(min(left, 65536)) or b"?" * left)
        first = first or time.perf_counter() - begun
    return Timed(first, time.perf_counter() - begun)


async def _head(reader: asyncio.StreamReader) -> int:
    """Read a reply's head; the bytes of its body."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    status, *lines = head.split("\r\n")
    if " 200" not in status[:13]:
        raise SubjectError(f"The answer is {status}.")
    lengths = [line for line in lines if line.lower().startswith("content-length:")]
    return int(lengths[0].partition(":")[2]) if lengths else 0


async def at_rate(
    calls: Sequence[Callable[[], Awaitable[Timed]]], per_second: float
) -> list[Timed]:
    """Each begun at its time, whether those before it have ended or not (open loop)."""
    begun = asyncio.get_running_loop().time()

    async def one(number: int, work: Callable[[], Awaitable[Timed]]) -> Timed:
        wait = begun + number / per_second - asyncio.get_running_loop().time()
        await asyncio.sleep(max(wait, 0))
        return await work()

    return list(await asyncio.gather(*(one(*numbered) for numbered in enumerate(calls))))
