"""Clients that are slow, idle or ask for tunnels to ports that are no web."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Final

from tests.attack.attempts import Attempt
from tests.attack.web import request, throw
from tests.attack.worlds import SITE, World
from tests.proxy.origins import reply
from winnow.proxy.caching.caching_client import CachingRules


async def dripped(world: World, head: bytes, drop: bytes, most: float) -> str:
    """A client that sends a byte now and then is given up within its time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", world.port)
    begun = time.perf_counter()
    try:
        writer.write(head.replace(b"{own}", world.own.encode()))
        ended = asyncio.create_task(reader.read())
        while time.perf_counter() - begun < most and not ended.done():
            writer.write(drop)
            await asyncio.wait((ended,), timeout=0.5)
        done = ended.done()
        ended.cancel()
        await asyncio.gather(ended, return_exceptions=True)
        return "" if done else f"it was still heard after {most:g} s"
    except ConnectionError:
        return ""
    finally:
        writer.transport.abort()


async def unread(world: World, path: str) -> str:
    """A client that reads nothing of a cacheable reply holds nobody who asked for the same."""
    large = 4 * 1024 * 1024 - 1000
    world.site.replies[path] = reply(b"x" * large, "Cache-Control: max-age=60")
    url = f"http://site.example{path}"
    sleeper = socket.socket()
    sleeper.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    sleeper.connect(("127.0.0.1", world.port))
    try:
        sleeper.sendall(request(url, "site.example"))
        await asyncio.sleep(0.2)
        begun = time.perf_counter()
        got = await throw(world.port, request(url, "site.example"))
        waited = time.perf_counter() - begun
        if got.status != 200 or len(got.body) != large:
            return f"the other got {got.status}, {len(got.body)} bytes"
        return f"the other waited {waited:.1f} s" if waited > CachingRules().patience else ""
    finally:
        sleeper.close()


PORTS: Final = {
    "mail": (25, 465, 587, 110, 143, 993, 995),
    "databases": (1433, 1521, 3306, 5432, 6379, 9042, 11211, 27017),
}


async def connected(world: World, authority: str, port: int) -> str:
    """CONNECT to a port of mail or a database opens nothing."""
    world.network.routes[SITE, port] = world.site.port
    payload = f"CONNECT {authority}:{port} HTTP/1.1\r\nHost: {authority}:{port}\r\n\r\n".encode()
    got = await throw(world.port, payload, silence=0.5)
    tried = [each for each in world.network.connected if each[1] == port]
    if got.status == 200 or tried:
        return f"status {got.status}, connections {tried}"
    return ""


async def plain_to(world: World, port: int) -> str:
    """A plain request to such a port neither."""
    world.network.routes[SITE, port] = world.site.port
    target = f"http://site.example:{port}/"
    got = await throw(
        world.port, request(target, f"site.example:{port}", (), "POST", b"EHLO a\r\n")
    )
    tried = [each for each in world.network.connected if each[1] == port]
    return f"status {got.status}, connections {tried}" if got.status == 200 or tried else ""


@contextlib.asynccontextmanager
async def _held(port: int, payload: bytes, number: int) -> AsyncIterator[None]:
    writers = []
    for _ in range(number):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(payload)
        writers.append(writer)
    try:
        yield
    finally:
        for writer in writers:
            writer.transport.abort()


async def crowded(world: World, payload: bytes) -> str:
    """300 connections that ask for nothing whole leave room for others."""
    async with _held(world.port, payload, 300):
        got = await throw(world.port, request("/-/health", world.own), seconds=10)
        return "" if got.status == 200 else f"health is {got.status}"


SLOW_HEAD: Final = b"GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\nX-Slow: "


SLOW_BODY: Final = (
    b"POST %b HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9000\r\n\r\na="
)


SLOW_CHUNKS: Final = (
    b"POST %b HTTP/1.1\r\nHost: {own}\r\nOrigin: http://{own}\r\nTransfer-Encoding: chunked\r\n\r\n"
)


POSTED: Final = (
    b"/-/choose", b"/-/settings", b"/-/settings/reading", b"/-/settings/saved",
    b"/-/small/bookmark", b"/-/api/extract", b"/-/keep", b"/-/settings/rules",
    b"/-/settings/rules/edit", b"/-/settings/rules/import",
    b"/-/settings/learned", b"/-/small/http://site.example/f", b"/-/annotate", b"/-/setup",
    b"/-/nothing", b"/",
)  # fmt: skip


def _slow_clients() -> Iterator[Attempt]:
    made = {
        "head": (SLOW_HEAD, b"a"),
        "line": (b"GET http://site.example/", b"a"),
        "none": (b"", b""),
    }
    for path in POSTED:
        made[f"body of {path.decode()}"] = (SLOW_BODY.replace(b"%b", path), b"a")
        made[f"chunks of {path.decode()}"] = (SLOW_CHUNKS.replace(b"%b", path), b"1\r\na\r\n")
    for name, (head, drop) in made.items():
        run = partial(dripped, head=head, drop=drop, most=100.0)
        yield Attempt("slow clients", name, run, seconds=130, slow=True, beside=True)


def attempts() -> Iterator[Attempt]:
    yield from _slow_clients()
    for kind, ports in PORTS.items():
        for port in ports:
            for authority in ("site.example", SITE, "127.0.0.1", "[::1]"):
                run = partial(connected, authority=authority, port=port)
                yield Attempt("CONNECT to odd ports", f"{kind}, {authority}:{port}", run)
            run = partial(plain_to, port=port)
            yield Attempt("plain requests to odd ports", f"{kind}, {port}", run)
    for path in ("/unread1", "/unread2", "/unread3"):
        yield Attempt("slow readers", path, partial(unread, path=path))
    for name, payload in {
        "nothing": b"",
        "half a line": b"GET ht",
        "half a head": SLOW_HEAD,
    }.items():
        yield Attempt("many idle clients", name, partial(crowded, payload=payload))
