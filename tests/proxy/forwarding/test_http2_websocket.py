"""A WebSocket over extended CONNECT goes through bit for bit (RFC 8441), on either side or both."""

from __future__ import annotations

import asyncio

import pytest

from tests.proxy.forwarding.test_interim_and_trailers import both_http2
from tests.proxy.forwarding.test_websocket import SEQUENCES, Far
from tests.proxy.forwarding.test_websocket import converse as converse_by_http1
from tests.proxy.frames import Sequence
from tests.proxy.http2_peers import Exchanged, Fields, Http2Origin, Peer, Script, respond
from tests.proxy.origins import Origin
from tests.proxy.proxies import proxying
from winnow.proxy.server.requests.client_limits import ClientBounds


def websocket_fields(scheme: str, authority: str, path: str) -> Fields:
    return [
        *((":method", "CONNECT"), (":protocol", "websocket"), (":scheme", scheme)),
        *((":authority", authority), (":path", path), ("sec-websocket-version", "13")),
    ]


async def converse(
    peer: Peer, authority: str, number: int, sequence: Sequence, scheme: str = "http"
) -> bytes:
    fields = websocket_fields(scheme, authority, f"/{number}")
    stream = peer.request(fields, end=False)
    await stream.until(lambda: bool(stream.fields))
    assert stream.get(":status") == "200"
    assert stream.get("sec-websocket-protocol") == "chat"
    names = {name for name, _ in stream.fields}
    assert not {"upgrade", "connection", "sec-websocket-accept"} & names
    for piece in sequence.client:
        await peer.data(stream.number, piece, end=False)
    size = sum(map(len, sequence.server))
    await stream.until(lambda: len(stream.body) >= size)
    peer.state.end_stream(stream.number)
    peer.flush()
    return stream.body


@pytest.mark.parametrize("number", range(len(SEQUENCES)))
async def test_every_sequence_passes_unchanged(origin: Origin, number: int) -> None:
    far, sequence = Far(origin), SEQUENCES[number]
    async with proxying(bounds=ClientBounds(http2=True)) as proxy:
        loop = asyncio.get_running_loop()
        _, peer = await loop.create_connection(lambda: Peer(True), "127.0.0.1", proxy.port)
        got = await converse(peer, f"127.0.0.1:{origin.port}", number, sequence)
        assert got == b"".join(sequence.server)
        async with asyncio.timeout(60):
            await far.heard.wait()
        peer.close()
        await peer.lost
    assert far.got[number] == b"".join(sequence.client)


def speaking(sequence: Sequence) -> Script:
    """The far end over HTTP/2: sends its half."""

    async def speak(peer: Peer, stream: Exchanged) -> None:
        peer.fields(stream.number, [(":status", "200"), ("sec-websocket-protocol", "chat")])
        for piece in sequence.server:
            await peer.data(stream.number, piece, end=False)

    return speak


async def arrived(origin: Http2Origin, sequence: Sequence) -> None:
    """The client's half has come to the origin, bit for bit."""
    (stream,) = origin.requests
    whole = b"".join(sequence.client)
    await stream.until(lambda: len(stream.body) >= len(whole))
    assert stream.body == whole


@pytest.mark.parametrize("number", range(0, len(SEQUENCES), 5))
async def test_to_an_origin_that_speaks_nothing_else(number: int) -> None:
    sequence = SEQUENCES[number]
    async with both_http2(websockets=True) as (origin, peer):
        origin.replies[f"/{number}"] = speaking(sequence)
        back = await converse(peer, "site.test", number, sequence, "https")
        assert back == b"".join(sequence.server)
        await arrived(origin, sequence)
        asked = origin.requests[0]
        assert (asked.get(":method"), asked.get(":protocol")) == ("CONNECT", "websocket")
        assert asked.get("sec-websocket-version") == "13"
        assert not asked.get("sec-websocket-key")


async def test_a_client_of_http1_gets_the_answer_to_its_key() -> None:
    sequence = SEQUENCES[0]
    async with both_http2(websockets=True) as (origin, peer):
        origin.replies["/0"] = speaking(sequence)
        assert peer.transport
        port = peer.transport.get_extra_info("peername")[1]
        streams = await asyncio.open_connection("127.0.0.1", port)
        back = await converse_by_http1(streams, "https://site.test/0", "site.test", sequence)
        assert back == b"".join(sequence.server)
        await arrived(origin, sequence)
        streams[1].close()


async def test_a_refusal_is_passed_on() -> None:
    async with both_http2(websockets=True) as (origin, peer):
        fields = websocket_fields("https", "site.test", "/none")
        origin.replies["/none"] = refuse
        stream = await peer.request(fields, end=False).until(lambda: bool(stream_of(peer).fields))
        assert stream.get(":status") == "403"
        assert origin.requests


async def test_an_origin_without_it_is_a_502() -> None:
    async with both_http2() as (origin, peer):
        fields = websocket_fields("https", "site.test", "/none")
        stream = await peer.request(fields, end=False).until(lambda: bool(stream_of(peer).fields))
        assert stream.get(":status") == "502"
        assert not origin.requests


async def refuse(peer: Peer, stream: Exchanged) -> None:
    await respond(peer, stream, b"no", status="403")


def stream_of(peer: Peer) -> Exchanged:
    return peer.streams[max(peer.streams)]
