"""Origins that go wrong in one way each, as scripts over sockets, and what a reader must get.

Knows no proxy: an origin speaks when a connection has come.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
PAGE: Final = b"<!doctype html><title>T</title><h1>T</h1>" + b"<p>The river rose overnight. " * 2000
"""Long enough for several pieces."""
TYPE: Final = b"Content-Type: text/html\r\n"
LENGTH: Final = b"Content-Length: %d\r\n" % len(PAGE)
HEAD: Final = b"HTTP/1.1 200 OK\r\n" + TYPE + LENGTH + b"\r\n"
CHUNKED: Final = b"HTTP/1.1 200 OK\r\n" + TYPE + b"Transfer-Encoding: chunked\r\n\r\n"


@dataclass(frozen=True)
class Fault:
    """``wanted``: what the reader may get: a status, ``cut`` (seen not to be whole) or ``whole``.

    ``through``: what stands before the address at Winnow's own; "" asks as of a proxy.
    """

    name: str
    script: Script
    wanted: frozenset[str]
    through: str = ""
    scheme: str = "http"


def broken_off(writer: asyncio.StreamWriter) -> None:
    """End the connection by a reset rather than a close."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def for_ever() -> None:
    await asyncio.Event().wait()


def says(*pieces: bytes, reads: bool = True, end: str = "close") -> Script:
    """Read the request if told so, send the pieces, then ``close``, ``reset`` or ``stall``."""

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if reads:
            await reader.readuntil(b"\r\n\r\n")
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        if end == "stall":
            await for_ever()
        if end == "reset":
            await asyncio.sleep(0.05)  # or the reset overtakes what was sent
            broken_off(writer)

    return speak


async def dribbles(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A byte of the head now and then, for ever."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def endless_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A page that never ends."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\n" + TYPE + b"\r\n")
    while True:
        writer.write(PAGE)
        await writer.drain()


async def redirects(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """To another address of the same origin, for ever."""
    while True:
        head = await reader.readuntil(b"\r\n\r\n")
        number = head.split(b" ")[1].rpartition(b"/")[2]
        further = int(number) + 1 if number.isdigit() else 1
        writer.write(b"HTTP/1.1 302 Found\r\nLocation: /%d\r\nContent-Length: 0\r\n\r\n" % further)


def fault(name: str, script: Script, *wanted: str, through: str = "") -> Fault:
    return Fault(name, script, frozenset(wanted), through)


def secure(name: str, script: Script, *wanted: str) -> Fault:
    """A fault of an origin that is asked by TLS, through the gateway."""
    return Fault(name, script, frozenset(wanted), "/", "https")


def interim_for_ever(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Awaitable[None]:
    return says(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 5000, end="stall")(reader, writer)


TWO_LENGTHS: Final = HEAD[:-2] + b"Content-Length: 5\r\n\r\n"
GARBAGE: Final = b"\x16\x03\x01\xff\xff" + b"\x00" * 9000
API: Final = "/-/api/extract?url="


HALF: Final = PAGE[: len(PAGE) // 2]
FAULTS: Final = (
    fault("closes before the request", says(reads=False), "502"),
    fault("resets before the request", says(reads=False, end="reset"), "502"),
    fault("closes after the request", says(), "502"),
    fault("resets after the request", says(end="reset"), "502"),
    fault("closes within the status line", says(b"HTTP/1."), "502"),
    fault("resets within the head", says(HEAD[:30], end="reset"), "502"),
    fault("resets between head and body", says(HEAD, end="reset"), "cut", "502"),
    fault("resets within the body", says(HEAD, HALF, end="reset"), "cut", "502"),
    fault("closes within the body: less than its length", says(HEAD, HALF), "cut", "502"),
    fault("closes within the chunks", says(CHUNKED, b"ffff\r\n", HALF), "cut", "502"),
    fault("sends a chunk size that is none", says(CHUNKED, b"zz\r\n", HALF), "cut", "502"),
    fault("sends more than its length", says(HEAD, PAGE, b"HTTP/1.1 200 OK\r\n\r\nX"), "whole"),
    fault("contradicts itself about its length", says(TWO_LENGTHS), "502"),
    fault("stalls after the request", says(end="stall"), "504"),
    fault("stalls within the head", says(HEAD[:30], end="stall"), "504"),
    fault("stalls within the body", says(HEAD, HALF, end="stall"), "cut", "504"),
    fault("sends its head a byte at a time, for ever", dribbles, "504", "502"),
    fault("sends a page that never ends", endless_body, "whole", "cut"),
    fault("sends 1 MB of header", says(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1_000_000), "502"),
    fault("sends 100,000 fields", says(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000), "502"),
    fault("sends bytes that are no HTTP", says(b"\x00\xff\x16\x03" * 1000), "502"),
    fault("sends interim replies for ever", interim_for_ever, "502"),
    fault("redirects for ever", redirects, "502", "508", through=API),
    secure("speaks no TLS", says(b"SSH-2.0-x\r\n" * 50, reads=False), "502"),
    secure("sends garbage within TLS", says(GARBAGE, reads=False), "502"),
    secure("closes within the TLS handshake", says(GARBAGE[:3], reads=False), "502"),
    secure("stalls within the TLS handshake", says(reads=False, end="stall"), "504"),
)
