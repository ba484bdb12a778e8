"""Denial of service: bombs, large heads, slow clients, unfair queues, idle and odd tunnels."""

from __future__ import annotations

import asyncio
import gzip
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

import brotli  # type: ignore[import-untyped]  # ships no types

from tests.attack.attempts import Attempt
from tests.attack.families.wire import odd
from tests.attack.memory import begun_peak, peak_memory
from tests.attack.web import HTML, SENTENCE, page, request, throw
from tests.attack.worlds import World
from tests.proxy.origins import reply

MIB: Final = 1 << 20
MOST_GROWTH: Final = 160 * MIB
"""Bytes by which the process may grow in an attempt, the attacker's own among them."""
ARTICLE: Final = page("Packed").partition(b"\r\n\r\n")[2]


def _raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, wbits=-15)
    return packer.compress(data) + packer.flush()


def nested(times: int, body: bytes = ARTICLE) -> bytes:
    for _ in range(times):
        body = gzip.compress(body, 1)
    return body


def zeros() -> bytes:
    return bytes(64 * MIB)


def bombs() -> Iterator[tuple[str, tuple[str, ...], Callable[[], bytes]]]:
    """Name, content codings, and what makes the body."""
    yield "gzip of 64 MiB", ("gzip",), lambda: gzip.compress(zeros(), 9)
    yield "deflate of 64 MiB", ("deflate",), lambda: zlib.compress(zeros(), 9)
    yield "raw deflate of 64 MiB", ("deflate",), lambda: _raw_deflate(zeros())
    yield "br of 64 MiB", ("br",), lambda: brotli.compress(zeros(), quality=3)
    yield "gzip in gzip", ("gzip, gzip",), lambda: nested(2, zeros())
    yield "gzip in br", ("gzip, br",), lambda: brotli.compress(gzip.compress(zeros(), 9))
    for times in (5, 100, 990, 40_000):
        named = (", ".join(["gzip"] * times),)
        yield f"gzip named {times} times", named, lambda: gzip.compress(b"a")
    for times in (4, 10, 100, 990):
        named = (", ".join(["gzip"] * times),)
        yield f"gzip nested {times} times", named, partial(nested, times)
    yield "many fields of gzip", ("gzip",) * 2000, lambda: gzip.compress(b"a")
    yield "empty members", ("gzip",), lambda: gzip.compress(b"") * 200_000
    yield "unknown among known", ("gzip, x, gzip",), lambda: gzip.compress(b"a")
    yield "commas", ("gzip" + "," * 50_000,), lambda: gzip.compress(ARTICLE)


async def bombed(
    world: World, codings: Sequence[str], make: Callable[[], bytes], at_once: int
) -> str:
    """Replies that unpack without end cost no memory, and the page comes as the site sent it."""
    fields = [f"Content-Encoding: {coding}" for coding in codings]
    world.site.replies["/bomb"] = reply(make(), "Content-Type: text/html", *fields)
    before = begun_peak()
    targets = ["/-/api/extract?url=http://site.example/bomb", "http://site.example/bomb"]
    asked = [
        throw(
            world.port, request(target, world.own if target[0] == "/" else "site.example", (HTML,))
        )
        for target in targets * at_once
    ]
    for got in await asyncio.gather(*asked):
        if through := odd(world, got):
            return through
    grown = peak_memory() - before
    return f"{grown // MIB} MiB more memory" if grown > MOST_GROWTH else ""


async def uploaded(world: World, coding: str, make: Callable[[], bytes]) -> str:
    """The same as bodies of our own API."""
    body, before = make(), begun_peak()
    fields = (f"Content-Encoding: {coding}", "Content-Type: text/html")
    got = await throw(world.port, request("/-/api/extract", world.own, fields, "POST", body))
    if through := odd(world, got):
        return through
    grown = peak_memory() - before
    return f"{grown // MIB} MiB more memory" if grown > MOST_GROWTH else ""


async def large_head(world: World, start: bytes, size: int, at_once: int) -> str:
    """Heads that do not end are given up at their bound, before anything is asked of anybody."""
    before = begun_peak()
    found = await asyncio.gather(*(_pushed(world.port, start, size) for _ in range(at_once)))
    taken = max(found)
    grown = peak_memory() - before
    if taken > 12 * MIB:
        return f"{taken // MIB} MiB of a head were read"
    return f"{grown // MIB} MiB more memory" if grown > MOST_GROWTH else ""


async def _pushed(port: int, start: bytes, size: int) -> int:
    """How many bytes of an unfinished head the proxy took before it answered or hung up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = asyncio.create_task(reader.read())
    field, sent = b"X-%d: " + b"a" * size + b"\r\n", 0
    try:
        async with asyncio.timeout(20):
            writer.write(start)
            while sent < 60 * MIB and not answer.done():
                writer.write(field % sent)
                await asyncio.wait({answer, asyncio.create_task(writer.drain())},
                                   return_when=asyncio.FIRST_COMPLETED)  # fmt: skip
                sent += size
    except (ConnectionError, TimeoutError):
        pass
    finally:
        writer.transport.abort()
        answer.cancel()
        await asyncio.gather(answer, return_exceptions=True)
    return sent


SLOW_PAGES: Final = {
    "lists in lists": "<ul><li>" * 20_000 + SENTENCE,
    "tables in tables": "<table><tr><td>" * 3000 + SENTENCE,
    "divs in divs": "<div>" * 60_000 + SENTENCE,
    "crossing formatting": "<b><i><u>" * 5000 + "</b></u></i>" * 5000 + SENTENCE,
    "many attributes": "<p " + " ".join(f"a{n}=b" for n in range(60_000)) + ">" + SENTENCE,
    "long attribute": f"<p class='{'a ' * 500_000}'>" + SENTENCE,
    "many links": f"<a href=/x>{SENTENCE}</a>" * 20_000,
    "one word": "<p>" + "a" * 2_000_000,
    "many cells": "<table>" + "<tr>" + "<td>a" * 40_000,
    "many paragraphs": f"<p>{SENTENCE}" * 20_000,
    "entities": "<p>" + "&amp;&lt;&notin;" * 100_000,
    "comments": "<!-- a -->" * 150_000 + SENTENCE,
    "headings": f"<h1>{SENTENCE}</h1>" * 15_000,
    "select": "<select>" + "<option>a" * 60_000,
    "svg": "<svg>" * 10_000 + "<title>" + SENTENCE,
    "templates": "<template>" * 5000 + SENTENCE,
    "forms": "<form><input name=a>" * 20_000 + SENTENCE,
    "json-ld": "<script type=application/ld+json>" + "[" * 200_000 + "</script>" + SENTENCE,
    "meta": "<meta name=author content='" + "a, " * 200_000 + "'>" + SENTENCE,
    "dates": "<p>" + "1999-12-31T23:59:59 " * 60_000,
    "commas": "<p>" + "a,b;c.d " * 150_000,
}


async def unfair(world: World, body: str, number: int) -> str:
    """One client's slow pages do not keep another's ordinary page waiting."""
    world.site.replies["/slow"] = reply(body.encode(), "Content-Type: text/html")
    world.site.replies[f"/quick{number}"] = page(f"Quick {number}")
    asked = [
        request(f"http://site.example/slow?{number}.{each}", "site.example", (HTML,))
        for each in range(number)
    ]
    for each in range(number):
        world.site.replies[f"/slow?{number}.{each}"] = world.site.replies["/slow"]
    thrown = [asyncio.create_task(throw(world.port, one, source="127.0.0.7")) for one in asked]
    try:
        await asyncio.sleep(0.3)
        begun = time.perf_counter()
        quick = request(f"http://site.example/quick{number}", "site.example", (HTML,))
        got = await throw(world.port, quick, source="127.0.0.8", seconds=60)
        waited = time.perf_counter() - begun
        if got.status != 200:
            return f"status {got.status}"
        was_last = waited > 12 and all(task.done() for task in thrown)
        return f"another client waited {waited:.1f} s" if was_last else ""
    finally:
        for task in thrown:
            task.cancel()
        await asyncio.gather(*thrown, return_exceptions=True)


def attempts() -> Iterator[Attempt]:
    yield from _bombs()
    yield from _heads()
    for name, markup in SLOW_PAGES.items():
        for number in (8, 40):
            run = partial(unfair, body=markup, number=number)
            slow = number == 40 or name not in ("lists in lists", "tables in tables")
            yield Attempt("unfair queue", f"{number} x {name}", run, seconds=120, slow=slow)


def _bombs() -> Iterator[Attempt]:
    for name, codings, make in bombs():
        for at_once in (1, 16):
            run = partial(bombed, codings=codings, make=make, at_once=at_once)
            heavy = at_once > 1 and "40000" not in name
            yield Attempt("decoder bombs", f"{name}, {at_once} at once", run, slow=heavy)
        run = partial(uploaded, coding=codings[0][:60_000], make=make)
        yield Attempt("decoder bombs", f"{name}, uploaded", run)


def _heads() -> Iterator[Attempt]:
    starts = {
        "proxy": b"GET http://site.example/ HTTP/1.1\r\nHost: site.example\r\n",
        "own page": b"GET /-/settings HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        "CONNECT": b"CONNECT site.example:443 HTTP/1.1\r\nHost: site.example\r\n",
    }
    for face, start in starts.items():
        for size in (50, 6000, 60_000):
            for at_once in (1, 8):
                run = partial(large_head, start=start, size=size, at_once=at_once)
                name = f"{face}, fields of {size}, {at_once} at once"
                yield Attempt("large heads", name, run, slow=size < 60_000)
