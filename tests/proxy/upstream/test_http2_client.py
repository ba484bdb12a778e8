"""Origins that speak HTTP/2: streams share a connection, and who did not process is asked again."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import cast

import pytest
import trustme
from h2.errors import ErrorCodes
from hyperframe.frame import GoAwayFrame

from tests.proxy.http2_peers import Exchanged, Http2Origin, Peer, respond, serving_http2
from tests.proxy.names import NamedOrigins
from tests.proxy.origins import Origin, reply, serving
from winnow.proxy.http.headers import Headers
from winnow.proxy.http.messages import OriginRequest
from winnow.proxy.http.proxy_errors import (
    AddressRefusedError,
    MalformedResponseError,
    OriginFaultError,
    OriginTimeoutError,
)
from winnow.proxy.http.request_target import Origin as Address
from winnow.proxy.http.request_target import Target
from winnow.proxy.http2.protocol import STREAM_WINDOW
from winnow.proxy.upstream.connections.connection_pool import IdleConnections
from winnow.proxy.upstream.connections.connector import Connector
from winnow.proxy.upstream.connections.origin_tls import OriginTls
from winnow.proxy.upstream.http2_client import Http2Response
from winnow.proxy.upstream.origin_client import OriginClient
from winnow.proxy.upstream.response_limits import OriginTimeouts

HOST = Address("https", "site.test", 443)


@dataclass
class Upload:
    """A body to be sent."""

    pieces: list[bytes] = field(default_factory=list)
    started: bool = False
    trailers: Headers = field(default_factory=Headers)

    async def chunks(self) -> AsyncIterator[bytes]:
        self.started = True
        for piece in self.pieces:
            yield piece


def request(path: str = "/", method: str = "GET", *more: tuple[str, str]) -> OriginRequest:
    fields = (("Host", "site.test"), ("Accept", "*/*"), *more)
    return OriginRequest(method, Target(HOST, path), Headers(fields))


@asynccontextmanager
async def client_of(
    port: int, authority: trustme.CA, timeouts: OriginTimeouts | None = None
) -> AsyncIterator[OriginClient]:
    tls = OriginTls.trusting()
    for context in (tls.http1, tls.newest):
        authority.configure_trust(context)
    connector = Connector(NamedOrigins({("site.test", 443): port}), tls, 30)
    client = OriginClient(connector, IdleConnections(), timeouts)
    try:
        yield client
    finally:
        await client.aclose()


@asynccontextmanager
async def origin_and_client(
    timeouts: OriginTimeouts | None = None,
) -> AsyncIterator[tuple[Http2Origin, OriginClient]]:
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("site.test").configure_cert(shown)
    async with (
        serving_http2(Http2Origin(), shown) as origin,
        client_of(origin.port, authority, timeouts) as client,
    ):
        yield origin, client


async def fetched(client: OriginClient, sent: OriginRequest) -> bytes:
    response = await client.send(sent)
    try:
        pieces = []
        while piece := await response.read():
            pieces.append(piece)
        return b"".join(pieces)
    finally:
        await response.aclose()


async def test_requests_share_one_connection() -> None:
    async with origin_and_client() as (origin, client):
        origin.replies["/"] = b"hello"
        await fetched(client, request())
        bodies = await asyncio.gather(*(fetched(client, request()) for _ in range(150)))
        assert set(bodies) == {b"hello"}
        assert len(origin.peers) <= 2  # more than 100 at the same time take a second one


async def test_the_request_has_the_fields_of_http2() -> None:
    async with origin_and_client() as (origin, client):
        sent = request("/a?b", "GET", ("Connection", "X-Hop"), ("X-Hop", "1"), ("X-Kept", "2 "))
        await fetched(client, sent)
        assert origin.requests[0].fields == [
            *((":method", "GET"), (":scheme", "https"), (":authority", "site.test")),
            *((":path", "/a?b"), ("accept", "*/*"), ("x-kept", "2")),
        ]


async def test_a_large_body_streams_under_flow_control() -> None:
    body = bytes(range(256)) * 8192
    async with origin_and_client() as (origin, client):
        origin.replies["/"] = body
        response = await client.send(request())
        assert (response.length, response.head.version) == (len(body), (2, 0))
        stream = origin.requests[0]
        received = b""
        while piece := await response.read():
            assert len(piece) <= STREAM_WINDOW
            received += piece
        assert received == body
        assert stream.ended
        await response.aclose()


async def test_a_response_that_is_not_read_delays_no_other() -> None:
    async with origin_and_client() as (origin, client):
        origin.replies["/large"] = b"x" * (1 << 20)
        origin.replies["/small"] = b"small"
        held = [await client.send(request("/large")) for _ in range(60)]
        assert await fetched(client, request("/small")) == b"small"
        assert len(origin.peers) == 1
        for response in held:
            await response.aclose()
        assert await fetched(client, request("/large")) == b"x" * (1 << 20)


async def test_an_upload_streams() -> None:
    async def echo(peer: Peer, stream: Exchanged) -> None:
        await stream.complete()
        await respond(peer, stream, stream.body)

    async with origin_and_client() as (origin, client):
        origin.replies["/"] = echo
        sent = replace(request("/", "POST"), body=Upload([b"y" * 100_000] * 3))
        assert await fetched(client, sent) == b"y" * 300_000


async def test_head_and_304_have_no_body() -> None:
    async def unchanged(peer: Peer, stream: Exchanged) -> None:
        fields = [(":status", "304"), ("content-length", "5")]
        peer.fields(stream.number, fields, end=True)

    async with origin_and_client() as (origin, client):
        origin.replies["/304"] = unchanged
        assert await fetched(client, request("/304")) == b""
        assert await fetched(client, request("/", "HEAD")) == b""


async def test_an_origin_of_http1_alone_gets_that() -> None:
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("site.test").configure_cert(shown)
    origin = Origin(usual=reply(b"old"))
    async with serving(origin, shown), client_of(origin.port, authority) as client:
        assert await fetched(client, request()) == b"old"
        assert origin.requests[0].startswith(b"GET / HTTP/1.1\r\n")


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_refused_stream_is_sent_again(method: str) -> None:
    async def refuse_once(peer: Peer, stream: Exchanged) -> None:
        if len(origin.requests) == 2:
            peer.state.reset_stream(stream.number, ErrorCodes.REFUSED_STREAM)
            return peer.flush()
        return await respond(peer, stream, b"now")

    async with origin_and_client() as (origin, client):
        origin.replies["/"] = refuse_once
        await fetched(client, request())
        assert await fetched(client, request("/", method)) == b"now"
        assert len(origin.requests) == 3


class EitherVersion(asyncio.Protocol):
    """A server of both, that wants HTTP/1.1 for all; ``asked`` has the versions of its requests."""

    def __init__(self, asked: list[str]) -> None:
        self._asked = asked

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        if transport.get_extra_info("ssl_object").selected_alpn_protocol() == "h2":
            peer = Peer(False, self._refuse)
            self._transport.set_protocol(peer)
            peer.connection_made(transport)

    def _refuse(self, peer: Peer, stream: Exchanged) -> None:
        self._asked.append("2")
        peer.state.reset_stream(stream.number, ErrorCodes.HTTP_1_1_REQUIRED)

    def data_received(self, data: bytes) -> None:
        self._asked.append("1.1")
        self._transport.write(reply(b"by HTTP/1.1"))


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_an_origin_that_requires_http1_gets_that(method: str) -> None:
    """As IIS does for a log-in by Windows accounts; it is remembered."""
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("site.test").configure_cert(shown)
    shown.set_alpn_protocols(["h2", "http/1.1"])
    asked: list[str] = []
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: EitherVersion(asked), "127.0.0.1", 0, ssl=shown)
    port = server.sockets[0].getsockname()[1]
    async with client_of(port, authority) as client:
        assert await fetched(client, request("/", method)) == b"by HTTP/1.1"
        assert await fetched(client, request("/", method)) == b"by HTTP/1.1"
    server.close()
    assert asked == ["2", "1.1", "1.1"]


@pytest.mark.parametrize(("sent", "kept"), [(4000, 3000), (2000, 2000), (100_000, 3000)])
async def test_of_a_body_of_another_length_what_fits_is_read(sent: int, kept: int) -> None:
    async def lie(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, [(":status", "200"), ("content-length", "3000")])
        await peer.data(stream.number, b"z" * sent)

    async with origin_and_client() as (origin, client):
        origin.replies |= {"/": lie, "/good": b"good"}
        response = await client.send(request())
        came = b""
        while len(came) < kept:
            came += await response.read()
        assert len(came) == kept
        with pytest.raises(OriginFaultError):
            await response.read()
        await response.aclose()
        assert await fetched(client, request("/good")) == b"good"
        assert len(origin.peers) == 1


async def test_two_lengths_are_an_error_of_that_stream() -> None:
    async def lie(peer: Peer, stream: Exchanged) -> None:
        both = [("content-length", "2"), ("content-length", "3")]
        peer.fields(stream.number, [(":status", "200"), *both])

    async with origin_and_client() as (origin, client):
        origin.replies |= {"/": lie, "/good": b"good"}
        held = await client.send(request("/good"))
        with pytest.raises(OriginFaultError):
            await client.send(request("/", "POST"))
        assert await held.read() == b"good"
        assert len(origin.peers) == 1


@pytest.mark.parametrize(("method", "sent"), [("GET", 3), ("POST", 2)])
async def test_only_what_may_be_repeated_is(method: str, sent: int) -> None:
    """The origin may have processed a request whose connection it closed (section 8.7)."""

    async def leave_once(peer: Peer, stream: Exchanged) -> None:
        if len(origin.requests) == 2:
            return peer.close()
        return await respond(peer, stream, b"now")

    async with origin_and_client() as (origin, client):
        origin.replies["/"] = leave_once
        await fetched(client, request())
        if method == "GET":
            assert await fetched(client, request("/", method)) == b"now"
        else:
            with pytest.raises(OriginFaultError):
                await fetched(client, request("/", method))
        assert len(origin.requests) == sent


async def test_after_goaway_open_streams_finish_and_the_next_goes_elsewhere() -> None:
    async def leave(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, [(":status", "200")])
        peer.send_raw(GoAwayFrame(0, last_stream_id=stream.number).serialize())
        await peer.data(stream.number, b"z" * 200_000)

    async with origin_and_client() as (origin, client):
        origin.replies["/"] = leave
        assert await fetched(client, request()) == b"z" * 200_000
        assert await fetched(client, request()) == b"z" * 200_000
        assert len(origin.peers) == 2


async def test_a_silent_origin_is_given_up() -> None:
    async def silence(peer: Peer, stream: Exchanged) -> None:
        await stream.complete()

    async with origin_and_client(OriginTimeouts(0.1, 0.1)) as (origin, client):
        origin.replies["/"] = silence
        with pytest.raises(OriginTimeoutError):
            await client.send(request())
        await origin.requests[0].until(lambda: origin.requests[0].reset is not None)


@pytest.mark.parametrize(
    "fields",
    [
        [(":status", "200"), ("connection", "close")],
        [(":status", "200"), ("x", "a\r\nb: c")],
        [(":status", "2x0")],
        [(":status", "101")],
        [(":status", "200"), (":path", "/")],
        [(":status", "200"), ("Upper", "x")],
        [(":status", "200"), ("transfer-encoding", "chunked")],
    ],
)
async def test_a_malformed_response_is_an_error_of_that_stream(
    fields: list[tuple[str, str]],
) -> None:
    async def malformed(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, fields, end=(":status", "101") not in fields)

    async with origin_and_client() as (origin, client):
        origin.replies["/"] = malformed
        origin.replies["/good"] = b"good"
        with pytest.raises(MalformedResponseError):
            await client.send(request())
        assert await fetched(client, request("/good")) == b"good"
        assert len(origin.peers) == 1


async def test_malformed_trailers_are_an_error_of_that_stream() -> None:
    async def malformed(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, [(":status", "200")])
        await peer.data(stream.number, b"body", end=False)
        peer.fields(stream.number, [(":status", "200")], end=True)

    async with origin_and_client() as (origin, client):
        origin.replies |= {"/": malformed, "/good": b"good"}
        with pytest.raises(OriginFaultError):
            await fetched(client, request())
        assert await fetched(client, request("/good")) == b"good"
        assert len(origin.peers) == 1


async def test_what_came_before_a_connection_error_counts() -> None:
    async def break_off(peer: Peer, stream: Exchanged) -> None:
        is_whole = stream.get(":path") == "/"
        peer.state.send_headers(stream.number, [(":status", "200")])
        for _ in range(8):
            peer.state.send_data(stream.number, bytes(10_000))
        peer.state.send_data(stream.number, b"", end_stream=is_whole)
        settings_of_3_bytes = b"\0\0\3\4\0\0\0\0\0abc"
        peer.send_raw(peer.state.data_to_send() + settings_of_3_bytes)

    async with origin_and_client() as (origin, client):
        origin.replies |= {"/": break_off, "/part": break_off}
        assert await fetched(client, request()) == bytes(80_000)
        response = await client.send(request("/part"))
        came = b""
        while len(came) < 80_000:
            came += await response.read()
        with pytest.raises(OriginFaultError):
            await response.read()
        await response.aclose()
        assert len(origin.peers) == 2


async def test_a_connection_is_not_used_for_who_may_not_reach_its_address() -> None:
    async with origin_and_client() as (_, client):
        await fetched(client, request())
        with pytest.raises(AddressRefusedError):
            await client.send(replace(request(), permit=lambda address, port: False))


async def test_a_response_that_is_dropped_resets_its_stream_alone() -> None:
    async with origin_and_client() as (origin, client):
        origin.replies["/"] = b"x" * (1 << 20)
        response = await client.send(request())
        await response.read()
        await response.aclose()
        await origin.requests[0].until(lambda: origin.requests[0].reset is not None)
        assert isinstance(await client.send(request()), Http2Response)
        assert len(origin.peers) == 1
