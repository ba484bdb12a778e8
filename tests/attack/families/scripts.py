"""What a script can do: in a site's own page beside our bar, and by WebSockets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from tests.attack.attempts import Attempt
from tests.attack.families.foreign import encoded, forms, path_of
from tests.attack.web import CHROME, FOREIGN, HTML, fetching, request, throw
from tests.attack.worlds import SECRET, World

SITES_OWN: Final = {
    "script's fetch": fetching("cross-site", "cors", "empty", "Origin: http://site.example"),
    "script's form": fetching(
        "cross-site", "navigate", "document", HTML, "Origin: http://site.example"
    ),
    "script's synthetic click, plain HTTP": (
        CHROME, HTML, "Origin: http://site.example", "Referer: http://site.example/",
    ),
    "script's window.open": fetching("cross-site", "navigate", "document", HTML),
    "script's click, no-referrer": (CHROME, HTML, "Origin: null"),
    "script's img": fetching("cross-site", "no-cors", "image"),
}  # fmt: skip


"""What a script of a site in the proxy can send, in the site's own origin."""


UPGRADE: Final = (
    "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13",
)  # fmt: skip


SWITCHED: Final = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n" + SECRET


async def socket(world: World, form: str, origin: str, fields: Sequence[str]) -> str:
    """A WebSocket of another site's page through the gateway: no tool is asked for it."""
    target = form.format(port=world.tool.port)
    lines = [f"GET {target} HTTP/1.1", f"Host: {world.own}", "Connection: Upgrade", *UPGRADE]
    lines += [line.format(port=world.tool.port, own=world.port) for line in fields]
    if origin:
        lines.append("Origin: " + origin.format(port=world.tool.port, own=world.port))
    got = await throw(world.port, "\r\n".join(lines).encode() + b"\r\n\r\n", silence=0.25)
    if got.status == 101:
        return "the upgrade was granted"
    asked = [head for head in world.tool.requests if b"pgrade" in head]
    return f"the tool was asked: {asked[0][:200]!r}" if asked else world.broken_into()


async def laundered(world: World, fields: Sequence[str], method: str) -> str:
    """A foreign Origin that comes to a site through the gateway is its own, or none comes."""
    target, body = "/http://site.example/post", b"a=b" if method == "POST" else None
    await throw(world.port, request(target, world.own, fields, method, body))
    for head in world.site.requests:
        said = [line for line in head.lower().split(b"\r\n") if line.startswith(b"origin:")]
        if any(b"site.example" in line for line in said):
            return f"a foreign Origin was rewritten: {head!r}"
    return ""


async def from_the_page(world: World, host: str, fields: Sequence[str]) -> str:
    """A site's own script finds whatever the bar holds in its page and uses it all."""
    shown = await throw(world.port, request(f"http://{host}/", host, (HTML,)))
    await throw(world.port, request("/-/saved", world.own))  # its file is made at the first look
    before = world.lasting()
    fields = [field.replace("site.example", host) for field in fields]
    if shown.field("winnow-action") != "extracted":
        return f"no bar was seen: {shown.head[:200]!r}"
    for target, said, method in _everything(shown.body, host):
        for sent in ("GET", "POST") if method == "POST" else ("GET",):
            where = path_of(target)
            body = encoded(said) if sent == "POST" else None
            if sent == "GET" and said:
                where += ("&" if "?" in where else "?") + encoded(said).decode()
            for start in ("", "http://winnow.internal"):
                named = "winnow.internal" if start else world.own
                await throw(world.port, request(start + where, named, fields, sent, body))
            if world.lasting() != before:
                return f"{sent} {where[:120]} changed what lasts"
    return await _others_see_it(world, host)


def _everything(markup: bytes, host: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """Every form and every own link of a page, with what each could be made to say."""
    tokens = set(re.findall(rb'name="token" value="([^"]+)"', markup))
    tokens |= set(re.findall(rb"token=([\w.%-]+)", markup))
    for method, target, said in forms(markup):
        yield target, said, method
    for node in LexborHTMLParser(markup).css("a[href*='/-/']"):
        yield node.attributes["href"] or "/", {}, "GET"
    for token in tokens:
        for action, value in (("never", ""), ("always", ""), ("extractor", "bte"), ("level", "3")):
            wish = {"action": action, "page": f"http://{host}/", "token": token.decode()}
            yield "/-/choose", {**wish, "value": value} if value else wish, "POST"
        for change in ("forget-all", "pause", "leaves"):
            said = {"change": change, "value": "60", "token": token.decode()}
            yield "/-/settings", said, "POST"


async def _others_see_it(world: World, host: str) -> str:
    """Another client's view of the page is still extracted."""
    asked = request(f"http://{host}/", host, (HTML, "Accept-Language: de"))
    got = await throw(world.port, asked, source="127.0.0.9")
    said = got.field("winnow-action")
    return "" if said == "extracted" else f"another client gets {said} {got.field('winnow-reason')}"


def _sockets() -> Iterator[Attempt]:
    targets = (
        "/http://127.0.0.1:{port}/ws", "/http://localhost:{port}/ws", "/http:/127.0.0.1:{port}/ws",
        "/-/read?mode=original&url=http://127.0.0.1:{port}/ws", "/-/small/http://127.0.0.1:{port}/",
        "/http://[::1]:{port}/ws", "/http://inside0.example/ws",
    )  # fmt: skip
    origins = (
        "http://evil.example", "https://evil.example", "null", "http://127.0.0.1:{port}",
        "http://localhost:{own}", "http://127.0.0.1:9", "file://", "http://127.0.0.1.evil.example",
        "http://evil.example:{own}", "",
    )  # fmt: skip
    more = {
        "Chrome": (CHROME, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: websocket"),
        "same site": (CHROME, "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: websocket"),
        "old browser": (CHROME,),
    }
    for target in targets:
        for origin in origins:
            for name, fields in more.items():
                run = partial(socket, form=target, origin=origin, fields=fields)
                said = f"{target} from {origin or 'no origin'}, {name}"
                yield Attempt("cross-site WebSocket", said, run)


def attempts() -> Iterator[Attempt]:
    for name, fields in FOREIGN.items():
        for method in ("GET", "POST"):
            run = partial(laundered, fields=fields, method=method)
            yield Attempt("Origin laundering", f"{method} by {name}", run)
    for number, (name, fields) in enumerate(SITES_OWN.items()):
        run = partial(from_the_page, host=f"t{number}.site.example", fields=fields)
        yield Attempt("tokens in pages", name, run)
    yield from _sockets()
