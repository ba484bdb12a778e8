"""Connections: stale ones, those cut short, those left, and those that change their protocol."""

from __future__ import annotations

import asyncio

import pytest

from tests.proxy.origins import Origin, ask, closed, get, opened, read_answer, reply
from tests.proxy.proxies import Proxy

BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"


async def closing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A reply after which the origin hangs up without a word of warning."""
    writer.write(reply(b"first"))
    await writer.drain()


async def test_a_request_on_a_stale_connection_is_tried_once_more(
    origin: Origin, proxy: Proxy
) -> None:
    hung_up = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not hung_up.is_set():
            hung_up.set()
            return
        writer.write(reply(b"second"))
        await writer.drain()

    origin.replies["/a"] = reply(b"first")
    origin.replies["/b"] = silent
    assert (await ask(proxy.port, get(origin.url("/a")))).body == b"first"
    assert (await ask(proxy.port, get(origin.url("/b")))).body == b"second"
    assert origin.connections == 2


async def test_a_request_that_is_not_idempotent_is_not_repeated(
    origin: Origin, proxy: Proxy
) -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        return

    origin.replies["/a"] = reply(b"first")
    origin.replies["/b"] = silent
    await ask(proxy.port, get(origin.url("/a")))
    answer = await ask(proxy.port, get(origin.url("/b"), "Content-Length: 0", method="POST"))
    assert (answer.status, answer.field("winnow-reason")) == (502, "origin-closed")
    assert len(origin.requests) == 2


async def test_an_idle_connection_that_was_closed_is_not_used(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = closing
    for _ in range(3):
        assert (await ask(proxy.port, get(origin.url("/a")))).body == b"first"


@pytest.mark.parametrize(
    "cut",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly a part",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>only a part",
    ],
)
async def test_a_reply_cut_short_is_seen_to_be_cut_short(
    origin: Origin, proxy: Proxy, cut: bytes
) -> None:
    async def cutting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(cut)
        await writer.drain()

    origin.replies["/a"] = cutting
    with pytest.raises(asyncio.IncompleteReadError):
        await ask(proxy.port, get(origin.url("/a"), BROWSER))


@pytest.mark.parametrize("surplus", [b"", reply(b"of the first request")])
async def test_what_an_origin_sends_beyond_its_reply_answers_no_other_request(
    origin: Origin, proxy: Proxy, surplus: bytes
) -> None:
    later = []

    async def generous(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"first") + surplus)
        await writer.drain()
        later.append(await reader.read(1000))  # it stays open, and would answer with the rest
        writer.write(reply(b"of the first request, its end"))

    origin.replies["/a"] = generous if surplus else reply(b"first")
    origin.replies["/b"] = reply(b"second")
    assert (await ask(proxy.port, get(origin.url("/a")))).body == b"first"
    assert (await ask(proxy.port, get(origin.url("/b")))).body == b"second"
    assert later == ([b""] if surplus else [])  # closed, and asked for nothing more
    assert origin.connections == (2 if surplus else 1)


async def test_a_silent_origin_is_a_504(origin: Origin, proxy: Proxy) -> None:
    never = asyncio.Event()

    async def waiting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await never.wait()

    origin.replies["/a"] = waiting
    proxy.client.timeouts = type(proxy.client.timeouts)(head=0.05, body=5)
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert (answer.status, answer.field("winnow-reason")) == (504, "origin-timeout")
    never.set()


@pytest.mark.usefixtures("virtual_time")
async def test_an_origin_may_be_silent_as_long_as_it_is_sent_something(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/u"] = reply(b"thanks")
    proxy.client.timeouts = type(proxy.client.timeouts)(head=3, body=60)
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url("/u"), "Content-Length: 60", method="POST"))
    for _ in range(6):
        writer.write(b"x" * 10)
        await asyncio.sleep(0.6)
    assert (await read_answer(reader)).body == b"thanks"
    assert origin.bodies == [b"x" * 60]
    await closed(writer)


async def test_an_early_refusal_of_an_upload_reaches_the_client(
    origin: Origin, proxy: Proxy
) -> None:
    async def refusing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"too much", status="413 Too Large"))
        await writer.drain()

    origin.replies["/u"] = refusing
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url("/u"), "Content-Length: 100000000", method="POST") + b"x" * 1000)
    assert (await read_answer(reader)).body == b"too much"
    await closed(writer)


async def test_a_client_that_leaves_frees_the_origin(origin: Origin, proxy: Proxy) -> None:
    left = asyncio.Event()

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\nstart")
        await writer.drain()
        assert await reader.read() == b""
        left.set()

    origin.replies["/a"] = endless
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url("/a")))
    await reader.readuntil(b"start")
    await closed(writer)
    async with asyncio.timeout(60):
        await left.wait()


async def echoing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Changes the protocol, greets at once, then sends everything back."""
    fields = b"Upgrade: other/1\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x"
    writer.write(b"HTTP/1.1 101 Switching\r\n" + fields + b"\r\n\r\n\x00greeting\xff")
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()


@pytest.mark.parametrize("protocol", ["websocket", "other/1"])
async def test_an_upgrade_is_relayed_byte_for_byte(
    origin: Origin, proxy: Proxy, protocol: str
) -> None:
    origin.replies["/ws"] = echoing
    reader, writer = await opened(proxy.port)
    fields = (f"Upgrade: {protocol}", "Connection: keep-alive, Upgrade", "Sec-WebSocket-Key: x")
    writer.write(get(origin.url("/ws"), *fields))
    answer = await read_answer(reader)
    assert (answer.status, answer.field("upgrade")) == (101, "other/1")
    assert answer.field("connection").lower() == "upgrade"
    assert answer.field("sec-websocket-accept") == "x"
    assert await reader.readexactly(10) == b"\x00greeting\xff"
    sent = bytes(range(256)) * 4000
    writer.write(sent)
    assert await reader.readexactly(len(sent)) == sent
    writer.write_eof()
    assert await reader.read() == b""
    assert f"upgrade: {protocol}".encode() in origin.requests[0].lower()
    await closed(writer)


async def test_a_declined_upgrade_is_a_plain_reply(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/ws"] = reply(b"no", status="403 No")
    origin.replies["/a"] = reply(b"next")
    reader, writer = await opened(proxy.port)
    fields = ("Upgrade: websocket", "Connection: Upgrade")
    writer.write(get(origin.url("/ws"), *fields))
    assert (await read_answer(reader)).body == b"no"
    writer.write(get(origin.url("/a")))
    assert (await read_answer(reader)).body == b"next"
    await closed(writer)


async def test_http_2_is_not_offered_to_the_origin(origin: Origin, proxy: Proxy) -> None:
    fields = ("Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABk")
    await ask(proxy.port, get(origin.url("/"), *fields))
    assert b"upgrade" not in origin.requests[0].lower()
    assert b"http2-settings" not in origin.requests[0].lower()
