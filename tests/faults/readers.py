"""A reader of a page through the proxy, and in one word what it got; knows no fault."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from tests.proxy.origins import Answer, ask, get

PATIENCE = 120.0
MOST = 4 * 1024 * 1024
BROWSER = "Accept: text/html,*/*;q=0.8"


@dataclass(frozen=True)
class Read:
    """``word``: a status that is no 200, ``whole``, ``cut`` or ``hung``; with seconds."""

    word: str
    seconds: float
    reason: str = ""


async def read(port: int, url: str, through: str = "") -> Read:
    """Ask for a page as of a proxy, or at Winnow's own address by what stands before it there."""
    request = get(url, BROWSER)
    if through:
        request = (
            f"GET {through}{url} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{BROWSER}\r\n\r\n".encode()
        )
    begun = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE):
            answer = await _begun(port, request)
    except TimeoutError:
        return Read("hung", time.perf_counter() - begun)
    except (OSError, asyncio.IncompleteReadError, ValueError):
        return Read("cut", time.perf_counter() - begun)
    word = "whole" if answer.status == 200 else str(answer.status)
    return Read(word, time.perf_counter() - begun, answer.field("winnow-reason"))


async def _begun(port: int, request: bytes) -> Answer:
    """The reply; what has no end is left once enough of it has come."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MOST)
    try:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        lower, status = head.lower(), int(head.split(b" ", 2)[1])
        if b"content-length:" in lower:
            size = int(lower.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
            return Answer(status, head, await reader.readexactly(size))
        return Answer(status, head, await _chunks(reader))
    finally:
        writer.close()


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while len(body) < MOST and (size := int(await reader.readuntil(b"\n"), 16)):
        body += (await reader.readexactly(size + 2))[:-2]
    return body


async def is_sound(port: int, url: str) -> bool:
    """Whether a page that nothing is wrong with comes whole."""
    answer = await ask(port, get(url, BROWSER))
    return answer.status == 200 and bool(answer.body)
