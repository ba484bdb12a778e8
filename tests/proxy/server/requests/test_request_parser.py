"""Malformed and oversized requests get our own error before they are buffered."""

from __future__ import annotations

import asyncio
import tracemalloc

import pytest

from tests.proxy.origins import Answer, Origin, read_answer, reply
from tests.proxy.proxies import Proxy
from winnow.proxy.server.requests.request_parser import MAX_FIELDS, MAX_HEAD, MAX_LINE

LINE = b"GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n"
FIELD = b"X-%d: " + b"v" * 60_000 + b"\r\n"
SLACK = 64 * 1024


async def sent(proxy: Proxy, data: bytes) -> tuple[Answer, bytes]:
    """The answer to bytes, and what follows it until the connection ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    try:
        async with asyncio.timeout(60):
            for start in range(0, len(data), 8192):  # refused in the middle: the rest may not go
                writer.write(data[start : start + 8192])
                await asyncio.sleep(0)
            return await read_answer(reader), await reader.read()
    finally:
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)


def lines(count: int, size: int) -> bytes:
    return b"".join(b"X-%d: %b\r\n" % (number, b"v" * size) for number in range(count))


REFUSED = {
    "no HTTP": (b"\x16\x03\x01\x02secret\r\n\r\n", 400, "malformed-request"),
    "no version": (b"GET http://a.example/secret HTTX/1.1\r\n\r\n", 400, "malformed-request"),
    "no address": (b"GET http://secret@[::1 HTTP/1.1\r\n\r\n", 400, "malformed-request"),
    "no Host": (b"GET / HTTP/1.1\r\nX: secret\r\n\r\n", 400, "malformed-request"),
    "a name that is none": (LINE + b"secret name: x\r\n\r\n", 400, "malformed-request"),
    "NUL in a value": (LINE + b"X: secret\0\r\n\r\n", 400, "malformed-request"),
    "another HTTP": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "malformed-request"),
    "a long address": (b"GET http://a.example/" + b"s" * MAX_LINE, 414, "target-too-long"),
    "a long field": (LINE + b"X: " + b"s" * (MAX_LINE + 1), 431, "head-too-large"),
    "many fields": (LINE + lines(MAX_FIELDS + 1, 1) + b"\r\n", 431, "head-too-large"),
    "a long head": (LINE + lines(6, 60_000) + b"\r\n", 431, "head-too-large"),
    "an endless head": (LINE + lines(200, 6000), 431, "head-too-large"),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_what_is_no_request_gets_our_own_answer(name: str, proxy: Proxy) -> None:
    data, status, reason = REFUSED[name]
    answer, rest = await sent(proxy, data)
    assert answer.head.startswith(b"HTTP/1.1 %d " % status)
    assert answer.field("winnow-reason") == reason
    assert answer.field("connection") == "close"
    assert answer.field("server") == ""
    whole = (answer.head + answer.body).lower()
    for leaked in (b"aiohttp", b"python", b"secret", b"sss", b"vvv", b"a.example"):
        assert leaked not in whole
    assert rest == b""


async def test_a_large_head_within_the_bounds_is_a_request(proxy: Proxy) -> None:
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(reply(b"ok"))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, limit=MAX_HEAD) as server:
        port = server.sockets[0].getsockname()[1]
        start = b"GET http://127.0.0.1:%d/ HTTP/1.1\r\nHost: a\r\n" % port
        answer, _ = await sent(proxy, start + lines(4, 60_000) + b"Connection: close\r\n\r\n")
    assert answer.status == 200
    assert len(heads[0]) > 240_000


async def test_a_body_counts_for_no_head(proxy: Proxy, origin: Origin) -> None:
    size = 2 * MAX_HEAD
    head = b"POST %b HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n" % (
        origin.url("/x").encode(),
        size,
    )
    following = b"GET %b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" % origin.url().encode()
    answer, rest = await sent(proxy, head + b"\r\n" + b"b" * size + following)
    assert answer.status == 404
    assert rest.startswith(b"HTTP/1.1 404 ")


async def test_incomplete_heads_are_buffered_up_to_their_bound_only(proxy: Proxy) -> None:
    """Eight clients send heads without end; the buffer of each stays near the bound."""
    clients = [await asyncio.open_connection("127.0.0.1", proxy.port) for _ in range(8)]
    field = lines(1, 60_000)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        most = 0
        for _ in range(100):  # six million bytes each
            for _, writer in clients:
                writer.write(LINE + field if most == 0 else field)
            await asyncio.sleep(0.002)
            unsent = sum(writer.transport.get_write_buffer_size() for _, writer in clients)
            most = max(most, tracemalloc.get_traced_memory()[0] - before - unsent)
    finally:
        tracemalloc.stop()
        for _, writer in clients:
            writer.transport.abort()
    assert most < 8 * (4 * MAX_HEAD + SLACK)
