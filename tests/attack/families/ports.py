"""The ports of ICAP and SOCKS5: messages that lie about themselves, and private addresses."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from typing import Final

from benchmarks.free_ports import free_port
from tests.attack.attempts import Attempt
from tests.attack.families.redirected import broken_into
from tests.attack.web import request, throw
from tests.attack.worlds import PRIVATE, SECRET, World, defaults
from tests.features.icap.service import chunked, message, reqmod, respmod
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import ReachSettings
from winnow.features.icap.settings import IcapSettings
from winnow.features.socks.settings import SocksSettings

BODY: Final = b"<p>a body"
OPEN: Final = b"\5\1\0"
ELSEWHERE: Final = "192.0.2.7"
TOKEN: Final = re.compile(rb'name="token" value="[^"]*"')
Ports = tuple[int, int]


@asynccontextmanager
async def both(world: World) -> AsyncIterator[Ports]:
    """The ports of ICAP and of SOCKS5 of a proxy whose clients may reach nothing private."""
    plain, ports = defaults(world.folder / "ports"), (free_port(), free_port())
    settings = replace(
        plain,
        features=replace(plain.features, enabled=("icap", "socks")),
        access=replace(plain.access, private_addresses=ReachSettings.NOBODY),
        extraction=UNHURRIED,
        of_features=(IcapSettings(ports[0], ("127.0.0.1",)), SocksSettings(ports[1])),
    )
    async with running(settings):
        yield ports


async def lied(world: World, number: int, payload: bytes, refused: bytes) -> str:
    """``refused``: what no answer may begin with."""
    port = (await world.keep("ports", partial(both, world)))[number]
    world.network.connected.clear()
    there = payload.replace(b"{tool}", b"%05d/" % world.tool.port)  # as long: heads have a length
    got = await throw(port, there, silence=1)
    if SECRET in got.raw:
        return "the local tool was read"
    if refused and refused in got.raw:
        return f"it was answered: {got.raw[:80]!r}"
    return broken_into(world, port)


async def favoured(world: World, asked: str, address: str) -> str:
    """An own page is refused, or is the one that a client elsewhere gets."""
    port, pages = (await world.keep("ports", partial(both, world)))[0], []
    for each in (address, ELSEWHERE):
        got = (await throw(port, reqmod(asked, f"X-Client-IP: {each}"), silence=1)).raw
        pages.append(
            TOKEN.sub(b"", got.split(b"\r\n\r\n", 2)[-1]) if b"HTTP/1.1 200" in got else b""
        )
    return "" if pages[0] in (b"", pages[1]) else "it was shown what no other client is"


async def honest(world: World, number: int, payload: bytes, wanted: bytes) -> str:
    """The counter-proof."""
    port = (await world.keep("ports", partial(both, world)))[number]
    got = await throw(port, payload, silence=20 if number == 0 else 1)
    return "" if wanted in got.raw else f"answered {got.raw[:80]!r}"


def icap() -> Iterator[tuple[str, bytes]]:
    """None of these is one message of ICAP, to two readers."""
    whole = respmod() + chunked(BODY)
    yield from (
        (f"no {name}", whole.replace(name.encode(), b"", 1)) for name in ("ICAP/1.0", "\r\n")
    )
    for name, parts in {
        "offsets that fall": "req-hdr=0, res-hdr=90, res-body=60",
        "a part twice": "req-hdr=0, req-hdr=0, res-body=60",
        "a body before a head": "req-body=0, res-hdr=90",
        "no body": "req-hdr=0, res-hdr=90",
        "a negative offset": "req-hdr=-1, res-body=60",
        "a huge offset": "req-hdr=0, res-body=99999999",
        "an unknown part": "x-hdr=0, res-body=60",
        "a first offset": "req-hdr=4, res-body=60",
    }.items():
        yield name, message("RESPMOD", parts) + whole.partition(b"\r\n\r\n")[2]
    for name, line in {
        "two Hosts": b"Host: a\r\nHost: b\r\n",
        "a bare line end": b"X: a\nY: b\r\n",
        "a folded field": b"X: a\r\n b\r\n",
        "a blank before the colon": b"Host : a\r\n",
    }.items():
        asked = b"GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\n" + line + b"\r\n"
        yield name, reqmod(asked.decode())
    for name, size in {
        "no size": b"zz",
        "a sign": b"+4",
        "a blank": b" 4",
        "much": b"f" * 9,
    }.items():
        yield f"chunks of {name}", respmod() + size + b"\r\n" + BODY


def of_this_computer() -> Iterator[tuple[str, str, str]]:
    """Name, request and address of a client of this computer, who may do what nobody else may."""
    for address in (
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
        "0.0.0.0",
        "localhost",
        "",
    ):  # is said, not bound
        for url in ("read?url=http://127.0.0.1:{tool}/", "settings/all", "activity"):
            host = "winnow.internal"
            asked = f"GET http://{host}/-/{url} HTTP/1.1\r\nHost: {host}\r\n\r\n"
            yield f"{url} by {address}", asked, address


def socks() -> Iterator[tuple[str, bytes]]:
    """Private addresses in each form, and messages of other protocols."""
    for text in PRIVATE:
        address = ip_address(text).packed
        kind = b"\1" if len(address) == 4 else b"\4"
        for port in (80, 8080, 7000):
            there = b"\5\1\0" + kind + address + port.to_bytes(2, "big")
            host = f"[{text}]" if ":" in text else text
            page = b"" if port == 7000 else request("/", f"{host}:{port}")
            yield f"{text} port {port}", OPEN + there + page
        named = bytes((3, len(text))) + text.encode()
        yield f"{text} as a name", OPEN + b"\5\1\0" + named + (7000).to_bytes(2, "big")
    yield from {
        "SOCKS4": b"\4\1\0\x50\x7f\0\0\1\0",
        "HTTP": b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "no method": b"\5\0",
        "BIND": OPEN + b"\5\2\0\1\x7f\0\0\1\0\x50",
        "UDP": OPEN + b"\5\3\0\1\x7f\0\0\1\0\x50",
        "a name of line ends": OPEN + b"\5\1\0\3\4a\r\nb\x1b\x58",
        "a name of NUL": OPEN + b"\5\1\0\3\3a\0b\x1b\x58",
        "an empty name": OPEN + b"\5\1\0\3\0\x1b\x58",
        "port 0": OPEN + b"\5\1\0\1\x5d\xb8\xd7\x0e\0\0",
        "half a request": OPEN + b"\5\1\0\1\x5d",
    }.items()


def attempts() -> Iterator[Attempt]:
    page = respmod() + chunked(b"<title>a</title>" + BODY * 300)
    yield Attempt(
        "counter-proofs",
        "a page by ICAP",
        partial(honest, number=0, payload=page, wanted=b"Winnow-Action"),
    )
    there = OPEN + b"\5\1\0\3\x0csite.example\0\x50"
    shown = partial(honest, number=1, payload=there, wanted=b"\5\0\0\1")
    yield Attempt("counter-proofs", "a site by SOCKS5", shown)
    for name, payload in icap():
        run = partial(lied, number=0, payload=payload, refused=b"ICAP/1.0 2")
        yield Attempt("messages of ICAP", name, run)
    for name, asked, address in of_this_computer():
        sent = reqmod(asked, f"X-Client-IP: {address}")
        run = partial(lied, number=0, payload=sent, refused=b"HTTP/1.1 200")
        if "{tool}" not in asked:
            run = partial(favoured, asked=asked, address=address)
        yield Attempt("messages of ICAP", name, run)
    for name, payload in socks():
        is_read = name.endswith(("80", "8080"))  # there the answer is one of HTTP
        refused = b"" if is_read else b"\5\0\0\1"
        yield Attempt("SOCKS5", name, partial(lied, number=1, payload=payload, refused=refused))
