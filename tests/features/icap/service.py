"""A Winnow with an ICAP port, and a client that sends it messages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from benchmarks.free_ports import free_port
from tests.unhurried import IN_ENVIRONMENT
from winnow.compose.running import Running, running
from winnow.config.sources.source_precedence import load
from winnow.feature_list import sections_of

RUNNING: Final[list[Running]] = []
"""The Winnow that serves now."""


@asynccontextmanager
async def serving(
    folder: Path, peers: str = "127.0.0.1", memory: str = "64 MiB", port: int = 0
) -> AsyncIterator[int]:
    """Its port."""
    port = port or free_port()
    given = {
        **IN_ENVIRONMENT,
        "WINNOW_FEATURES__ENABLED": "icap",
        "WINNOW_ICAP__PORT": str(port),
        "WINNOW_ICAP__PEERS": peers,
        "WINNOW_SERVER__REQUEST_MEMORY_PER_CLIENT": memory,
        "WINNOW_EXTRACTION__EXTRACTOR": "bte",
        "WINNOW_STORAGE__FOLDER": str(folder),
    }
    settings = load(environment=given, of_features=sections_of).settings
    async with running(replace(settings, server=replace(settings.server, port=0))) as proxy:
        RUNNING[:] = [proxy]
        yield port


@dataclass
class Client:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def head(self) -> bytes:
        return await self.reader.readuntil(b"\r\n\r\n")

    async def answer(self) -> tuple[bytes, bytes, bytes]:
        """Head of ICAP, head of HTTP, body."""
        icap = await self.head()
        if b" 200 " not in icap.split(b"\r\n")[0] or b"-hdr=" not in icap:
            return icap, b"", b""
        return (
            icap,
            await self.head(),
            await self._body() if b"-body=" in icap.replace(b"null-body", b"") else b"",
        )

    async def _body(self) -> bytes:
        body = b""
        while size := int(await self.reader.readuntil(b"\r\n"), 16):
            body += (await self.reader.readexactly(size + 2))[:-2]
        await self.reader.readexactly(2)
        return body


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()


BROWSER = "Accept: text/html\r\nUser-Agent: Mozilla/5.0\r\n"
HTML = "Content-Type: text/html; charset=utf-8\r\n"


def respmod(
    *fields: str, url: str = "http://site.example/story", asked: str = BROWSER, found: str = HTML
) -> bytes:
    """A message up to its body; ``found``: the response's fields."""
    request = f"GET {url} HTTP/1.1\r\nHost: site.example\r\n{asked}\r\n"
    response = f"HTTP/1.1 200 OK\r\n{found}\r\n"
    parts = f"req-hdr=0, res-hdr={len(request)}, res-body={len(request) + len(response)}"
    return message("RESPMOD", parts, *fields) + (request + response).encode()


def reqmod(request: str, *fields: str) -> bytes:
    """A message with a request that has no body."""
    return message("REQMOD", f"req-hdr=0, null-body={len(request)}", *fields) + request.encode()


def message(method: str, parts: str, *fields: str) -> bytes:
    lines = [
        f"{method} icap://winnow/{method.lower()} ICAP/1.0",
        "Host: winnow",
        *fields,
        f"Encapsulated: {parts}",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def chunked(body: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    return b"%x\r\n%b\r\n" % (len(body), body) + end if body else end
