"""A page read by the forward proxy reaches into its reader's network: by DNS, or by asking.

Browsers send Fetch Metadata to HTTPS and loopback alone, so that of a private address over plain
HTTP the proxy sees Origin and Referer at most.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from tests.attack.attempts import Attempt
from tests.attack.web import CHROME, HTML, fetching, request, throw
from tests.attack.worlds import PRIVATE, SECRET, SITE, World
from tests.proxy.origins import reply

FROM, ORIGIN = "Referer: http://evil.example/", "Origin: http://evil.example"
SOCKET: Final = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13")
KEY: Final = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
PLAIN: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "img": ("GET", (CHROME, "Accept: image/*", FROM)),
    "img, hidden": ("GET", (CHROME, "Accept: image/*")),
    "script": ("GET", (CHROME, "Accept: */*", FROM)),
    "script, hidden": ("GET", (CHROME, "Accept: */*")),
    "frame": ("GET", (CHROME, HTML, FROM)),
    "frame, hidden": ("GET", (CHROME, HTML)),
    "fetch": ("GET", (CHROME, "Accept: */*", ORIGIN, FROM)),
    "fetch, hidden": ("GET", (CHROME, "Accept: */*", "Origin: null")),
    "form": ("POST", (CHROME, HTML, ORIGIN, FROM)),
    "form, hidden": ("POST", (CHROME, HTML, "Origin: null")),
    "form of an old browser": ("POST", (CHROME, HTML, FROM)),
    "beacon": ("POST", (CHROME, "Accept: */*", ORIGIN)),
    "put": ("PUT", (CHROME, "Accept: */*", ORIGIN)),
    "preflight": ("OPTIONS", (CHROME, ORIGIN, "Access-Control-Request-Method: PUT")),
    "WebSocket": ("GET", (CHROME, *SOCKET, KEY, ORIGIN)),
    "WebSocket of a sandbox": ("GET", (CHROME, *SOCKET, KEY, "Origin: null")),
    "browser that hides its name": ("GET", ("Accept: */*", FROM)),
    "subdomain that looks like an address": (
        "GET", (CHROME, "Accept: image/*", "Referer: http://10.0.0.1.evil.example/"),
    ),
    "page below ip6.arpa": ("GET", (CHROME, "Accept: image/*", "Referer: http://a.8.ip6.arpa/")),
}  # fmt: skip
TOLD: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "told img": ("GET", fetching("cross-site", "no-cors", "image", FROM)),
    "told frame": ("GET", fetching("cross-site", "navigate", "iframe", HTML, FROM)),
    "told fetch": ("GET", fetching("cross-site", "cors", "empty", ORIGIN, FROM)),
    "told form": ("POST", fetching("cross-site", "navigate", "document", HTML, ORIGIN, FROM)),
    "told WebSocket": ("GET", fetching("cross-site", "websocket", "", *SOCKET, KEY, ORIGIN)),
    "told img, hidden": ("GET", fetching("cross-site", "no-cors", "image")),
    "told of a neighbour": ("GET", fetching("same-site", "cors", "empty", ORIGIN)),
}
LOCAL_NAMES: Final = ("router", "nas.lan", "printer.local")
SPELLED: Final = (*PRIVATE, *LOCAL_NAMES, "inside0.example")
CHANGES: Final = {
    "public and private": ((SITE, "{}"),),
    "private and public": (("{}", SITE),),
    "public, then private": ((SITE,), ("{}",)),
    "public, then both": ((SITE,), (SITE, "{}"), ("{}", SITE)),
    "private, then public": (("{}",), (SITE,), ("{}",)),
}
SAME: Final = {
    "its own script": (CHROME, "Accept: */*", "Referer: http://{}/"),
    "its own script, told": fetching("same-origin", "cors", "empty", "Referer: http://{}/"),
    "its own page again": (CHROME, HTML, "Referer: http://{}/"),
    "an address that is typed": fetching("none", "navigate", "document", HTML),
    "its own WebSocket": (CHROME, *SOCKET, KEY, "Origin: http://{}"),
}


def verdict(world: World, raw: bytes) -> str:
    if SECRET in raw:
        return f"the local tool's answer was read: {raw[:80]!r}"
    if b"500 Internal" in raw[:64]:
        return "status 500"
    if b" 303 " in raw[:16] and b"winnow.internal/-/choose?action=private" not in raw:
        return f"led elsewhere: {raw[:80]!r}"
    return world.broken_into()


def known(world: World) -> None:
    """Names of the local network lead to the router."""
    for name in LOCAL_NAMES:
        world.network.names[name] = lambda: ["192.168.1.1"]


async def asked(world: World, host: str, method: str, fields: Sequence[str]) -> str:
    """A page of a public site has the browser ask by proxy."""
    known(world)
    authority = f"[{host}]" if ":" in host else host
    body = b"a=b" if method in {"POST", "PUT"} else None
    payload = request(f"http://{authority}/x", authority, fields, method, body)
    return verdict(world, (await throw(world.port, payload)).raw)


async def tunnelled(world: World, host: str, fields: Sequence[str]) -> str:
    """Browsers send ``ws://`` through CONNECT, in clear text."""
    known(world)
    authority = f"[{host}]:80" if ":" in host else f"{host}:80"
    connect = f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{CHROME}\r\n\r\n".encode()
    inside = request("/x", authority, fields)
    raw = (await throw(world.port, connect + inside)).raw
    return verdict_of_tunnel(world, raw)


def verdict_of_tunnel(world: World, raw: bytes) -> str:
    """A connection without a byte is no request: which host it is stands in the first of them."""
    if SECRET in raw or world.tool.requests:
        return f"the local tool was asked through a tunnel: {raw[:120]!r}"
    return ""


async def rebound(
    world: World, private: str, fields: Sequence[str], answers: Sequence[Sequence[str]]
) -> str:
    """A page's own name changes its addresses, and its server stops listening."""
    filled = [[one.format(private) for one in answer] for answer in answers]
    following = itertools.chain(filled, itertools.repeat(filled[-1]))
    name = f"n{abs(hash((private, *fields, *map(tuple, filled)))):x}.example"
    world.network.names[name] = lambda: next(following)
    port = world.tool.port
    told = [field.format(f"{name}:{port}") for field in fields]
    for number in range(len(filled) + 1):
        world.network.routes.pop((SITE, port), None)
        if number == 0:
            world.network.routes[SITE, port] = world.site.port
        world.network.routes[private, port] = port
        world.site.replies[f"/{number}"] = reply(b"", "Connection: close")
        try:
            payload = request(f"http://{name}:{port}/{number}", f"{name}:{port}", told)
            got = await throw(world.port, payload)
        finally:
            world.network.routes.pop((SITE, port), None)
            del world.network.routes[private, port]
        if through := verdict(world, got.raw):
            return through
    return ""


def attempts() -> Iterator[Attempt]:
    for host in SPELLED:
        for name, (method, fields) in {**PLAIN, **TOLD}.items():
            run = partial(asked, host=host, method=method, fields=fields)
            yield Attempt("the reader's network", f"{host}, {name}", run)
        for name, (method, fields) in {**PLAIN, **TOLD}.items():
            if method == "GET":
                run = partial(tunnelled, host=host, fields=fields)
                yield Attempt("the reader's network by tunnel", f"{host}, {name}", run)
    for private, (change, answers) in itertools.product(PRIVATE, CHANGES.items()):
        for name, fields in SAME.items():
            run = partial(rebound, private=private, fields=fields, answers=answers)
            said = f"{change} ({private}), {name}"
            yield Attempt("a page's own name, by proxy", said, run)
