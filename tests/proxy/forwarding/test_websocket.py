"""A WebSocket goes through bit for bit, whatever its frames are, in clear and inside TLS."""

from __future__ import annotations

import asyncio
import hashlib
from base64 import b64encode
from pathlib import Path

import pytest

from tests.proxy.frames import KINDS, Sequence, sequences
from tests.proxy.origins import Origin, Script, serving
from tests.proxy.proxies import proxying
from tests.proxy.worlds import world

SEQUENCES = sequences(seed=20261121)
KEY = b"dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = b64encode(hashlib.sha1(KEY + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
SWITCHING = (
    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Accept: " + ACCEPT + b"\r\nSec-WebSocket-Protocol: chat\r\n\r\n"
)
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Far:
    """The far end: sends its half of the sequence that the path numbers, keeps what it gets."""

    def __init__(self, origin: Origin) -> None:
        self.got: dict[int, bytes] = {}
        self.heard = asyncio.Event()
        for number, sequence in enumerate(SEQUENCES):
            origin.replies[f"/{number}"] = self._script(number, sequence)

    def _script(self, number: int, sequence: Sequence) -> Script:
        async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(SWITCHING)
            size = sum(map(len, sequence.client))
            sent = asyncio.create_task(send(writer, sequence.server))
            self.got[number] = await reader.readexactly(size)
            self.heard.set()
            await sent

        return speak


def test_there_are_enough_of_each_class() -> None:
    assert len(SEQUENCES) >= 100
    counted = {kind: sum(sequence.kind == kind for sequence in SEQUENCES) for kind in KINDS}
    assert counted == {kind: count for kind, (count, _) in KINDS.items()}
    assert len({sequence.client for sequence in SEQUENCES}) == len(SEQUENCES)


async def send(writer: asyncio.StreamWriter, pieces: tuple[bytes, ...]) -> None:
    for piece in pieces:
        writer.write(piece)
        await writer.drain()


async def converse(streams: Streams, target: str, host: str, sequence: Sequence) -> bytes:
    """Upgrade, send the client's half, and give what came back."""
    reader, writer = streams
    fields = (
        f"GET {target} HTTP/1.1",
        f"Host: {host}",
        "Connection: keep-alive, Upgrade",
        "Upgrade: websocket",
        f"Sec-WebSocket-Key: {KEY.decode()}",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Extensions: permessage-deflate",
    )
    writer.write("\r\n".join((*fields, "", "")).encode())
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 101 ")
    assert b"Sec-WebSocket-Accept: " + ACCEPT in head
    sent = asyncio.create_task(send(writer, sequence.client))
    got = await reader.readexactly(sum(map(len, sequence.server)))
    await sent
    return got


def assert_same(got: bytes, sent: tuple[bytes, ...]) -> None:
    """Equal bytes; on failure no megabytes are printed."""
    assert hashlib.sha256(got).hexdigest() == hashlib.sha256(b"".join(sent)).hexdigest()


@pytest.mark.parametrize("kind", KINDS)
async def test_in_clear(kind: str) -> None:
    async with serving(Origin()) as origin, proxying() as proxy:
        far = Far(origin)
        for number in numbers(kind):
            sequence = SEQUENCES[number]
            streams = await asyncio.open_connection("127.0.0.1", proxy.port, limit=1 << 20)
            host = f"127.0.0.1:{origin.port}"
            got = await converse(streams, f"http://{host}/{number}", host, sequence)
            await ended(streams)
            assert_same(got, sequence.server)
            assert_same(far.got[number], sequence.client)
            assert b"permessage-deflate" in origin.requests[-1]


@pytest.mark.parametrize("kind", KINDS)
async def test_inside_intercepted_tls(kind: str, tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        far = Far(here.origin)
        client = here.client(here.ours)
        for number in numbers(kind):
            sequence = SEQUENCES[number]
            streams = await here.secured("chat.test", client)
            host = f"chat.test:{here.origin.port}"
            got = await converse(streams, f"/{number}", host, sequence)
            await ended(streams)
            assert_same(got, sequence.server)
            assert_same(far.got[number], sequence.client)


def numbers(kind: str) -> list[int]:
    return [number for number, sequence in enumerate(SEQUENCES) if sequence.kind == kind]


async def ended(streams: Streams) -> None:
    """Close, once the far end has read all and has closed."""
    reader, writer = streams
    assert await reader.read() == b""
    writer.close()
    await writer.wait_closed()
