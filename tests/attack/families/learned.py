"""What is learned of a site: by pages of another port, and told to who posts a page.

The pages are those of tests/extractors/layout/pages.py, with their widget behind the story: eight
of them have it left out of the ninth.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Final

from tests.attack.attempts import Attempt
from tests.attack.web import CHROME, HTML, request, throw
from tests.attack.worlds import World
from tests.extractors.layout.pages import WIDGET, markup, prose
from tests.proxy.origins import html

PAGES: Final = 12
LETTER: Final = f'<div class="letter"><p>{WIDGET}</p></div>'
SHOWN: Final = WIDGET[:40].encode()
MIDDLE: Final = prose(9000, 3)
SECONDS: Final = 40.0


def story(number: int, middle: str = "") -> str:
    """A page of the site; ``middle``: a paragraph in the middle of its story."""
    second = f"<p>{prose(number * 100 + 2, 3)}</p>"
    plain = markup(number).replace(LETTER, "").replace(second, middle + second)
    return plain.replace('<div class="foot">', LETTER + '<div class="foot">')


async def read(world: World, site: str, number: int, middle: str = "") -> bytes:
    """What is shown of a page of a site, a host and its port."""
    path, host = f"/learned/{site}/{number}", site.removesuffix(":80")
    world.site.replies[path] = html(story(number, middle).encode())
    return (await throw(world.port, request(f"http://{host}{path}", host, (CHROME, HTML)))).body


async def taught(world: World, site: str, middle: str = "") -> None:
    """Have pages of a site teach until their widget is left out there."""
    for number in range(PAGES):
        await read(world, site, number, middle)
    number = 100
    async with asyncio.timeout(SECONDS):
        while SHOWN in await read(world, site, number, middle):
            number += 1
            await asyncio.sleep(0.2)


async def another_port(world: World, host: str, teaching: int, read_at: int) -> str:
    """Pages of one port take something out of those of another."""
    await taught(world, f"{host}:{teaching}")
    shown = await read(world, f"{host}:{read_at}", 500)
    return "" if SHOWN in shown else f"pages of port {teaching} took a sentence out of {read_at}"


async def middle_of_a_story(world: World) -> str:
    """Pages that repeat a paragraph take it out of the middle of a story."""
    middle = f"<p>{MIDDLE}</p>"
    await taught(world, "t38.site.example:8081", middle)
    shown = await read(world, "t38.site.example:8081", 600, middle)
    return "" if MIDDLE[:40].encode() in shown else "a paragraph between paragraphs was left out"


async def posted(world: World, fields: tuple[str, ...]) -> str:
    """A page that is posted tells whether others read pages of a site."""
    await taught(world, "t39.site.example:8081")
    target = "/-/api/extract?format=text&url=http://t39.site.example:8081/700"
    body = story(700).encode()
    sent = (*fields, "Content-Type: text/html")
    got = await throw(world.port, request(target, world.own, sent, "POST", body))
    if got.status != 200:
        return f"the API did not answer: {got.status}"
    return "" if SHOWN in got.body else "what others read shows in a posted page"


def attempts() -> Iterator[Attempt]:
    family = "what is learned of a site"
    for number, (teaching, at) in enumerate(((8081, 80), (8080, 80), (8081, 8080), (80, 8081))):
        host = f"t{30 + number}.site.example"
        run = partial(another_port, host=host, teaching=teaching, read_at=at)
        yield Attempt(family, f"port {teaching} to {at}", run)
    yield Attempt(family, "the middle of a story", middle_of_a_story)
    for name, fields in (("a program", ()), ("curl", ("User-Agent: curl/8.5.0",))):
        yield Attempt(family, f"posted by {name}", partial(posted, fields=fields))
