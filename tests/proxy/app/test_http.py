"""HTTP itself: what a proxy must do with messages whatever they carry (RFC 9110, RFC 9112)."""

from __future__ import annotations

import asyncio

import pytest

from tests.proxy.origins import Origin, ask, closed, get, opened, read_answer, reply
from tests.proxy.proxies import Proxy


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
async def test_a_reply_without_body_leaves_the_connection_usable(
    origin: Origin, proxy: Proxy, status: str
) -> None:
    origin.replies["/a"] = reply(b"", 'ETag: "e"', status=status, length=False)
    origin.replies["/b"] = reply(b"next")
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url("/a")) + get(origin.url("/b")))
    first, second = await read_answer(reader), await read_answer(reader)
    assert (first.status, first.field("content-length")) == (int(status[:3]), "")
    assert first.field("transfer-encoding") == ""
    assert second.body == b"next"
    await closed(writer)


async def test_an_http_1_0_client_gets_no_chunks(origin: Origin, proxy: Proxy) -> None:
    body = b"5\r\nabcde\r\n0\r\n\r\n"
    origin.replies["/a"] = reply(body, "Transfer-Encoding: chunked", length=False)
    request = f"GET {origin.url('/a')} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".encode()
    answer = await ask(proxy.port, request)
    assert answer.body == b"abcde"
    assert answer.field("transfer-encoding") == ""
    assert answer.field("connection") == "close"
    origin.replies["/b"] = reply(b"abc")
    request = f"GET {origin.url('/b')} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".encode()
    assert (await ask(proxy.port, request)).field("connection") == "keep-alive"


async def test_a_body_without_length_is_chunked_on(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = reply(b"until the end", length=False)
    answer = await ask(proxy.port, get(origin.url("/a")))
    assert answer.body == b"until the end"
    assert answer.field("transfer-encoding") == "chunked"


async def test_a_client_that_expects_100_continue_of_an_origin_that_says_none_gets_it(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/u"] = reply(b"thanks")
    reader, writer = await opened(proxy.port)
    fields = ("Content-Length: 5", "Expect: 100-continue")
    writer.write(get(origin.url("/u"), *fields, method="PUT"))
    assert (await read_answer(reader)).status == 100
    writer.write(b"abcde")
    assert (await read_answer(reader)).body == b"thanks"
    assert b"\r\nExpect: 100-continue\r\n" in origin.requests[0]
    await closed(writer)


async def test_a_100_that_nobody_waits_for_is_skipped(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = b"HTTP/1.1 100 Continue\r\n\r\n" + reply(b"final")
    assert (await ask(proxy.port, get(origin.url("/a")))).body == b"final"


async def test_events_come_one_by_one(origin: Origin, proxy: Proxy) -> None:
    more = asyncio.Event()

    async def events(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        await writer.drain()
        await more.wait()
        writer.write(b"data: 2\n\n")
        await writer.drain()

    origin.replies["/events"] = events
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url("/events"), "Accept: text/event-stream"))
    head = await reader.readuntil(b"\r\n\r\n")
    assert b"text/event-stream" in head
    assert await reader.readuntil(b"\n\n") == b"9\r\ndata: 1\n\n"
    more.set()
    assert await reader.readuntil(b"0\r\n\r\n") == b"\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n"
    await closed(writer)


@pytest.mark.parametrize("size", [8191, 20_000, 64_000])
async def test_long_field_lines_pass_both_ways(origin: Origin, proxy: Proxy, size: int) -> None:
    origin.replies["/a"] = reply(b"x", f"X-Long: {'v' * size}")
    answer = await ask(proxy.port, get(origin.url("/a"), f"X-Long: {'v' * size}"))
    assert len(answer.field("x-long")) == size
    assert b"v" * size in origin.requests[0]


async def test_bytes_beyond_ascii_pass_in_fields(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = (
        b"HTTP/1.1 200 Gr\xfc\xdfe\r\nX-N: \xff\xc3\xa9\r\nContent-Length: 0\r\n\r\n"
    )
    answer = await ask(proxy.port, get(origin.url("/a"), "X-N: \xe9\xff"))
    assert b"X-N: \xff\xc3\xa9\r\n" in answer.head
    assert answer.head.startswith(b"HTTP/1.1 200 Gr\xfc\xdfe\r\n")
    assert b"X-N: \xe9\xff\r\n" in origin.requests[0]


async def test_options_and_trace_that_may_go_no_further_are_answered(
    origin: Origin, proxy: Proxy
) -> None:
    hops = "Max-Forwards: 0"
    options = await ask(proxy.port, get(origin.url("/"), hops, method="OPTIONS"))
    assert options.status == 200
    assert "GET" in options.field("allow")
    assert (await ask(proxy.port, get(origin.url("/"), hops, method="TRACE"))).status == 405
    assert origin.requests == []
