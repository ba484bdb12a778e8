"""The least proxy that a browser can use: CONNECT, and one plain request a connection; no rules."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, version = head.split(b"\r\n", 1)[0].decode().split(" ")
        url = urlsplit(f"//{target}" if method == "CONNECT" else target)
        far = await asyncio.open_connection(url.hostname, url.port or 80)
    except (ConnectionError, OSError, asyncio.IncompleteReadError):
        writer.close()
        return
    if method == "CONNECT":
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    else:
        path = (url.path or "/") + (f"?{url.query}" if url.query else "")
        lines = [f"{method} {path} {version}".encode(), b"Connection: close"]
        kept = [line for line in head.split(b"\r\n")[1:] if b"connection:" not in line.lower()]
        far[1].write(b"\r\n".join([*lines, *kept]))
        writer.write((await far[0].readuntil(b"\r\n"))[:-2] + b"\r\nConnection: close\r\n")
    await asyncio.gather(_copy(reader, far[1]), _copy(far[0], writer))


@asynccontextmanager
async def bare_proxy() -> AsyncIterator[int]:
    """The port of one that runs in this loop."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
