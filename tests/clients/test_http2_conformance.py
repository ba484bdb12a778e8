"""What RFC 9113 and RFC 7541 demand of a server, case by case, after the sections of h2spec.

h2spec is in no package registry (test_h2spec.py runs it where it is built): its cases are written
here anew, with frames of bytes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest
from hpack import Encoder

from tests.proxy.names import NamedOrigins
from tests.proxy.origins import Origin, reply, serving
from tests.proxy.proxies import proxying
from winnow.proxy.http2.protocol import MOST_STREAMS
from winnow.proxy.server.requests.client_limits import ClientBounds
from winnow.proxy.server.requests.http2_requests import PREFACE
from winnow.proxy.upstream.connections.connector import Connector

pytestmark = pytest.mark.release
DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END, ACK, END_HEADERS, PADDED, WITH_PRIORITY = 1, 1, 4, 8, 32
PROTOCOL, FLOW, CLOSED, SIZE, REFUSED, COMPRESSION = 1, 3, 5, 6, 7, 9
SECONDS = 20
HOST = "site.test"
Field = tuple[str, str]


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3, "big") + bytes((kind, flags)) + number(stream) + payload


def number(value: int, size: int = 4) -> bytes:
    return value.to_bytes(size, "big")


def fields(*more: Field, without: str = "", method: str = "POST") -> list[Field]:
    usual = [(":method", method), (":scheme", "http"), (":authority", HOST), (":path", "/")]
    return [each for each in usual if each[0] != without] + list(more)


def block(*more: Field, without: str = "", method: str = "POST") -> bytes:
    return Encoder().encode(fields(*more, without=without, method=method))


def head(flags: int = END | END_HEADERS, stream: int = 1, data: bytes = b"") -> bytes:
    return frame(HEADERS, flags, stream, data or block())


def asked(*more: Field, without: str = "", stream: int = 1) -> bytes:
    return head(END | END_HEADERS, stream, block(*more, without=without))


def setting(name: int, value: int) -> bytes:
    return frame(SETTINGS, 0, 0, number(name, 2) + number(value))


@dataclass(frozen=True)
class Case:
    """``codes``: of the GOAWAY or, where ``alone``, of the reset that may come instead of it.

    Without codes the request on stream 1 is answered, or else a PING.
    """

    name: str
    sent: bytes
    codes: tuple[int, ...] = ()
    alone: bool = False
    pong: bool = False


OPEN = head(END_HEADERS)
BODY = frame(DATA, END, 1, b"test")
RESET = frame(RST, 0, 1, number(8))
IN_SECTION = frame(HEADERS, END, 1, block())
PONG = frame(PING, 0, 0, b"together")

ANSWERED = [
    ("4.1 unknown type", frame(0xEE, 0, 0, b"x") + asked()),
    ("4.1 unknown flags", frame(PING, 0x16, 0, b"12345678") + asked()),
    ("4.1 reserved bit", frame(PING, 0, 1 << 31, b"12345678") + asked()),
    ("4.2 DATA of the largest size", OPEN + frame(DATA, END, 1, bytes(16_384))),
    ("5.1 PRIORITY on an idle stream", frame(PRIORITY, 0, 3, number(0) + b"\xff") + asked()),
    ("5.3.1 HEADERS with priority", head(END | END_HEADERS | WITH_PRIORITY, 1, bytes(5) + block())),
    ("6.1 DATA", OPEN + BODY),
    ("6.1 several DATA", OPEN + frame(DATA, 0, 1, b"te") + BODY),
    ("6.1 padded DATA", OPEN + frame(DATA, END | PADDED, 1, b"\x06test" + bytes(6))),
    ("6.2 HEADERS", asked()),
    ("6.2 padded HEADERS", head(END | END_HEADERS | PADDED, 1, b"\x06" + block() + bytes(6))),
    ("6.3 PRIORITY", asked() + frame(PRIORITY, 0, 1, number(3) + b"\x10")),
    ("6.5 unknown setting", setting(0xFF, 1) + asked()),
    ("6.9 WINDOW_UPDATE", frame(WINDOW, 0, 0, number(1)) + asked()),
    (
        "6.10 CONTINUATION",
        frame(HEADERS, END, 1, block()[:3])
        + frame(CONTINUATION, 0, 1, block()[3:6])
        + frame(CONTINUATION, END_HEADERS, 1, block()[6:]),
    ),
    ("8.1 trailers", OPEN + frame(DATA, 0, 1, b"x") + head(data=Encoder().encode([("x", "y")]))),
    ("8.1.2 HEAD", head(data=block(method="HEAD"))),
    ("8.1.2 OPTIONS", head(data=block(method="OPTIONS"))),
    ("hpack 5.2 no Huffman", head(data=Encoder().encode(fields(), huffman=False))),
    ("hpack 6.2.2 literal not indexed", head(data=block() + b"\x00\x01x\x01y")),
    ("hpack 6.2.3 literal never indexed", head(data=block() + b"\x10\x01x\x01y")),
    ("hpack 6.2.1 literal indexed", head(data=block() + b"\x40\x01x\x01y\xbe")),
    ("hpack 6.3 size update at the start", head(data=b"\x20" + block())),
]
PINGED = [
    ("6.7 PING", b""),
    ("7 unknown code of GOAWAY", frame(GOAWAY, 0, 0, number(0) + number(0xFF))),
    ("7 unknown code of RST_STREAM", OPEN + frame(RST, 0, 1, number(0xFF))),
    ("6.5.3 SETTINGS", setting(4, 100)),
    ("6.7 PING with ACK", frame(PING, ACK, 0, b"12345678")),
]
CONNECTION: list[tuple[str, bytes, tuple[int, ...]]] = [
    ("4.2 HEADERS too large", frame(HEADERS, 5, 1, block() + bytes(16_384)), (SIZE,)),
    ("4.3 not decodable", head(data=b"\x40\xff\xff\xff\xff\xff\xff"), (COMPRESSION, PROTOCOL)),
    ("4.3 PRIORITY amid", IN_SECTION + frame(PRIORITY, 0, 1, bytes(5)), (PROTOCOL,)),
    ("4.3 HEADERS amid", IN_SECTION + asked(stream=3), (PROTOCOL,)),
    ("5.1 idle DATA", BODY, (PROTOCOL, CLOSED)),
    ("5.1 idle RST_STREAM", RESET, (PROTOCOL,)),
    ("5.1 idle WINDOW_UPDATE", frame(WINDOW, 0, 1, number(100)), (PROTOCOL,)),
    ("5.1 idle CONTINUATION", frame(CONTINUATION, END_HEADERS, 1, block()), (PROTOCOL,)),
    ("5.1 half closed CONTINUATION", asked() + frame(CONTINUATION, 4, 1, block()), (1, CLOSED)),
    ("5.1 reset CONTINUATION", OPEN + RESET + frame(CONTINUATION, 4, 1, block()), (1, CLOSED)),
    ("5.1.1 even stream", asked(stream=2), (PROTOCOL,)),
    ("5.1.1 lower stream", asked(stream=5) + asked(stream=3), (PROTOCOL,)),
    ("5.4.1 invalid PING", frame(PING, 0, 3, bytes(8)), (PROTOCOL,)),
    ("5.5 unknown type amid", IN_SECTION + frame(0xEE, 0, 0, b"x"), (PROTOCOL,)),
    ("6.1 DATA on stream 0", frame(DATA, END, 0, b"test"), (PROTOCOL,)),
    ("6.1 DATA with invalid padding", OPEN + frame(DATA, 9, 1, b"\x06test"), (PROTOCOL,)),
    ("6.2 HEADERS on stream 0", frame(HEADERS, 5, 0, block()), (PROTOCOL,)),
    ("6.2 HEADERS with invalid padding", head(13, 1, b"\xff" + block()), (PROTOCOL,)),
    ("6.2 DATA amid", frame(HEADERS, 0, 1, block()) + BODY, (PROTOCOL,)),
    ("6.3 PRIORITY on stream 0", frame(PRIORITY, 0, 0, bytes(5)), (PROTOCOL,)),
    ("6.4 RST_STREAM on stream 0", frame(RST, 0, 0, number(8)), (PROTOCOL,)),
    ("6.4 RST_STREAM of 3 bytes", OPEN + frame(RST, 0, 1, bytes(3)), (SIZE,)),
    ("6.5 ACK with a payload", frame(SETTINGS, ACK, 0, bytes(1)), (SIZE, PROTOCOL)),
    ("6.5 SETTINGS on a stream", frame(SETTINGS, 0, 1, bytes(6)), (PROTOCOL,)),
    ("6.5 SETTINGS of 3 bytes", frame(SETTINGS, 0, 0, bytes(3)), (SIZE,)),
    ("6.5.2 ENABLE_PUSH of 2", setting(2, 2), (PROTOCOL,)),
    ("6.5.2 INITIAL_WINDOW_SIZE too large", setting(4, 1 << 31), (FLOW,)),
    ("6.5.2 MAX_FRAME_SIZE too small", setting(5, 16_383), (PROTOCOL,)),
    ("6.5.2 MAX_FRAME_SIZE too large", setting(5, 1 << 24), (PROTOCOL,)),
    ("6.7 PING of 6 bytes", frame(PING, 0, 0, bytes(6)), (SIZE,)),
    ("6.8 GOAWAY on a stream", frame(GOAWAY, 0, 1, bytes(8)), (PROTOCOL,)),
    ("6.9 WINDOW_UPDATE of 0", frame(WINDOW, 0, 0, bytes(4)), (PROTOCOL,)),
    ("6.9 WINDOW_UPDATE of 3 bytes", frame(WINDOW, 0, 0, bytes(3)), (SIZE,)),
    ("6.9.1 too large a window", frame(WINDOW, 0, 0, number((1 << 31) - 1)) * 2, (FLOW,)),
    ("6.10 CONTINUATION on stream 0", IN_SECTION + frame(CONTINUATION, 4, 0, b"\x82"), (PROTOCOL,)),
    ("6.10 DATA amid", IN_SECTION + frame(CONTINUATION, 0, 1, b"\x82") + BODY, (PROTOCOL,)),
    ("6.10 CONTINUATION after the end", OPEN + frame(CONTINUATION, 4, 1, b"\x82"), (PROTOCOL,)),
    ("6.10 CONTINUATION after DATA", OPEN + BODY + frame(9, 4, 1, b"\x82"), (PROTOCOL, CLOSED)),
    ("8.2 PUSH_PROMISE", OPEN + frame(PUSH, 4, 1, number(2) + block()), (PROTOCOL,)),
    ("hpack 2.3.3 index 0", head(data=block() + b"\x80"), (COMPRESSION, PROTOCOL)),
    ("hpack 2.3.3 index beyond", head(data=block() + b"\xff\x7f"), (COMPRESSION, PROTOCOL)),
    ("hpack 2.3.3 name beyond", head(data=block() + b"\x7f\x07\0"), (COMPRESSION, PROTOCOL)),
    ("hpack 5.2 padding of zeros", head(data=block() + b"\0\x81\x18\x01y"), (COMPRESSION, 1)),
    ("hpack 5.2 long padding", head(data=block() + b"\0\x82\xaf\xff\x01y"), (COMPRESSION, 1)),
    ("hpack 5.2 EOS", head(data=block() + b"\0\x84\xff\xff\xff\xff\x01y"), (COMPRESSION, 1)),
    ("hpack 4.2 size update at the end", head(data=block() + b"\x20"), (COMPRESSION, PROTOCOL)),
    ("hpack 6.3 size above the limit", head(data=b"\x3f\xe2\x1f" + block()), (COMPRESSION, 1)),
]
MANY = b"".join(asked(stream=2 * at + 1) for at in range(MOST_STREAMS + 2))
MORE_PSEUDO = [(":method", "POST"), (":scheme", "http"), (":path", "/")]
STREAM: list[tuple[str, bytes, tuple[int, ...]]] = [
    ("4.2 DATA too large", OPEN + frame(DATA, END, 1, bytes(16_385)), (SIZE,)),
    ("5.1 half closed DATA", asked() + BODY, (CLOSED,)),
    ("5.1 half closed HEADERS", asked() + asked(), (CLOSED,)),
    ("5.1 reset DATA", OPEN + RESET + BODY, (CLOSED,)),
    ("5.1 reset HEADERS", OPEN + RESET + asked(), (CLOSED,)),
    ("5.1.2 too many streams", MANY, (PROTOCOL, REFUSED)),
    ("5.3.1 HEADERS upon itself", head(37, 1, number(1) + b"\xff" + block()), (PROTOCOL,)),
    ("5.3.1 PRIORITY upon itself", OPEN + frame(PRIORITY, 0, 1, number(1) + b"\x10"), (PROTOCOL,)),
    ("6.3 PRIORITY of 4 bytes", OPEN + frame(PRIORITY, 0, 1, bytes(4)), (SIZE,)),
    ("6.9 WINDOW_UPDATE of 0", OPEN + frame(WINDOW, 0, 1, bytes(4)), (PROTOCOL,)),
    ("6.9.1 too large", OPEN + frame(WINDOW, 0, 1, number((1 << 31) - 1)) * 2, (FLOW,)),
    ("8.1 second HEADERS without the end", OPEN + head(END_HEADERS), (PROTOCOL,)),
    ("8.1.2 capitals", asked(("X-TEST", "ok")), (PROTOCOL,)),
    ("8.1.2.1 unknown pseudo-header", asked((":test", "ok")), (PROTOCOL,)),
    ("8.1.2.1 that of a response", asked((":status", "200")), (PROTOCOL,)),
    (
        "8.1.2.1 one in trailers",
        OPEN + frame(DATA, 0, 1, b"x") + head(data=Encoder().encode([(":method", "GET")])),
        (PROTOCOL,),
    ),
    ("8.1.2.1 one after a field", asked(("x", "y"), (":path", "/"), without=":path"), (PROTOCOL,)),
    ("8.1.2.2 Connection", asked(("connection", "keep-alive")), (PROTOCOL,)),
    ("8.1.2.2 TE", asked(("te", "trailers, deflate")), (PROTOCOL,)),
    ("8.1.2.3 empty path", asked((":path", ""), without=":path"), (PROTOCOL,)),
    *[(f"8.1.2.3 no {name}", asked(without=name), (PROTOCOL,)) for name, _ in MORE_PSEUDO],
    *[(f"8.1.2.3 {each[0]} twice", asked(each), (PROTOCOL,)) for each in MORE_PSEUDO],
    (
        "8.1.2.6 another length",
        head(END_HEADERS, 1, block(("content-length", "1"))) + BODY,
        (PROTOCOL,),
    ),
    (
        "8.1.2.6 another length of several DATA",
        head(END_HEADERS, 1, block(("content-length", "1"))) + frame(DATA, 0, 1, b"te") + BODY,
        (PROTOCOL,),
    ),
]
CASES = [
    *[Case(name, sent) for name, sent in ANSWERED],
    *[Case(name, sent, pong=True) for name, sent in PINGED],
    *[Case(*each) for each in CONNECTION],
    *[Case(*each, alone=True) for each in STREAM],
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_a_case(case: Case) -> None:
    async with serving(Origin(usual=reply(b"hello"))) as origin:
        connector = Connector(NamedOrigins({(HOST, 80): origin.port}), timeout=60)
        async with proxying(connector=connector, bounds=ClientBounds(http2=True)) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            pong = PONG if case.pong else b""
            writer.write(PREFACE + frame(SETTINGS, 0, 0) + case.sent + pong)
            try:
                async with asyncio.timeout(SECONDS):
                    assert await passes(case, reader), case.name
            finally:
                writer.close()


async def passes(case: Case, reader: asyncio.StreamReader) -> bool:
    """Whether what is awaited comes before something else that settles it."""
    while True:
        try:
            start = await reader.readexactly(9)
            payload = await reader.readexactly(int.from_bytes(start[:3], "big"))
        except (asyncio.IncompleteReadError, ConnectionError):
            # a connection error may close at once (section 5.4.1), as may a client's goodbye
            return bool(case.codes) or "GOAWAY" in case.name
        kind, flags, stream = start[3], start[4], int.from_bytes(start[5:], "big")
        match kind:
            case 7 if int.from_bytes(payload[4:8], "big"):
                return int.from_bytes(payload[4:8], "big") in case.codes
            case 3 if case.alone:
                return int.from_bytes(payload, "big") in case.codes
            case 6 if case.pong and flags & ACK and payload == b"together":
                return True
            case 1 if not case.codes and not case.pong and stream == 1:
                return True
