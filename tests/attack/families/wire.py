"""What travels: smuggling, malformed requests and replies, big numbers, what replies betray."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from tests.attack.attempts import Attempt
from tests.attack.families.splitting import INJECTED, response_split
from tests.attack.web import HTML, Got, page, request, throw
from tests.attack.worlds import World
from tests.proxy.odd_replies import odd_replies
from tests.proxy.origins import reply
from tests.proxy.payloads import all_payloads
from tests.proxy.server.test_smuggling import AmbiguousError, strictly_read

BETRAYING: Final = re.compile(
    rb"aiohttp|python/3|traceback|site-packages|/usr/lib|/root/|/home/|/work/|llhttp|\.py\b"
    rb"|BadHttp|Bad Request:|Data after",
    re.IGNORECASE,
)
DIGITS: Final = ("9" * 5000, "-" + "9" * 5000, "0" * 5000, "1" + "0" * 400, "٣" * 10, "1e999",
                 "0x" + "f" * 5000, "nan", "inf", "-1", "", "+1", "1_0", "²")  # fmt: skip


async def smuggled(world: World, payload: bytes) -> str:
    """Nothing is forwarded that two servers could read differently."""
    got = await throw(world.port, payload.replace(b"{at}", b"site.example"), silence=0.4)
    for head, body in zip(world.site.requests, world.site.bodies, strict=False):
        try:
            if strictly_read(head + _framed(head, body)) is None:
                return f"not whole: {head!r}"
        except AmbiguousError as error:
            return f"{error}: {head!r}"
    paths = [head.split(b" ")[1] for head in world.site.requests]
    if any(b"SMUGGLED" in path for path in paths) and b"SMUGGLED HTTP" not in payload[-120:]:
        return f"the hidden request was read: {paths}"
    return response_split(got)


def _framed(head: bytes, body: bytes) -> bytes:
    if b"transfer-encoding: chunked" in head.lower():
        return (b"%x\r\n%b\r\n" % (len(body), body) if body else b"") + b"0\r\n\r\n"
    return body


def odd(world: World, got: Got) -> str:
    """What no reply of ours may be or say."""
    if got.status == 500:
        return f"status 500: {got.body[:120]!r}"
    if found := BETRAYING.search(got.raw):
        return f"the reply says {found[0]!r}: {got.raw[:300]!r}"
    if str(world.folder).encode() in got.raw:
        return "the reply names our folder"
    if got.raw.startswith(b"HTTP/1.0"):
        return f"the library's own reply: {got.raw[:120]!r}"
    return response_split(got)


async def malformed(world: World, payload: bytes) -> str:
    """What is no HTTP gets a reply in our own form, or none."""
    got = await throw(world.port, payload.replace(b"{at}", b"site.example"), silence=0.6)
    if got.status >= 400 and b"\r\nserver: " in got.head.lower():
        return f"a Server field: {got.head!r}"
    if got.status in (400, 431) and b"winnow-re" not in got.head.lower():
        return f"not in our form: {got.raw[:200]!r}"
    return odd(world, got)


async def answered(world: World, target: str, fields: tuple[str, ...]) -> str:
    host = "site.example" if target.startswith("http") else world.own
    return odd(world, await throw(world.port, request(target, host, fields), silence=15))


async def replied(world: World, raw: bytes) -> str:
    """Whatever a site replies, ours is one well-formed reply, and nothing of it is split."""

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(raw)
        await writer.drain()

    world.site.replies["/odd"] = speak
    for target in ("http://site.example/odd", "/http://site.example/odd"):
        host = "site.example" if target.startswith("http") else world.own
        got = await throw(world.port, request(target, host, (HTML,)), silence=3)
        if through := odd_reply(got):
            return through
    return ""


def odd_reply(got: Got) -> str:
    if got.status == 500 and b"odd reply" not in got.body:
        return f"status 500: {got.body[:120]!r}"
    if any(byte < 32 and byte not in (9, 10, 13) for byte in got.head):
        return f"a control character in the reply's head: {got.head[:300]!r}"
    head = got.head.replace(b"\r\n", b"")
    if b"\r" in head or b"\n" in head:
        return f"a bare line break in the reply's head: {got.head[:300]!r}"
    for line in got.head.split(b"\r\n")[1:]:
        if not re.match(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+:", line):
            return f"no field: {line[:100]!r}"
    return ""


async def titled(world: World, title: str, target: str) -> str:
    """A page's words do not become lines of our reply's head."""
    world.site.replies["/titled"] = page(title, f"<meta name=author content='{title}'>")
    got = await throw(world.port, request(target, world.own, ()))
    return odd(world, got)


NUMBER_PLACES: Final = (
    "/-/read?url=http://site.example/&level={}", "/-/read?url=http://site.example/&part={}",
    "/-/read?url=http://site.example/&pages={}", "/-/api/extract?url=http://site.example/&level={}",
    "/-/api/extract?url=http://site.example/&pages={}", "/-/small/w{}/http://site.example/",
    "/-/api/extract?url=http://site.example/&part={}",
    "/-/small/p{}/http://site.example/", "/-/small/options?width={}", "/-/small/options?part={}",
    "/-/book?url=http://site.example/&chapters={}", "/-/compare?url=http://site.example/&level={}",
    "/-/why?url=http://site.example/&level={}", "/-/why?url=http://site.example/&at={}",
    "/http://site.example:{}/", "/-/api/extract?url=http://site.example:{}/",
    "/-/choose?action=level&page=http://site.example/&token=x&value={}",
    "/-/choose?action=never&page=http://site.example/&token={}.x",
    "/-/settings/learned?export={}", "http://site.example:{}/", "/-/status?hours={}",
    "/-/api/extract?url=http://site.example/&extractor=lqf:{}",
    "/-/api/extract?url=http://site.example/&extractor=crunch:{}",
    "/-/api/extract?url=http://site.example/&extractor=mss:{}",
)  # fmt: skip
NUMBER_FIELDS: Final = (
    "Max-Forwards", "Winnow-Level", "Winnow-Pages", "Winnow-Part", "Range", "Content-Length",
    "Accept-Encoding", "Accept", "Accept-Language", "Viewport-Width", "Width", "DPR",
    "If-Modified-Since", "Upgrade-Insecure-Requests", "Winnow-Extractor", "Cache-Control",
)  # fmt: skip
REPLY_NUMBERS: Final = (
    "Content-Length", "Age", "Retry-After", "Expires", "Date", "Last-Modified", "Keep-Alive",
)  # fmt: skip


def attempts() -> Iterator[Attempt]:
    for name, payload in all_payloads().items():
        yield Attempt("h1 smuggling", name, partial(smuggled, payload=payload))
    for name, payload in _malformed():
        yield Attempt("malformed requests", name, partial(malformed, payload=payload))
    for digits in DIGITS:
        short = digits[:12]
        for place in NUMBER_PLACES:
            run = partial(answered, target=place.format(digits), fields=())
            yield Attempt("big numbers", f"{short} in {place}", run)
        for name in NUMBER_FIELDS:
            for said in _values(name, digits):
                fields = (f"{name}: {said}".encode().decode("latin-1"),)
                run = partial(answered, target="http://site.example/", fields=fields)
                yield Attempt("big numbers", f"{short} in {name}", run)
        for name in REPLY_NUMBERS:
            raw = reply(b"x", f"{name}: {digits}".encode().decode("latin-1"))
            run = partial(replied, raw=raw)
            yield Attempt("big numbers", f"{short} in a reply's {name}", run)
    yield from _replies()


def _values(name: str, digits: str) -> tuple[str, ...]:
    match name:
        case "Range":
            return (f"bytes={digits}-", f"bytes=0-{digits}")
        case "Accept" | "Accept-Encoding" | "Accept-Language":
            return (f"*;q={digits}",)
        case "Cache-Control":
            return (f"max-age={digits}", f"max-stale={digits}")
        case "Winnow-Extractor":
            return (f"lqf:{digits}", f"crunch:{digits}")
    return (digits,)


def _malformed() -> Iterator[tuple[str, bytes]]:
    good = b"GET http://{at}/ HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n"
    fixed = {
        "garbage": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc" * 20,
        "empty lines": b"\r\n" * 200,
        "SMTP": b"EHLO a\r\nMAIL FROM:<a@b>\r\n\r\n",
        "Redis": b"*1\r\n$4\r\nPING\r\n\r\n",
        "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
        "no method": b" http://{at}/ HTTP/1.1\r\nHost: {at}\r\n\r\n",
        "long method": b"A" * 9000 + b" http://{at}/ HTTP/1.1\r\nHost: {at}\r\n\r\n",
        "version 9.9": good.replace(b"HTTP/1.1", b"HTTP/9.9"),
        "markup in the line": b"GET <script>alert(1)</script> HTTP/1.1\r\nHost: {at}\r\n\r\n",
        "markup in a field": b"GET / HTTP/1.1\r\nHost: {at}\r\n<script>: a\r\n\r\n",
        "quoted secrets": b"GET / HTTP/1.1\r\nHost: {at}\r\nPassword hunter2\r\n\r\n",
        "target without end": b"GET http://{at}/" + b"a" * 200_000,
        "field without end": b"GET / HTTP/1.1\r\nHost: {at}\r\nX: " + b"a" * 400_000,
        "many fields": b"GET / HTTP/1.1\r\nHost: {at}\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
        "many large fields": b"GET / HTTP/1.1\r\nHost: {at}\r\n"
        + b"".join(b"X%d: %b\r\n" % (n, b"a" * 60_000) for n in range(20)),
        "no host": b"GET / HTTP/1.1\r\n\r\n",
        "port out of range": b"GET http://{at}:99999/ HTTP/1.1\r\nHost: {at}\r\n\r\n",
        "bad CONNECT": b"CONNECT a:b:c HTTP/1.1\r\nHost: a\r\n\r\n",
        "CONNECT path": b"CONNECT /x HTTP/1.1\r\nHost: a\r\n\r\n",
        "CONNECT without port": b"CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n",
        "half a bracket": b"GET http://[::1/ HTTP/1.1\r\nHost: {at}\r\n\r\n",
        "unclosed host": b"GET / HTTP/1.1\r\nHost: [::\r\n\r\n",
        "TRACE": b"TRACE http://{at}/ HTTP/1.1\r\nHost: {at}\r\nCookie: a=secret\r\n"
        b"Max-Forwards: 0\r\n\r\n",
        "Upgrade to nothing": b"GET / HTTP/1.1\r\nHost: {at}\r\nUpgrade: \r\n"
        b"Connection: upgrade\r\n\r\n",
        "scheme of another kind": b"GET ftp://{at}/ HTTP/1.1\r\nHost: {at}\r\n\r\n",
        "file": b"GET file:///etc/passwd HTTP/1.1\r\nHost: {at}\r\n\r\n",
        "chunks that lie": b"POST /-/api/extract HTTP/1.1\r\nHost: {at}\r\n"
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        "gzip that is none": b"POST /-/api/extract HTTP/1.1\r\nHost: {at}\r\nContent-Length: 3"
        b"\r\nContent-Encoding: gzip\r\n\r\nabc",
        "charset of none": b"POST /-/api/extract HTTP/1.1\r\nHost: {at}\r\nContent-Length: 3"
        b"\r\nContent-Type: text/html; charset=\xff\xfe\r\n\r\nabc",
        "multipart that is none": b"POST /-/choose HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        b"Content-Length: 3\r\nContent-Type: multipart/form-data\r\n\r\nabc",
    }
    yield from fixed.items()
    chance = random.Random(15)
    for number in range(250):
        damaged = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged) - 4)] = chance.randrange(256)
        yield f"damaged {number}", bytes(damaged)


def _replies() -> Iterator[Attempt]:
    for name, raw in odd_replies().items():
        yield Attempt("odd replies", name, partial(replied, raw=raw))
    marks = (b"\r", b"\n", b"\0", b"\r\r\n", b"\x0b", b"\x1b", b"\x7f")
    names = (
        b"Location", b"Content-Type", b"ETag", b"Link", b"Refresh", b"Set-Cookie", b"Vary", b"X",
        b"Content-Language", b"Content-Security-Policy", b"Last-Modified", b"Via", b"Warning",
    )  # fmt: skip
    for mark in marks:
        for field in names:
            line = b"%b: text/html%b%b" % (field, mark, INJECTED.encode())
            raw = b"HTTP/1.1 200 OK\r\n%b\r\nContent-Length: 1\r\n\r\nx" % line
            run = partial(replied, raw=raw)
            yield Attempt("response splitting by sites", f"{mark!r} in {field!r}", run)
        line = b"HTTP/1.1 200 O%bK\r\nContent-Length: 1\r\n\r\nx" % mark
        yield Attempt("response splitting by sites", f"{mark!r} in the status line",
                      partial(replied, raw=line))  # fmt: skip
    targets = (
        f"/-/read?format={form}&url=http://site.example/titled"
        for form in ("html", "markdown", "json", "spans", "text", "pruned", "epub")
    )
    for target in (*targets, "/-/book?url=http://site.example/titled",
                   "/-/compare?url=http://site.example/titled",
                   "/-/small/http://site.example/titled"):  # fmt: skip
        for entity in ("&#13;&#10;", "&#10;", "&#13;", '";&#13;&#10;', "&#8232;", "ä€漢", "'"):
            title = f"a{entity}Injected: yes{entity}{entity}"
            run = partial(titled, title=title, target=target)
            yield Attempt("response splitting by sites", f"title {entity} {target}", run)
