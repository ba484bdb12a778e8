"""Origins of odd behaviour over HTTP/2: curl gets through interception what it gets directly.

A request that fails directly before a response gets an error page of Winnow's (502).
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final

import pytest
import trustme

from tests.clients.test_http2_conformance import (
    CONTINUATION,
    DATA,
    END,
    END_HEADERS,
    GOAWAY,
    HEADERS,
    PADDED,
    PING,
    PRIORITY,
    PUSH,
    RST,
    SETTINGS,
    WINDOW,
    Field,
    frame,
    number,
    setting,
)
from tests.clients.test_http2_libraries import HOST, intercepting
from tests.programs import require_program
from tests.proxy.http2_peers import Exchanged, Http2Origin, Peer, serving_http2
from tests.proxy.upstream.test_http2_client import EitherVersion

pytestmark = pytest.mark.release
BODY: Final = bytes(range(256)) * 12
HALF: Final = len(BODY) // 2
INTERNAL, REFUSED, CALM, NONE = 2, 7, 11, 0
PICTURE: Final = ("content-type", "image/png")
DECLARED: Final = ("content-length", str(len(BODY)))
CLOSE: Final = b""
"""In place of bytes: the connection is closed."""


@dataclass
class Told:
    """One request, in which its stream's frames are made; ``attempt`` counts from 0."""

    peer: Peer
    stream: int
    attempt: int

    def block(self, *fields: Field) -> bytes:
        return self.peer.state.encoder.encode(fields)

    def head(self, *more: Field, status: str = "200", flags: int = END_HEADERS) -> bytes:
        fields = ((":status", status), PICTURE, *more)
        return frame(HEADERS, flags, self.stream, self.block(*fields))

    def data(self, body: bytes = BODY, flags: int = END) -> bytes:
        return frame(DATA, flags, self.stream, body)

    def reset(self, code: int) -> bytes:
        return frame(RST, 0, self.stream, number(code))

    def goaway(self, code: int, last: int | None = None) -> bytes:
        return frame(GOAWAY, 0, 0, number(self.stream if last is None else last) + number(code))

    def whole(self, *before: bytes) -> list[bytes]:
        return [*before, self.head(), self.data()]

    def trailers(self, *fields: Field) -> bytes:
        return frame(HEADERS, END | END_HEADERS, self.stream, self.block(*fields))


Odd = Callable[[Told], list[bytes]]


def by_bytes(t: Told) -> list[bytes]:
    return [bytes((byte,)) for byte in b"".join(t.whole())]


def by_frames_of_a_byte(t: Told) -> list[bytes]:
    return [t.head(), *(t.data(BODY[at : at + 1], 0) for at in range(len(BODY))), t.data(b"")]


def in_parts(t: Told) -> list[bytes]:
    block = t.block((":status", "200"), PICTURE, ("x", "y" * 2000))
    parts = [block[at : at + 300] for at in range(0, len(block), 300)]
    return [
        frame(HEADERS, 0, t.stream, parts[0]),
        *(frame(CONTINUATION, 0, t.stream, part) for part in parts[1:]),
        frame(CONTINUATION, END_HEADERS, t.stream),
        t.data(),
    ]


def pushed(t: Told) -> list[bytes]:
    promised = number(2) + t.block((":method", "GET"), (":path", "/other"))
    return t.whole(frame(PUSH, END_HEADERS, t.stream, promised))


def first(act: Callable[[Told], list[bytes]]) -> Odd:
    """At the first request alone."""
    return lambda t: t.whole() if t.attempt else act(t)


EQUAL: Final[dict[str, Odd]] = {
    "as usual": lambda t: t.whole(),
    "byte by byte": by_bytes,
    "DATA of one byte each": by_frames_of_a_byte,
    "padded DATA": lambda t: [t.head(), t.data(b"\x09" + BODY + bytes(9), END | PADDED)],
    "padded HEADERS": lambda t: [
        frame(HEADERS, 12, t.stream, b"\x03" + t.block((":status", "200"), PICTURE) + bytes(3)),
        t.data(),
    ],
    "CONTINUATION in many parts": in_parts,
    "103 before": lambda t: [t.head(status="103"), *t.whole()],
    "20 times 103": lambda t: [*(t.head(status="103") for _ in range(20)), *t.whole()],
    "trailers": lambda t: [t.head(), t.data(flags=0), t.trailers(("x-sum", "1"))],
    "empty DATA": lambda t: [t.head(), *[t.data(b"", 0)] * 20, t.data()],
    "unknown frames": lambda t: [frame(0xEE, 1, t.stream, b"?"), *t.whole(frame(0xEF, 0, 0))],
    "ALTSVC and ORIGIN": lambda t: t.whole(
        frame(10, 0, t.stream, b"\0\0clear"), frame(12, 0, 0, b"\0\x0ehttps://a.test")
    ),
    "PRIORITY": lambda t: t.whole(frame(PRIORITY, 0, t.stream, bytes(4) + b"\x10")),
    "PING amid": lambda t: [t.head(), *[frame(PING, 0, 0, b"together")] * 30, t.data()],
    "SETTINGS amid": lambda t: [
        t.head(),
        setting(4, 1),
        setting(1, 0),
        setting(4, 70_000),
        t.data(),
    ],
    "a table that shrinks": lambda t: [
        frame(HEADERS, END_HEADERS, t.stream, b"\x20" + t.block((":status", "200"), PICTURE)),
        t.data(),
    ],
    "204": lambda t: [t.head(status="204", flags=END | END_HEADERS)],
    "no body": lambda t: [t.head(flags=END | END_HEADERS)],
    "404 with a body": lambda t: [t.head(status="404"), t.data()],
    "RST_STREAM behind the end": lambda t: [*t.whole(), t.reset(NONE)],
    "GOAWAY before the response": lambda t: t.whole(t.goaway(NONE)),
    "GOAWAY amid, then closed": lambda t: [
        *(t.head(), t.data(BODY[:HALF], 0), t.goaway(NONE)),
        t.data(BODY[HALF:]),
        CLOSE,
    ],
    "two GOAWAY": lambda t: t.whole(t.goaway(NONE, 2**31 - 1), t.goaway(NONE)),
    "refused once": first(lambda t: [t.reset(REFUSED)]),
    "window of the connection": lambda t: t.whole(frame(WINDOW, 0, 0, number(2**30))),
    "ended in the middle": lambda t: [
        t.head(DECLARED),
        t.data(BODY[:HALF], 0),
        CLOSE,
    ],
    "reset in the middle": lambda t: [t.head(), t.data(BODY[:HALF], 0), t.reset(INTERNAL)],
    "less than declared": lambda t: [
        t.head(DECLARED),
        t.data(BODY[:HALF], 0),
        t.data(b""),
    ],
    "more than declared": lambda t: [t.head(DECLARED), t.data(flags=0), t.data(b"?")],
    "two lengths": lambda t: [t.head(DECLARED, ("content-length", "3")), t.data()],
    "100 before": lambda t: [t.head(status="100"), *t.whole()],
    "101": lambda t: [t.head(status="101"), *t.whole()],
    "trailers with a status": lambda t: [t.head(), t.data(flags=0), t.trailers((":status", "200"))],
    "a connection error behind the response": lambda t: [
        b"".join((*t.whole(), frame(SETTINGS, 0, 0, bytes(3)))),
    ],
    "a frame of 20 kB": lambda t: [t.head(DECLARED), t.data(bytes(20_000))],
    "no response, reset": lambda t: [t.reset(INTERNAL)],
    "no response, closed": lambda t: [CLOSE],
    "no response, ENHANCE_YOUR_CALM": lambda t: [t.goaway(CALM), CLOSE],
    "HPACK that is none": lambda t: [frame(HEADERS, END_HEADERS, t.stream, b"\x40\xff\xff\xff")],
    "an index beyond the table": lambda t: [frame(HEADERS, END_HEADERS, t.stream, b"\xff\x7f")],
    "no status": lambda t: [frame(HEADERS, END_HEADERS, t.stream, t.block(PICTURE)), t.data()],
    "DATA before HEADERS": lambda t: [t.data(flags=0), *t.whole()],
    "DATA on stream 0": lambda t: [frame(DATA, 0, 0, b"?"), *t.whole()],
    "SETTINGS of 3 bytes": lambda t: [frame(SETTINGS, 0, 0, bytes(3)), *t.whole()],
    "a capital in a name": lambda t: [t.head(("X-Upper", "a")), t.data()],
    "Connection": lambda t: [t.head(("connection", "close")), t.data()],
    "push": pushed,
}


@dataclass(frozen=True)
class Outcome:
    """What a client had in the end; ``status`` 0: no response; ``size``: bytes of its body."""

    status: int
    size: int
    is_whole: bool
    digest: str


NO_RESPONSE: Final = Outcome(0, 0, False, sha256().hexdigest())


@dataclass
class Setting:
    """An origin that behaves oddly, directly and through interception."""

    port: int
    folder: Path
    proxy: str

    async def directly(self) -> Outcome:
        there = f"{HOST}:{self.port}"
        options = ("--cacert", "theirs.pem", "--resolve", f"{there}:127.0.0.1")
        return await self._curl(*options, f"https://{there}/")

    async def intercepted(self) -> Outcome:
        options = ("--cacert", "ours.pem", "-x", self.proxy)
        outcome = await self._curl(*options, f"https://{HOST}/")
        return NO_RESPONSE if outcome.status == 502 else outcome

    async def _curl(self, *options: str) -> Outcome:
        body = self.folder / "body"
        await asyncio.to_thread(body.write_bytes, b"")
        process = await asyncio.create_subprocess_exec(
            *(str(require_program("curl")), "-sS", "--http2", "-m", "30", "-o", "body"),
            *("-w", "%{http_code}", *options),
            cwd=self.folder,
            stdout=asyncio.subprocess.PIPE,
        )
        status, _ = await process.communicate()
        came = await asyncio.to_thread(body.read_bytes)
        return Outcome(int(status), len(came), process.returncode == 0, sha256(came).hexdigest())


@asynccontextmanager
async def oddly(odd: Odd, folder: Path) -> AsyncIterator[Setting]:
    attempts = count()

    async def behave(peer: Peer, stream: Exchanged) -> None:
        await stream.complete()
        for piece in odd(Told(peer, stream.number, next(attempts))):
            if piece == CLOSE:
                peer.close()
                break
            peer.send_raw(piece)
            await asyncio.sleep(0)

    authority, shown = shown_to(folder)
    async with (
        serving_http2(Http2Origin({"/": behave}), shown) as origin,
        intercepting(folder, authority, origin.port) as opened,
    ):
        (folder / "ours.pem").write_bytes(opened.pem)
        yield Setting(origin.port, folder, opened.url)


def shown_to(folder: Path) -> tuple[trustme.CA, ssl.SSLContext]:
    """An authority, whose PEM is in ``folder``, and the origin's context."""
    authority, shown = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(shown)
    (folder / "theirs.pem").write_bytes(authority.cert_pem.bytes())
    return authority, shown


@pytest.mark.parametrize("name", EQUAL)
async def test_an_odd_origin_is_as_it_is_directly(name: str, tmp_path: Path) -> None:
    async with oddly(EQUAL[name], tmp_path) as setting:
        direct = await setting.directly()
    async with oddly(EQUAL[name], tmp_path) as setting:
        assert await setting.intercepted() == direct


async def test_an_origin_that_requires_http1_is_as_it_is_directly(tmp_path: Path) -> None:
    asked: list[str] = []
    authority, shown = shown_to(tmp_path)
    shown.set_alpn_protocols(["h2", "http/1.1"])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: EitherVersion(asked), "127.0.0.1", 0, ssl=shown)
    port = server.sockets[0].getsockname()[1]
    async with server, intercepting(tmp_path, authority, port) as opened:
        (tmp_path / "ours.pem").write_bytes(opened.pem)
        setting = Setting(port, tmp_path, opened.url)
        direct = await setting.directly()
        assert direct.is_whole
        assert await setting.intercepted() == direct
    assert asked == ["2", "1.1"] * 2
