"""Interim responses come before the final one, trailers behind the body, in any mix of versions."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trustme

from tests.proxy.http2_peers import (
    Exchanged,
    Fields,
    Http2Origin,
    Peer,
    get_fields,
    respond,
    serving_http2,
)
from tests.proxy.names import NamedOrigins
from tests.proxy.origins import Answer, Origin, closed, get, html, opened, read_answer, reply
from tests.proxy.proxies import Proxy, proxying
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.trailers import forwarded_trailers
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.origin_tls import OriginTls

HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
TRAILED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n"
    b"4\r\nbody\r\n0\r\nX-Sum: 9\r\nContent-Length: 1\r\nWinnow-Action: extracted\r\n\r\n"
)
NAVIGATION = ("Accept: text/html", "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate")


async def answers(proxy: Proxy, request: bytes) -> list[Answer]:
    """The interim responses and the final one."""
    reader, writer = await opened(proxy.port)
    writer.write(request)
    got = [await read_answer(reader)]
    while got[-1].status < 200:
        got.append(await read_answer(reader))
    await closed(writer)
    return got


async def test_early_hints_come_first(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = HINTS + reply(b"x", "Content-Type: image/png")
    hints, final = await answers(proxy, get(origin.url()))
    assert (hints.status, hints.field("Link")) == (103, "</a.css>; rel=preload")
    assert final.body == b"x"


async def test_none_are_sent_to_http_1_0(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = HINTS + reply(b"x", "Content-Type: image/png")
    request = get(origin.url()).replace(b"HTTP/1.1", b"HTTP/1.0")
    assert [each.status for each in await answers(proxy, request)] == [200]


@pytest.mark.parametrize(
    ("sent", "statuses"),
    [
        (html(b"<p>the original</p>" * 50), [200]),
        (reply(b"%PDF-", "Content-Type: application/pdf"), [103, 200]),
    ],
)
async def test_for_a_page_of_ours_they_are_dropped(
    proxy: Proxy, origin: Origin, sent: bytes, statuses: list[int]
) -> None:
    origin.replies["/"] = HINTS + sent
    got = await answers(proxy, get(origin.url(), *NAVIGATION))
    assert [each.status for each in got] == statuses


async def test_trailers_go_to_who_accepts_them(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = lambda reader, writer: _written(writer, TRAILED)
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url(), "TE: trailers", "Connection: TE"))
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
    assert await reader.readuntil(b"\r\n\r\n") == b"4\r\nbody\r\n0\r\nX-Sum: 9\r\n\r\n"
    await closed(writer)
    assert b"\r\nTE: trailers\r\nConnection: TE\r\n" in origin.requests[0]


async def test_others_get_the_body_alone(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = lambda reader, writer: _written(writer, TRAILED)
    reader, writer = await opened(proxy.port)
    writer.write(get(origin.url()))
    await reader.readuntil(b"\r\n\r\n")
    assert await reader.readuntil(b"\r\n\r\n") == b"4\r\nbody\r\n0\r\n\r\n"
    await closed(writer)


async def _written(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


def test_no_trailer_frames_or_controls_a_message() -> None:
    names = ["Content-Length", "Transfer-Encoding", "Set-Cookie", "Cache-Control", "Winnow-Mode"]
    trailers = Headers((*[(name, "x") for name in names], ("Grpc-Status", "0")))
    assert forwarded_trailers(trailers).fields == (("Grpc-Status", "0"),)


@asynccontextmanager
async def both_http2(*, websockets: bool = False) -> AsyncIterator[tuple[Http2Origin, Peer]]:
    """An origin of HTTP/2 alone and a client of HTTP/2, with a proxy between them."""
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("site.test").configure_cert(shown)
    tls = OriginTls.trusting()
    for context in (tls.http1, tls.newest):
        authority.configure_trust(context)
    async with serving_http2(Http2Origin(websockets=websockets), shown) as origin:
        connector = Connector(NamedOrigins({("site.test", 443): origin.port}), tls, 30)
        async with proxying(connector=connector, bounds=ClientBounds(http2=True)) as proxy:
            loop = asyncio.get_running_loop()
            _, peer = await loop.create_connection(lambda: Peer(True), "127.0.0.1", proxy.port)
            try:
                yield origin, peer
            finally:
                peer.close()
                await peer.lost


def call() -> Fields:
    """The head of a gRPC call."""
    more = (("content-type", "application/grpc"), ("te", "trailers"))
    return get_fields("https://site.test/Service/Method", *more, method="POST")


async def test_a_grpc_call_has_its_status() -> None:
    async def answer(peer: Peer, stream: Exchanged) -> None:
        await stream.complete()
        peer.fields(stream.number, [(":status", "200"), ("content-type", "application/grpc")])
        await peer.data(stream.number, stream.body, end=False)
        peer.fields(stream.number, [("grpc-status", "0"), ("grpc-message", "fine")], end=True)

    async with both_http2() as (origin, peer):
        origin.replies["/Service/Method"] = answer
        stream = peer.request(call(), end=False)
        await peer.data(stream.number, b"\0\0\0\0\5hello")
        await stream.complete()
        assert stream.body == b"\0\0\0\0\5hello"
        assert stream.trailers == [("grpc-status", "0"), ("grpc-message", "fine")]
        assert origin.requests[0].get("te") == "trailers"


async def test_a_grpc_error_without_a_body_has_its_status() -> None:
    async def refuse(peer: Peer, stream: Exchanged) -> None:
        fields = [(":status", "200"), ("content-type", "application/grpc"), ("grpc-status", "12")]
        peer.fields(stream.number, fields, end=True)

    async with both_http2() as (origin, peer):
        origin.replies["/Service/Method"] = refuse
        stream = peer.request(call(), end=False)
        await peer.data(stream.number, b"hello")
        await stream.complete()
        assert stream.get("grpc-status") == "12"


async def test_both_directions_stream_at_the_same_time() -> None:
    async def echo(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, [(":status", "200"), ("content-type", "application/grpc")])
        at = 0
        while not stream.ended or at < len(stream.body):
            await stream.until(lambda: stream.ended or len(stream.body) > at)  # noqa: B023
            new, at = stream.body[at:], len(stream.body)
            await peer.data(stream.number, new, end=False)
        peer.fields(stream.number, [("grpc-status", "0")], end=True)

    async with both_http2() as (origin, peer):
        origin.replies["/Service/Method"] = echo
        stream = peer.request(call(), end=False)
        for number in range(20):
            await peer.data(stream.number, b"%05d" % number, end=False)
            await stream.until(lambda: stream.body.endswith(b"%05d" % number))  # noqa: B023
        peer.state.end_stream(stream.number)
        peer.flush()
        await stream.complete()
        assert stream.trailers == [("grpc-status", "0")]


async def test_early_hints_between_two_of_http2() -> None:
    async def answer(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, [(":status", "103"), ("link", "</a.css>; rel=preload")])
        await respond(peer, stream, b"x", ("content-type", "image/png"))

    async with both_http2() as (origin, peer):
        origin.replies["/"] = answer
        stream = await peer.request(get_fields("https://site.test/")).complete()
        assert stream.interim == [[(":status", "103"), ("link", "</a.css>; rel=preload")]]
        assert stream.body == b"x"
