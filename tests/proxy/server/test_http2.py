"""Clients that speak HTTP/2 get what clients of HTTP/1.1 get."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvloop
from h2.errors import ErrorCodes
from hyperframe.frame import GoAwayFrame, WindowUpdateFrame

from tests.proxy.http2_peers import Exchanged, Fields, Peer, get_fields
from tests.proxy.origins import Origin, ask, get, html, reply
from tests.proxy.proxies import Proxy, proxying
from tests.proxy.worlds import World, world
from winnow.proxy.http2.connection import Http2Connection
from winnow.proxy.server.requests.client_limits import ClientBounds

NAVIGATION = (("accept", "text/html"), ("sec-fetch-dest", "document"))
HTTP2 = ClientBounds(http2=True)


@pytest.fixture
async def proxy() -> AsyncIterator[Proxy]:
    async with proxying(bounds=HTTP2) as running:
        yield running


@asynccontextmanager
async def client_of(port: int) -> AsyncIterator[Peer]:
    """A client in clear text by prior knowledge."""
    loop = asyncio.get_running_loop()
    _, peer = await loop.create_connection(lambda: Peer(True), "127.0.0.1", port)
    try:
        yield peer
    finally:
        peer.close()
        await peer.lost


async def fetch(peer: Peer, url: str, *more: tuple[str, str], method: str = "GET") -> Exchanged:
    return await peer.request(get_fields(url, *more, method=method)).complete()


async def test_a_page_is_extracted(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = html(b"<p>the original</p>" * 50)
    async with client_of(proxy.port) as peer:
        got = await fetch(peer, origin.url(), *NAVIGATION)
    assert (got.get(":status"), got.get("winnow-action")) == ("200", "extracted")
    assert b"extracted" in got.body
    assert not {"connection", "transfer-encoding"} & {name for name, _ in got.fields}


async def test_the_origin_gets_an_ordinary_request(proxy: Proxy, origin: Origin) -> None:
    crumbs = (("cookie", "a=1"), ("cookie", "b=2"), ("x", "y"))
    async with client_of(proxy.port) as peer:
        await fetch(peer, origin.url("/a?b"), *crumbs)
    head = origin.requests[0]
    assert head.startswith(b"GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % origin.port)
    assert b"cookie: a=1; b=2\r\n" in head
    assert b"Via: 2.0 winnow-test\r\n" in head


async def test_streams_are_served_at_the_same_time(proxy: Proxy, origin: Origin) -> None:
    go = asyncio.Event()

    async def wait(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await go.wait()
        writer.write(reply(b"late"))
        await writer.drain()

    origin.replies |= {"/late": wait, "/soon": reply(b"soon")}
    async with client_of(proxy.port) as peer:
        late = peer.request(get_fields(origin.url("/late")))
        assert (await fetch(peer, origin.url("/soon"))).body == b"soon"
        go.set()
        assert (await late.complete()).body == b"late"


async def test_an_upload_is_forwarded(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = reply(b"thanks")
    async with client_of(proxy.port) as peer:
        stream = peer.request(get_fields(origin.url(), method="POST"), end=False)
        await peer.data(stream.number, b"u" * 300_000)
        assert (await stream.complete()).body == b"thanks"
    assert origin.bodies == [b"u" * 300_000]
    assert b"Transfer-Encoding: chunked" in origin.requests[0]


async def test_an_upload_that_is_answered_early_is_taken_to_its_end(
    proxy: Proxy, origin: Origin
) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"no", status="401 Unauthorized"))
        await writer.drain()
        await reader.read()

    origin.replies["/"] = refuse
    async with client_of(proxy.port) as peer:
        stream = peer.request(get_fields(origin.url(), method="POST"), end=False)
        await stream.until(lambda: stream.ended)
        await asyncio.wait_for(peer.data(stream.number, b"u" * 300_000), 60)
        later = peer.request(get_fields(f"http://127.0.0.1:{proxy.port}/-/health"))
        assert (await later.complete()).body == b"ok\n"
        assert (stream.get(":status"), stream.body, stream.reset) == ("401", b"no", None)


async def test_a_form_that_comes_with_its_head_at_once_is_forwarded(
    proxy: Proxy, origin: Origin
) -> None:
    origin.replies["/"] = reply(b"thanks")
    async with client_of(proxy.port) as peer:
        fields = get_fields(origin.url(), ("content-length", "5"), method="POST")
        number = peer.state.get_next_available_stream_id()
        stream = peer.streams[number] = Exchanged(number)
        peer.state.send_headers(number, fields)
        peer.state.send_data(number, b"a=b&c", end_stream=True)
        peer.flush()
        assert (await stream.complete()).body == b"thanks"
    assert origin.bodies == [b"a=b&c"]


@pytest.mark.usefixtures("virtual_time")
async def test_a_client_that_reads_slowly_makes_the_origin_wait(
    proxy: Proxy, origin: Origin
) -> None:
    sent = 0
    full = asyncio.Event()

    async def pour(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                writer.write(b"z" * 65536)
                async with asyncio.timeout(0.5):
                    await writer.drain()
                sent += 65536
        except TimeoutError:
            full.set()

    origin.replies["/"] = pour
    async with client_of(proxy.port) as peer:
        peer.reads = False
        stream = peer.request(get_fields(origin.url()))
        await full.wait()
        assert len(stream.body) == 65_535
        assert sent < 16 << 20


async def test_own_pages_and_errors_are_the_same(proxy: Proxy) -> None:
    async with client_of(proxy.port) as peer:
        own = await fetch(peer, f"http://127.0.0.1:{proxy.port}/-/health")
        assert (own.get(":status"), own.body) == ("200", b"ok\n")
        refused = await fetch(peer, "http://127.0.0.1:1/")
        assert refused.get(":status") == "502"
        old = await ask(proxy.port, get("http://127.0.0.1:1/"))
        assert refused.get("winnow-reason") == old.field("Winnow-Reason") == "origin-unreachable"


@pytest.mark.parametrize(
    "more",
    [
        [("connection", "close")],
        [("transfer-encoding", "chunked")],
        [("upgrade", "h2c")],
        [("te", "gzip")],
        [("host", "other.test")],
        [("content-length", "5")],
        [("content-length", "0"), ("content-length", "0")],
        [("X-Upper", "1")],
        [("x y", "1")],
        [("x", "a\r\nHost: b")],
        [("x", "a\0b")],
        [(":path", "/again")],
        [(":new", "1")],
    ],
)
async def test_a_malformed_request_is_a_400_of_its_stream(
    proxy: Proxy, origin: Origin, more: Fields
) -> None:
    async with client_of(proxy.port) as peer:
        got = await fetch(peer, origin.url(), *more)
        assert (got.get(":status"), got.get("winnow-reason")) == ("400", "malformed-request")
        assert got.reset == ErrorCodes.PROTOCOL_ERROR
        assert (await fetch(peer, origin.url())).get(":status") == "404"
    assert len(origin.requests) == 1


async def test_who_resets_a_stream_ends_its_request(proxy: Proxy, origin: Origin) -> None:
    came, left = asyncio.Event(), asyncio.Event()

    async def wait(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        came.set()
        await reader.read()
        left.set()

    origin.replies["/"] = wait
    async with client_of(proxy.port) as peer:
        stream = peer.request(get_fields(origin.url()))
        await came.wait()
        peer.state.reset_stream(stream.number)
        peer.flush()
        await asyncio.wait_for(left.wait(), 60)


@pytest.mark.usefixtures("virtual_time")
async def test_a_client_that_says_goodbye_gets_what_it_asked_for(
    proxy: Proxy, origin: Origin
) -> None:
    """As node's ``session.close()``; the stream in its GOAWAY is one that we would have pushed."""
    came, go = asyncio.Event(), asyncio.Event()

    async def wait(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.set()
        await go.wait()
        writer.write(reply(b"late"))
        await writer.drain()

    origin.replies["/"] = wait
    async with client_of(proxy.port) as peer:
        stream = peer.request(get_fields(origin.url()))
        await came.wait()
        peer.send_raw(GoAwayFrame(0, last_stream_id=0).serialize())
        await asyncio.sleep(0.05)
        go.set()
        assert (await stream.complete()).body == b"late"
        await asyncio.wait_for(asyncio.shield(peer.lost), 60)


async def test_what_a_client_reads_after_its_last_bytes_is_whole(
    proxy: Proxy, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its window updates come while the server's half is closed: no reset answers them."""
    origin.replies["/"] = reply(b"x" * 20_000)
    sent = asyncio.Event()
    part = Http2Connection._part

    def note(connection: Http2Connection) -> None:
        part(connection)
        sent.set()

    monkeypatch.setattr(Http2Connection, "_part", note)
    async with client_of(proxy.port) as peer:
        await fetch(peer, origin.url())  # settings are exchanged
        assert peer.transport
        peer.transport.pause_reading()
        stream = peer.request(get_fields(origin.url()))
        peer.send_raw(GoAwayFrame(0, last_stream_id=0).serialize())
        await sent.wait()
        for _ in range(5):
            peer.send_raw(WindowUpdateFrame(0, window_increment=1).serialize())
            await asyncio.sleep(0)
        peer.transport.resume_reading()
        assert (await stream.complete()).body == b"x" * 20_000
        assert await asyncio.wait_for(asyncio.shield(peer.lost), 60) is None


@pytest.mark.usefixtures("virtual_time")
async def test_a_client_that_goes_on_sending_after_the_end_is_left(
    proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("winnow.proxy.http2.lingering_close.SILENT_SECONDS", 0.2)
    monkeypatch.setattr("winnow.proxy.http2.lingering_close.ROUNDS", 2)
    async with client_of(proxy.port) as peer, asyncio.timeout(30):
        peer.eof_received = lambda: True  # type: ignore[method-assign]  # it stays half open
        peer.send_raw(GoAwayFrame(0, last_stream_id=0).serialize())
        while not peer.lost.done():
            peer.send_raw(WindowUpdateFrame(0, window_increment=1).serialize())
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("more", [("content-length", "5"), ("content-length", "300000")])
async def test_a_body_of_another_length_ends_its_stream_alone(
    proxy: Proxy, origin: Origin, more: tuple[str, str]
) -> None:
    async with client_of(proxy.port) as peer:
        stream = peer.request(get_fields(origin.url(), more, method="POST"), end=False)
        await peer.data(stream.number, b"u" * 20_000)
        await stream.complete()
        assert stream.reset == ErrorCodes.PROTOCOL_ERROR
        assert (await fetch(peer, origin.url())).get(":status") == "404"


async def test_malformed_trailers_end_their_stream(proxy: Proxy, origin: Origin) -> None:
    async with client_of(proxy.port) as peer:
        stream = peer.request(get_fields(origin.url(), method="POST"), end=False)
        await peer.data(stream.number, b"x", end=False)
        peer.fields(stream.number, [(":method", "GET")], end=True)
        assert (await stream.complete()).reset == ErrorCodes.PROTOCOL_ERROR
        assert (await fetch(peer, origin.url())).get(":status") == "404"


async def test_connect_is_a_tunnel(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = reply(b"through")
    authority = f"127.0.0.1:{origin.port}"
    async with client_of(proxy.port) as peer:
        fields = [(":method", "CONNECT"), (":authority", authority)]
        stream = peer.request(fields, end=False)
        await stream.until(lambda: bool(stream.fields))
        assert stream.get(":status") == "200"
        await peer.data(stream.number, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", end=False)
        await stream.until(lambda: b"through" in stream.body)
        peer.state.end_stream(stream.number)
        peer.flush()
        await stream.complete()


@asynccontextmanager
async def inside(here: World, host: str) -> AsyncIterator[Peer]:
    """HTTP/2 within intercepted TLS."""
    client = here.client(here.ours, protocols=["h2", "http/1.1"])
    _, writer = await here.secured(host, client)
    assert writer.get_extra_info("ssl_object").selected_alpn_protocol() == "h2"
    transport = writer.transport
    peer = Peer(True)
    transport.set_protocol(peer)
    peer.connection_made(transport)
    try:
        yield peer
    finally:
        peer.close()
        await peer.lost


async def test_intercepted_tls_speaks_it(tmp_path: Path) -> None:
    async with world(tmp_path, http2=True) as here:
        here.origin.replies["/"] = html(b"<p>the original</p>" * 50)
        async with inside(here, "site.test") as peer:
            url = f"https://site.test:{here.origin.port}/"
            got = await fetch(peer, url, *NAVIGATION)
            assert got.get("winnow-action") == "extracted"
            other = await fetch(peer, "https://other.test/")
            assert other.get(":status") == "421"


async def test_a_client_of_http2_alone_is_intercepted(tmp_path: Path) -> None:
    async with world(tmp_path, http2=True) as here:
        _, writer = await here.secured("site.test", here.client(here.ours, protocols=["h2"]))
        assert writer.get_extra_info("ssl_object").selected_alpn_protocol() == "h2"
        writer.close()


async def test_tls_within_a_stream_is_intercepted(tmp_path: Path) -> None:
    """A browser that speaks HTTP/2 to its proxy sends CONNECT on a stream."""
    async with world(tmp_path, http2=True) as here, client_of(here.proxy.port) as peer:
        here.origin.replies["/"] = html(b"<p>the original</p>" * 50)
        authority = f"site.test:{here.origin.port}"
        stream = peer.request([(":method", "CONNECT"), (":authority", authority)], end=False)
        await stream.until(lambda: bool(stream.fields))
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = here.client(here.ours).wrap_bio(incoming, outgoing, server_hostname="site.test")
        read = 0

        async def step() -> None:
            nonlocal read
            if data := outgoing.read():
                await peer.data(stream.number, data, end=False)
            await stream.until(lambda: len(stream.body) > read)
            incoming.write(stream.body[read:])
            read = len(stream.body)

        while True:
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                await step()
        lines = ("GET / HTTP/1.1", f"Host: {authority}", "Accept: text/html", "", "")
        client.write("\r\n".join(lines).encode())
        answer = b""
        while b"extracted</p>" not in answer:
            try:
                answer += client.read(65536)
            except ssl.SSLWantReadError:
                await step()
        assert answer.startswith(b"HTTP/1.1 200 ")


async def test_a_first_line_in_pieces_is_either_version(proxy: Proxy, origin: Origin) -> None:
    origin.replies["/"] = reply(b"one")
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    for byte in b"PRI * HTTP/1.1\r\nHost: x\r\n\r\n"[:8]:
        writer.write(bytes([byte]))
        await writer.drain()
    writer.write(b"X\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
    writer.close()


async def test_the_last_streams_finish_at_the_end(origin: Origin) -> None:
    came, go = asyncio.Event(), asyncio.Event()

    async def wait(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.set()
        await go.wait()
        writer.write(reply(b"done"))
        await writer.drain()

    origin.replies["/"] = wait
    async with proxying(bounds=HTTP2) as proxy, client_of(proxy.port) as peer:
        stream = peer.request(get_fields(origin.url()))
        await came.wait()
        ending = asyncio.create_task(proxy.front.handover.end(30, linger=0))
        await asyncio.sleep(0)
        go.set()
        assert await ending
        assert (await stream.complete()).body == b"done"
        await asyncio.wait_for(asyncio.shield(peer.lost), 60)


def test_uvloop_serves_it_too(tmp_path: Path) -> None:
    """There the connection's bytes come another way, and TLS within a stream is started apart."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(test_tls_within_a_stream_is_intercepted(tmp_path))
