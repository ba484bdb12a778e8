"""A body waits for 100 Continue from the origin itself, and follows no refusal (RFC 9110, 10.1.1).

Trailers behind a body go to the origin.
"""

from __future__ import annotations

import asyncio

import pytest

from tests.proxy.forwarding.test_interim_and_trailers import both_http2
from tests.proxy.http2_peers import Exchanged, Peer, get_fields, respond
from tests.proxy.origins import Origin, ask, closed, get, opened, read_answer, read_body, reply
from tests.proxy.proxies import Proxy
from winnow.proxy.upstream import expectation

EXPECTING = ("Content-Length: 5", "Expect: 100-continue")
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
REFUSED = reply(b"no", status="413 Content Too Large")


async def test_a_refusal_comes_before_the_upload(origin: Origin, proxy: Proxy) -> None:
    seen: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(REFUSED[:-1])
        await asyncio.sleep(0.05)
        writer.write(REFUSED[-1:])
        seen.append(await reader.read())  # until the proxy closes

    origin.replies["/u"] = refuse
    answer = await ask(proxy.port, get(origin.url("/u"), *EXPECTING, method="PUT"))
    assert (answer.status, answer.field("connection")) == (413, "close")
    origin.replies["/u"] = reply(b"ok")
    await ask(proxy.port, get(origin.url("/u")))
    assert seen == [b""]
    assert origin.connections == 2  # none waits for a body that does not come


async def test_the_client_is_asked_once_the_origin_asks(
    origin: Origin, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expectation, "EXPECT_SECONDS", 3600.0)
    may_go = asyncio.Event()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await may_go.wait()
        writer.write(CONTINUE)
        writer.write(reply(await reader.readexactly(5)))
        await writer.drain()

    origin.replies["/u"] = accept
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url("/u"), *EXPECTING, method="PUT"))
    first = asyncio.create_task(read_answer(reader))
    done, _ = await asyncio.wait([first], timeout=0.2)
    assert not done
    may_go.set()
    assert (await first).status == 100
    writer.write(b"hello")
    assert (await read_answer(reader)).body == b"hello"
    await closed(writer)


async def test_http_1_0_and_requests_without_a_body_expect_nothing(
    origin: Origin, proxy: Proxy
) -> None:
    origin.replies["/u"] = reply(b"ok")
    await ask(proxy.port, get(origin.url("/u"), "Expect: 100-continue"))
    old = get(origin.url("/u"), *EXPECTING, method="PUT").replace(b"HTTP/1.1", b"HTTP/1.0")
    await ask(proxy.port, old + b"hello")
    assert not any(b"expect" in each.lower() for each in origin.requests)
    assert origin.bodies == [b"", b"hello"]


async def test_a_refusal_between_two_of_http2() -> None:
    async def refuse(peer: Peer, stream: Exchanged) -> None:
        await respond(peer, stream, b"no", status="413")

    async with both_http2() as (origin, peer):
        origin.replies["/u"] = refuse
        more = (("content-length", "5"), ("expect", "100-continue"))
        fields = get_fields("https://site.test/u", *more, method="PUT")
        stream = await peer.request(fields, end=False).complete()
        assert (stream.get(":status"), stream.interim) == ("413", [])
        assert origin.requests[0].get("expect") == "100-continue"
        assert origin.requests[0].body == b""


async def test_100_continue_between_two_of_http2() -> None:
    async def accept(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, [(":status", "100")])
        await stream.complete()
        await respond(peer, stream, stream.body)

    async with both_http2() as (origin, peer):
        origin.replies["/u"] = accept
        fields = get_fields("https://site.test/u", ("expect", "100-continue"), method="PUT")
        stream = peer.request(fields, end=False)
        await stream.until(lambda: bool(stream.interim))
        await peer.data(stream.number, b"hello")
        assert (await stream.complete()).body == b"hello"


async def test_trailers_of_a_request_reach_an_origin_of_http1(origin: Origin, proxy: Proxy) -> None:
    got: list[bytes] = []

    async def read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await reader.readuntil(b"\r\n0\r\n"))
        got.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(reply(b"ok"))
        await writer.drain()

    origin.replies["/u"] = read
    head = get(origin.url("/u"), "Transfer-Encoding: chunked", method="POST")
    trailers = b"X-Sum: 9\r\nContent-Length: 1\r\n\r\n"
    assert (await ask(proxy.port, head + b"5\r\nhello\r\n0\r\n" + trailers)).body == b"ok"
    assert got == [b"5\r\nhello\r\n0\r\n", b"X-Sum: 9\r\n\r\n"]


async def test_trailers_of_a_request_between_two_of_http2() -> None:
    async with both_http2() as (origin, peer):
        origin.replies["/u"] = b"ok"
        stream = peer.request(get_fields("https://site.test/u", method="POST"), end=False)
        await peer.data(stream.number, b"hello", end=False)
        peer.fields(stream.number, [("x-sum", "9"), ("host", "other")], end=True)
        assert (await stream.complete()).body == b"ok"
        assert origin.requests[0].trailers == [("x-sum", "9")]


async def test_no_interim_response_leads_past_the_proxy(origin: Origin, proxy: Proxy) -> None:
    hints = b'HTTP/1.1 103 Early Hints\r\nAlt-Svc: h3=":443"\r\nLink: </a>\r\n\r\n'
    origin.replies["/"] = hints + reply(b"x", "Content-Type: image/png")
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url()))
    first = await read_answer(reader)
    assert (first.status, first.field("link"), first.field("alt-svc")) == (103, "</a>", "")
    await read_body(first.head, reader)
    await closed(writer)
