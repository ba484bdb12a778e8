"""Cache isolation: two clients, one thing changed; the second gets what it would get alone."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from tests.attack.attempts import Attempt
from tests.attack.web import CHROME, HTML, Got, page, request, throw
from tests.attack.worlds import World
from tests.proxy.origins import reply

STORED: Final = (
    "", "Cache-Control: max-age=60", "Cache-Control: public, max-age=60",
    "Cache-Control: s-maxage=60", "Cache-Control: private, max-age=60", "Cache-Control: no-cache",
    "Cache-Control: no-store", "Cache-Control: max-age=60, must-revalidate",
    'Cache-Control: max-age=60, no-cache="set-cookie"', "Cache-Control: max-age=60, immutable",
    "Expires: Thu, 01 Dec 2099 16:00:00 GMT", "Pragma: no-cache",
    "Cache-Control: stale-while-revalidate=60, max-age=0",
)  # fmt: skip
BESIDE: Final = (
    "", "Last-Modified: Thu, 01 Jan 2015 00:00:00 GMT", 'ETag: "one"', "Set-Cookie: session=A1",
    "Set-Cookie2: session=A1", "Vary: Cookie", "Vary: *", "Vary: Authorization",
    "WWW-Authenticate: Basic",
)  # fmt: skip
PERSONS: Final = {
    "Cookie": ("Cookie: who=AAAA", "Cookie: who=BBBB"),
    "Cookie, none": ("Cookie: who=AAAA", ""),
    "Authorization": ("Authorization: Basic QUFBQQ==", "Authorization: Basic QkJCQg=="),
    "Authorization, none": ("Authorization: Basic QUFBQQ==", ""),
    "nothing": ("", ""),
}
PUBLIC: Final = re.compile(r"public|s-maxage|must-revalidate")
EXPLICIT: Final = re.compile(r"max-age=60|s-maxage|Expires|stale-while-revalidate")


def echoing(world: World, path: str, fields: Sequence[str]) -> None:
    """Answers of ``path`` hold the last request's personal fields in their body."""

    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = world.site.requests[-1].decode("latin-1")
        who = "".join(sorted(re.findall(r"(AAAA|BBBB|QUFBQQ==|QkJCQg==)", head))) or "nobody"
        body = page(f"For {who}").partition(b"\r\n\r\n")[2]
        answer = reply(body, "Content-Type: text/html", *filter(None, fields), "Connection: close")
        writer.write(answer)
        await writer.drain()

    world.site.replies[path] = speak


def _path(*words: object) -> str:
    return f"/share{abs(hash(words)):x}"


async def shared(world: World, stored: str, beside: str, who: str, wanted: str) -> str:
    """The first person's page and cookie do not come to the second, unless HTTP says they may."""
    path = _path(stored, beside, who, wanted)
    echoing(world, path, (stored, beside))
    first, second = PERSONS[who]
    fields = (HTML, CHROME) if wanted == "page" else ("Accept: image/png", CHROME)
    url = f"http://site.example{path}"
    one = await throw(world.port, request(url, "site.example", (*fields, *filter(None, [first]))))
    two = await throw(world.port, request(url, "site.example", (*fields, *filter(None, [second]))))
    return judged(one, two, stored, beside, first)


def judged(one: Got, two: Got, stored: str, beside: str, first: str) -> str:
    if one.status != 200 or two.status != 200:
        return f"statuses {one.status} and {two.status}"
    asked = first.partition(": ")[2].removeprefix("who=").removeprefix("Basic ")
    leaked = bool(asked) and asked.encode() in two.body
    named = first.partition(":")[0]
    allowed = bool(EXPLICIT.search(stored)) and beside not in (f"Vary: {named}", "Vary: *")
    if beside.startswith("Set-Cookie:"):
        allowed = allowed and bool(re.search(r"public|s-maxage", stored))
    if first.startswith("Cookie"):  # the pages of this family are HTML
        allowed = allowed and bool(re.search(r"public|s-maxage", stored))
    if first.startswith("Authorization"):
        allowed = allowed and bool(PUBLIC.search(stored))
    if "private" in stored or "no-store" in stored:
        allowed = False
    if leaked and not allowed:
        return f"the page of {first} came to the next client ({two.field('cache-status')})"
    if "hit" in two.field("cache-status") and two.fields("set-cookie"):
        return f"Set-Cookie was replayed: {two.field('set-cookie')}"
    return ""


VARIED: Final = {
    "Accept-Language": ("Accept-Language: de", "Accept-Language: fr"),
    "User-Agent": ("User-Agent: a", "User-Agent: b"),
    "Origin": ("Origin: http://a.example", "Origin: http://b.example"),
    "X-Custom": ("X-Custom: 1", "X-Custom: 2"),
    "Accept": ("Accept: text/html", "Accept: image/png"),
}


async def varied(world: World, name: str, cased: str) -> str:
    """Vary: what it names is part of the key, however it is written."""
    path = _path("vary", name, cased)
    one, two = VARIED[name]

    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = world.site.requests[-1].decode("latin-1")
        mark = "ONE" if one in head else "TWO"
        writer.write(
            reply(mark.encode(), f"Vary: {cased}", "Cache-Control: max-age=60", "Connection: close")
        )

    world.site.replies[path] = speak
    url = f"http://site.example{path}"
    await throw(world.port, request(url, "site.example", (one,)))
    got = await throw(world.port, request(url, "site.example", (two,)))
    return "" if got.body == b"TWO" else f"another's variant came: {got.body[:40]!r}"


UNKEYED: Final = (
    "X-Forwarded-Host: evil.example", "X-Host: evil.example", "X-Forwarded-Scheme: https",
    "X-Original-URL: /admin", "X-Rewrite-URL: /admin", "Forwarded: host=evil.example",
    "X-HTTP-Method-Override: POST", "Range: bytes=0-3", "If-None-Match: \"x\"",
    "Winnow-Mode: original", "Winnow-Format: text", "Max-Forwards: 0", "Expect: 100-continue",
    "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT", "Content-Length: 0", "TE: trailers",
)  # fmt: skip


async def poisoned(world: World, field: str, method: str) -> str:
    """A first request with an odd field leaves the second what a fresh proxy would give."""
    path = _path("poison", field, method)
    world.site.replies[path] = reply(b"plain body", "Cache-Control: max-age=60")
    url = f"http://site.example{path}"
    await throw(world.port, request(url, "site.example", (field,), method))
    got = await throw(world.port, request(url, "site.example"))
    if got.status != 200 or got.body != b"plain body":
        return f"the next client got {got.status} {got.body[:40]!r}"
    return ""


async def another_url(world: World, first: str, second: str) -> str:
    """Two addresses that a site tells apart are two entries."""
    for number, target in enumerate((first, second)):
        path = "/" + target.split("/", 3)[3] if target.count("/") > 2 else "/"
        body = b"page %d" % number
        world.site.replies[path.partition("#")[0]] = reply(body, "Cache-Control: max-age=60")
    await throw(world.port, request(first, "site.example"))
    got = await throw(world.port, request(second, "site.example"))
    return f"{second} was answered as {first}" if got.body == b"page 0" else ""


PAIRS: Final = (
    ("http://site.example/k1?a=b", "http://site.example/k1?a=b&"),
    ("http://site.example/k2", "http://site.example/k2?"),
    ("http://site.example/k3/", "http://site.example/k3"),
    ("http://site.example/K4", "http://site.example/k4"),
    ("http://site.example/k%35", "http://site.example/k5x"),
    ("http://site.example/a/../k6", "http://site.example/k6"),
    ("http://site.example/k7;a", "http://site.example/k7"),
    ("http://site.example//k8", "http://site.example/k8"),
    ("http://site.example/k9%2Fx", "http://site.example/k9/x"),
    ("http://site.example/k10?a%26b", "http://site.example/k10?a&b"),
    ("http://site.example/k11+x", "http://site.example/k11%20x"),
)


async def broken_off(world: World, kind: str, as_browser: bool) -> str:
    """A reply that broke off is not stored, does not say so, and is not given to the next."""
    path = _path("broken", kind, as_browser)
    heads = {
        "length": b"Content-Length: 90000\r\n\r\n" + b"half" * 100,
        "chunks": b"Transfer-Encoding: chunked\r\n\r\n190\r\n" + b"half" * 100 + b"\r\n",
        "chunk": b"Transfer-Encoding: chunked\r\n\r\nffff\r\n" + b"half" * 100,
    }

    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        start = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nCache-Control: max-age=60\r\n"
        writer.write(start + heads[kind])
        await writer.drain()

    world.site.replies[path] = speak
    url = f"http://site.example{path}"
    fields = (CHROME,) if as_browser else ()
    one = await throw(world.port, request(url, "site.example", fields))
    if "stored" in one.field("cache-status"):
        return f"Cache-Status: {one.field('cache-status')} on a reply that broke off"
    world.site.replies[path] = reply(b"whole", "Content-Type: image/png")
    two = await throw(world.port, request(url, "site.example", fields))
    return "" if two.body == b"whole" else f"the half came again: {two.body[:30]!r}"


def attempts() -> Iterator[Attempt]:
    for stored, beside, who, wanted in itertools.product(
        STORED, BESIDE, PERSONS, ("page", "picture")
    ):
        run = partial(shared, stored=stored, beside=beside, who=who, wanted=wanted)
        name = f"{wanted}, {who}, {stored or 'nothing'}, {beside or 'nothing'}"
        yield Attempt("cache isolation", name, run)
    for name in VARIED:
        for cased in (name, name.upper(), f"X-Other, {name}", f"{name.lower()} ,", f",{name}"):
            yield Attempt(
                "cache isolation", f"Vary {cased}", partial(varied, name=name, cased=cased)
            )
    for field in UNKEYED:
        for method in ("GET", "HEAD", "OPTIONS", "POST"):
            run = partial(poisoned, field=field, method=method)
            yield Attempt("cache poisoning", f"{method} with {field}", run)
    for first, second in PAIRS:
        run = partial(another_url, first=first, second=second)
        yield Attempt("cache poisoning", f"{first} and {second}", run)
    for kind in ("length", "chunks", "chunk"):
        for browser in (True, False):
            run = partial(broken_off, kind=kind, as_browser=browser)
            yield Attempt("cache poisoning", f"broken off, {kind}, browser {browser}", run)
