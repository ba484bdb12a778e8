"""The transparent port: connections that nobody redirected, and redirected ones that lie.

No packet filter runs here: what tells where a client meant to connect is the test's.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Final
from unittest.mock import patch

from benchmarks.free_ports import free_port
from tests.attack.attempts import Attempt
from tests.attack.families.reader_network import KEY, PLAIN, SOCKET
from tests.attack.families.wire import odd
from tests.attack.web import CHROME, HTML, request, throw
from tests.attack.worlds import EVIL, PRIVATE, SECRET, SITE, World, defaults
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.proxy.http.request_target import Origin

MEANT: Final = "winnow.proxy.server.redirected.original_destination"
FROM: Final = "Referer: http://evil.example/"
ROUTER: Final = "192.168.1.1"


MEANT_NOW: Final[list[Origin | None]] = [None]
"""Where the clients of the transparent port meant to connect."""


@asynccontextmanager
async def transparent(world: World) -> AsyncIterator[int]:
    """The port of a proxy for redirected connections, all of which meant MEANT_NOW."""
    plain, port = defaults(world.folder / "redirected"), free_port()
    settings = replace(
        plain,
        server=replace(plain.server, transparent_port=port),
        extraction=UNHURRIED,
        upstream=replace(plain.upstream, dns_cache=0.0),
    )
    with patch(MEANT, lambda _: MEANT_NOW[0]):
        async with running(settings):
            yield port


async def port_for(world: World, meant: tuple[str, int] | None) -> int:
    """The port, for connections that meant this address; None: that nobody redirected."""
    MEANT_NOW[0] = Origin("http", *meant) if meant else None
    port = await world.keep("redirected", partial(transparent, world))
    world.network.connected.clear()
    return port


async def unredirected(world: World, payload: bytes) -> str:
    """Nobody redirected the connection: it is closed without a word."""
    port = await port_for(world, None)
    got = await throw(port, payload.replace(b"{tool}", b"%d" % world.tool.port), silence=5)
    if got.raw:
        return f"it was answered: {got.raw[:60]!r}"
    return broken_into(world, port)


def broken_into(world: World, port: int) -> str:
    """As of the world, the test's own connections apart."""
    network = world.network
    network.connected[:] = [each for each in network.connected if each[1] != port]
    return world.broken_into()


async def lying(world: World, meant: tuple[str, int], payload: bytes) -> str:
    """A page's request that names another host than its connection meant, or a private one."""
    port = await port_for(world, meant)
    got = await throw(port, payload.replace(b"{tool}", b"%d" % world.tool.port), silence=5)
    if SECRET in got.raw:
        return "the local tool was read"
    return odd(world, got) or broken_into(world, port)


async def honest(world: World) -> str:
    """A redirected page comes: the counter-proof."""
    port = await port_for(world, (SITE, 80))
    got = await throw(port, request("/", "site.example", (CHROME, HTML)), silence=20)
    return "" if got.status == 200 and b"river" in got.body else f"status {got.status}"


def hello(name: str) -> bytes:
    """The first bytes of a TLS client that asks for a name."""
    outgoing = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname=name)
    with suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


def payloads() -> Iterator[tuple[str, bytes]]:
    tool = "127.0.0.1:{tool}"
    yield "a page", request("/", "site.example", (CHROME, HTML))
    yield "the local tool", request("/", tool, (CHROME, HTML, FROM))
    yield "absolute form", request(f"http://{tool}/", "site.example", (CHROME, HTML, FROM))
    yield "the gateway", request(f"/http://{tool}/", "winnow.internal", (CHROME, HTML, FROM))
    yield "settings", request("/-/settings", "winnow.internal", (CHROME, HTML, FROM))
    yield "CONNECT", request(tool, tool, (), "CONNECT")
    yield "TLS", hello("localhost")
    yield "a PROXY header", b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n" + request("/", tool)
    yield "HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
    yield "garbage", b"\0" * 400


def attempts() -> Iterator[Attempt]:
    family = "transparent port"
    yield Attempt("counter-proofs", "a redirected page", honest)
    for name, payload in payloads():
        run = partial(unredirected, payload=payload)
        yield Attempt(family, f"not redirected, {name}", run)
    hosts = (*(f"inside{number}.example" for number in range(len(PRIVATE))), ROUTER, "localhost")
    for host in hosts:
        for name, fields in {
            "page": (CHROME, HTML),
            "page of another": (CHROME, HTML, FROM),
            "image": (CHROME, "Accept: image/*", FROM),
            "WebSocket": (CHROME, *SOCKET, KEY, "Origin: http://evil.example"),
        }.items():
            if host in (ROUTER, "localhost") and name == "page":
                continue  # a page cannot name them so; a program may
            asked = request("/", host, fields)
            run = partial(lying, meant=(EVIL, 80), payload=asked)
            yield Attempt(family, f"{name} that names {host}", run)
    for name, (method, fields) in PLAIN.items():
        asked = request("/", ROUTER, fields, method, b"a" if method in ("POST", "PUT") else None)
        run = partial(lying, meant=(ROUTER, 80), payload=asked)
        yield Attempt(family, f"{name} to a private address", run)
    for name in ("localhost", "inside0.example", "127.0.0.1.evil.example", "winnow.internal"):
        run = partial(lying, meant=(EVIL, 443), payload=hello(name))
        yield Attempt(family, f"TLS that names {name}", run)
