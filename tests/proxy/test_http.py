"""HTTP itself: what a proxy must do with messages whatever they carry (RFC 9110, RFC 9112)."""

from __future__ import annotations

import asyncio
import gzip

import pytest

from tests.proxy.origins import Answer, Origin, ask, get, html, read_answer, reply
from tests.proxy.proxies import Proxy

PAGE = b"<html><body><p>A page that somebody wrote.</p></body></html>"
BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def opened(port: int) -> Streams:
    return await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    await writer.wait_closed()


async def test_head_says_what_get_would_say(origin: Origin, proxy: Proxy) -> None:
    fields = (
        "Content-Type: text/html",
        "Content-Length: 5000",
        'ETag: "e"',
        "Accept-Ranges: bytes",
    )
    origin.replies["/a"] = reply(b"", *fields, length=False)
    origin.replies["/i"] = reply(b"", "Content-Type: image/png", "Content-Length: 77", length=False)
    page = await ask(proxy.port, get(origin.url("/a"), BROWSER, method="HEAD"))
    assert page.field("content-length") == ""
    assert page.field("accept-ranges") == "none"
    assert page.field("winnow-action") == "extracted"
    origin.replies["/a"] = html(PAGE, 'ETag: "e"')
    whole = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert page.field("etag") == whole.field("etag") != ""
    image = await ask(proxy.port, get(origin.url("/i"), BROWSER, method="HEAD"))
    assert image.field("content-length") == "77"


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


async def test_a_range_is_untouched(origin: Origin, proxy: Proxy) -> None:
    part = reply(b"cd", "Content-Type: text/html", "Content-Range: bytes 2-3/9", status="206 Part")
    origin.replies["/a"] = part
    fields = (BROWSER, "Range: bytes=2-3", 'If-Range: "e"', "Accept-Encoding: sdch")
    answer = await ask(proxy.port, get(origin.url("/a"), *fields))
    assert (answer.status, answer.body) == (206, b"cd")
    assert answer.field("content-range") == "bytes 2-3/9"
    sent = origin.requests[0].lower()
    assert b'range: bytes=2-3\r\nif-range: "e"\r\naccept-encoding: sdch' in sent


async def revisited(origin: Origin, proxy: Proxy, *validators: str) -> tuple[Answer, Answer]:
    """A page, and what comes when the browser asks for it again with what it was told."""
    origin.replies["/a"] = html(PAGE, *validators)
    first = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    if validators:
        origin.replies["/a"] = reply(b"", *validators, status="304 Not Modified", length=False)
    again = f"If-None-Match: {first.field('etag')}"
    return first, await ask(proxy.port, get(origin.url("/a"), BROWSER, again))


async def test_a_page_that_did_not_change_is_not_sent_again(origin: Origin, proxy: Proxy) -> None:
    first, second = await revisited(origin, proxy, 'ETag: "theirs"')
    assert (second.status, second.field("etag")) == (304, first.field("etag"))
    assert b'if-none-match: "theirs"' in origin.requests[-1].lower()
    assert second.field("vary") == first.field("vary")
    assert len(proxy.transform.pages) == 1


async def test_an_origin_that_knows_dates_only_is_asked_by_date(
    origin: Origin, proxy: Proxy
) -> None:
    date = "Sat, 21 Nov 2026 12:00:00 GMT"
    first, second = await revisited(origin, proxy, f"Last-Modified: {date}")
    assert first.field("last-modified") == ""
    assert (second.status, second.field("etag")) == (304, first.field("etag"))
    assert f"if-modified-since: {date}".lower().encode() in origin.requests[-1].lower()


async def test_an_origin_without_validators_costs_no_body_either(
    origin: Origin, proxy: Proxy
) -> None:
    first, second = await revisited(origin, proxy)
    assert (second.status, second.field("etag")) == (304, first.field("etag"))


async def test_the_original_s_validators_are_none_of_ours(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/a"] = html(PAGE, 'ETag: "theirs"')
    conditions = ('If-None-Match: "theirs"', "If-Modified-Since: Sat, 21 Nov 2026 12:00:00 GMT")
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER, *conditions))
    assert answer.status == 200
    assert b"if-none-match" not in origin.requests[0].lower()
    assert b"if-modified-since" not in origin.requests[0].lower()
    image = ("Accept: image/png", *conditions)
    await ask(proxy.port, get(origin.url("/a"), *image))
    assert b'if-none-match: "theirs"' in origin.requests[1].lower()


async def test_a_page_that_may_change_by_a_choice_is_asked_for_each_time(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(PAGE, "Cache-Control: max-age=600")
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert answer.field("cache-control") == "max-age=600, no-cache"


async def test_fields_that_describe_the_original_are_gone(origin: Origin, proxy: Proxy) -> None:
    fields = (
        "Content-MD5: x", "Digest: x", "Content-Digest: x", "Repr-Digest: x", "Link: <a>; rel=x",
        "Content-Security-Policy: default-src 'self'; frame-ancestors 'none'", "X-Other: stays",
    )  # fmt: skip
    origin.replies["/a"] = html(PAGE, *fields)
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    for gone in ("content-md5", "digest", "content-digest", "repr-digest", "link"):
        assert answer.field(gone) == ""
    policy = answer.field("content-security-policy")
    assert "style-src 'unsafe-inline'" in policy
    assert policy.endswith("frame-ancestors 'none'")
    assert answer.field("x-other") == "stays"


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


async def test_a_client_that_waits_is_told_to_go_on_at_once(origin: Origin, proxy: Proxy) -> None:
    origin.replies["/u"] = reply(b"thanks")
    reader, writer = await opened(proxy.port)
    fields = ("Content-Length: 5", "Expect: 100-continue")
    writer.write(get(origin.url("/u"), *fields, method="PUT"))
    assert (await read_answer(reader)).status == 100
    writer.write(b"abcde")
    assert (await read_answer(reader)).body == b"thanks"
    assert b"expect" not in origin.requests[0].lower()
    await closed(writer)


async def test_interim_replies_are_skipped(origin: Origin, proxy: Proxy) -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
    origin.replies["/a"] = early + reply(b"final")
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


async def test_a_kept_connection_that_closed_meanwhile_is_not_used(
    origin: Origin, proxy: Proxy
) -> None:
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


async def test_a_silent_origin_is_a_504(origin: Origin, proxy: Proxy) -> None:
    never = asyncio.Event()

    async def waiting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await never.wait()

    origin.replies["/a"] = waiting
    proxy.client.limits = type(proxy.client.limits)(head=0.05, body=5)
    answer = await ask(proxy.port, get(origin.url("/a"), BROWSER))
    assert (answer.status, answer.field("winnow-reason")) == (504, "origin-timeout")
    never.set()


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
    async with asyncio.timeout(5):
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


async def test_options_and_trace_that_may_go_no_further_are_answered(
    origin: Origin, proxy: Proxy
) -> None:
    hops = "Max-Forwards: 0"
    options = await ask(proxy.port, get(origin.url("/"), hops, method="OPTIONS"))
    assert options.status == 200
    assert "GET" in options.field("allow")
    assert (await ask(proxy.port, get(origin.url("/"), hops, method="TRACE"))).status == 405
    assert origin.requests == []


async def test_what_the_client_accepts_of_codings_is_cut_to_what_we_can_undo(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/a"] = html(gzip.compress(PAGE), "Content-Encoding: gzip")
    await ask(proxy.port, get(origin.url("/a"), BROWSER, "Accept-Encoding: sdch, gzip;q=0.5, exi"))
    assert b"accept-encoding: gzip;q=0.5\r\n" in origin.requests[0].lower()
