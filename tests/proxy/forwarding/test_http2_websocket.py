"""A WebSocket over extended CONNECT goes through bit for bit (RFC 8441)."""

from __future__ import annotations

import asyncio

import pytest

from tests.proxy.forwarding.test_websocket import SEQUENCES, Far
from tests.proxy.frames import Sequence
from tests.proxy.http2_peers import Peer
from tests.proxy.origins import Origin
from tests.proxy.proxies import proxying
from winnow.proxy.server.client_limits import ClientBounds


async def converse(peer: Peer, authority: str, number: int, sequence: Sequence) -> bytes:
    fields = [
        *((":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http")),
        *((":authority", authority), (":path", f"/{number}"), ("sec-websocket-version", "13")),
    ]
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
        peer.close()
        await peer.lost
    assert far.got[number] == b"".join(sequence.client)
