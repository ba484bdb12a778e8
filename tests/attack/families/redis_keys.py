"""A shared Redis: addresses, users and sites chosen so that the keys of two might be one."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from tests.attack.attempts import Attempt
from tests.attack.families.people import choose, seen
from tests.attack.families.wire import odd
from tests.attack.web import CHROME, HTML, page, request, throw
from tests.attack.worlds import World, defaults
from tests.features.redis.redises import MadeRedis, redis
from tests.proxy.origins import reply
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.features.redis.settings import RedisSettings

JOINTS: Final = (
    ":", "|", " ", "\n", "\r\n", "\t", "\0", "%00", "%0d%0a", "%3a", "//", "\\", "*", "?", "[a-z]",
    "{", "}", "{winnow}", "GET ", "\r\n$3\r\nDEL", "SET a b", "\u202e", "\udc80", "#", "&", ";",
)  # fmt: skip
KEY: Final = re.compile(rb"winnow:[!-~]{1,120}\Z")
OLD: Final = "Cache-Control: public, max-age=600"


@asynccontextmanager
async def shared(world: World) -> AsyncIterator[tuple[int, MadeRedis]]:
    """The port of a proxy whose cache and stores are in a Redis."""
    async with redis() as made:
        plain = defaults(world.folder / "shared")
        settings = replace(
            plain,
            of_features=(RedisSettings(cache=made.url, storage=made.url),),
            extraction=UNHURRIED,
        )
        world.network.stores.add(urlsplit(made.url).port or 0)
        async with running(settings) as proxy:
            yield proxy.port, made


async def opened(world: World) -> tuple[int, MadeRedis]:
    return await world.keep("redis keys", partial(shared, world))


async def kept(made: MadeRedis) -> list[bytes]:
    """The names of all keys."""
    from redis.asyncio import Redis  # noqa: PLC0415 - an extra

    client = Redis.from_url(made.url)
    try:
        return [key async for key in client.scan_iter(count=1000)]
    finally:
        await client.aclose()


async def odd_key(made: MadeRedis) -> str:
    strange = [key for key in await kept(made) if not KEY.match(key)]
    return f"a key of another form: {strange[0]!r}" if strange else ""


async def joined(world: World, joint: str, number: int) -> str:
    """An address that holds another one behind a sign that keys might be joined by."""
    port, made = await opened(world)
    victim = f"http://site.example/victim{number}"
    world.site.replies[f"/victim{number}"] = reply(b"VICTIM", OLD, "Content-Type: image/png")
    usual, world.site.usual = world.site.usual, reply(b"EVIL", OLD, "Content-Type: image/png")
    raw = joint.encode("utf-8", "surrogateescape")
    latin = joint.strip().encode("latin-1", "ignore").decode("latin-1")
    try:
        for made_up in (b"/%b%b", b"/?%b%b", b"/%b%b#", b"//%b%b"):
            path = made_up % (raw, victim.encode())
            target = b"http://evil.example" + path
            await throw(port, request(target, "evil.example", (CHROME,)), silence=5)
            await throw(port, request(b"http://evil.example/", f"evil.example{latin}"), silence=5)
        got = await throw(port, request(victim, "site.example", (CHROME,)), silence=10)
    finally:
        world.site.usual = usual
    if got.body != b"VICTIM":
        return f"the site's reader got {got.raw[-60:]!r}"
    return odd(world, got) or await odd_key(made)


async def rendered(world: World, joint: str, number: int) -> str:
    """The same of pages as they are shown, whose keys have formats, methods and languages."""
    port, made = await opened(world)
    world.site.replies[f"/page{number}"] = page("Mine")
    url = f"http://site.example/page{number}"
    plain = joint.isprintable() and joint.isascii()
    odd_fields = (f"Winnow-Format: text{joint}html", f"Accept-Language: de{joint}en")
    fields = (HTML, CHROME, *(odd_fields if plain else ()))
    await throw(port, request(url, "site.example", fields), silence=15)
    got = await seen(port, url, CHROME)
    if b"<html" not in got.body.lower() or got.status != 200:
        return f"the page is {got.status}: {got.body[:60]!r}"
    return odd(world, got) or await odd_key(made)


async def ports(world: World, number: int) -> str:
    """A choice for one port of a site is none for another, in Redis too."""
    port, made = await opened(world)
    host = f"t{number}.site.example"
    await choose(port, f"http://{host}:8080/", "never")
    got = await seen(port, f"http://{host}:8081/")
    if got.field("winnow-action") != "extracted":
        return f"port 8081 gets {got.field('winnow-reason')}"
    return await odd_key(made)


def attempts() -> Iterator[Attempt]:
    family = "keys in Redis"
    for number, joint in enumerate(JOINTS):
        run = partial(joined, joint=joint, number=number)
        yield Attempt(family, f"addresses joined by {joint!r}", run)
        run = partial(rendered, joint=joint, number=number)
        yield Attempt(family, f"pages joined by {joint!r}", run)
    for number in (21, 22, 23):
        yield Attempt(family, f"ports of t{number}", partial(ports, number=number))
