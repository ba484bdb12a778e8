"""An origin whose replies are the very bytes that a test wrote; and a client that sends bytes."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def reply(body: bytes = b"", *fields: str, status: str = "200 OK", length: bool = True) -> bytes:
    """A whole HTTP/1.1 reply."""
    lines = [f"HTTP/1.1 {status}", *fields]
    if length:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def html(body: bytes, *fields: str) -> bytes:
    return reply(body, "Content-Type: text/html; charset=utf-8", *fields)


NOTHING = reply(b"nothing here", status="404 Not Found")


@dataclass
class Origin:
    """Answers a path with its bytes, or lets its script speak; remembers requests as bytes.

    ``usual`` answers where a path has no reply of its own.
    """

    replies: dict[str, bytes | Script] = field(default_factory=dict)
    requests: list[bytes] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    usual: bytes | Script = NOTHING

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        self.requests.append(head)
        path = head.split(b" ", 2)[1].decode("latin-1")
        answer = self.replies.get(path, self.usual)
        if not isinstance(answer, bytes):
            await answer(reader, writer)
            return False
        self.bodies.append(await read_body(head, reader))
        writer.write(answer)
        await writer.drain()
        return b"content-length:" in answer.lower() or b" 304 " in answer[:16]


async def read_body(head: bytes, reader: asyncio.StreamReader) -> bytes:
    """The body of a request or a reply whose head says how long it is."""
    lower = head.lower()
    if b"transfer-encoding: chunked" in lower:
        pieces = []
        while size := int(await reader.readuntil(b"\n"), 16):
            pieces.append((await reader.readexactly(size + 2))[:-2])
        await reader.readline()
        return b"".join(pieces)
    _, found, rest = lower.partition(b"content-length:")
    return await reader.readexactly(int(rest.split(b"\r\n", 1)[0])) if found else b""


@asynccontextmanager
async def serving(
    origin: Origin, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[Origin]:
    server = await asyncio.start_server(origin.serve, host, 0, ssl=tls)
    origin.port = server.sockets[0].getsockname()[1]
    try:
        yield origin
    finally:
        server.close()
        await server.wait_closed()


@dataclass(frozen=True)
class Answer:
    """A reply as the client saw it; the body freed of its framing."""

    status: int
    head: bytes
    body: bytes

    def field(self, name: str) -> str:
        """The first field of a name, empty if there is none."""
        for line in self.head.decode("latin-1").split("\r\n")[1:]:
            key, _, value = line.partition(":")
            if key.lower() == name.lower():
                return value.strip()
        return ""


async def read_answer(reader: asyncio.StreamReader, method: str = "GET") -> Answer:
    """Read one reply; a body without length is read until the connection ends."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1])
    lower = head.lower()
    if method == "HEAD" or status in (204, 304) or status < 200:
        return Answer(status, head, b"")
    if b"content-length:" in lower or b"transfer-encoding: chunked" in lower:
        return Answer(status, head, await read_body(head, reader))
    return Answer(status, head, await reader.read())


async def opened(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to a proxy that may carry several requests."""
    return await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    await writer.wait_closed()


async def ask(port: int, request: bytes, host: str = "127.0.0.1") -> Answer:
    """Send bytes to a proxy and read its reply."""
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
    try:
        writer.write(request)
        return await read_answer(reader, request.split(b" ", 1)[0].decode())
    finally:
        writer.close()
        await writer.wait_closed()


def get(url: str, *fields: str, method: str = "GET") -> bytes:
    """An absolute-form request, as a client of a proxy sends it."""
    host = url.split("/", 3)[2]
    lines = [f"{method} {url} HTTP/1.1", f"Host: {host}", *fields]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
