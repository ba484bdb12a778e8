"""Pages that are drawn in Winnow's browser: they reach nothing private and leave nothing behind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Final

from tests.attack.attempts import Attempt
from tests.attack.web import request, throw
from tests.attack.worlds import PRIVATE, World
from tests.features.render.processes import descendants
from tests.features.render.sites import HOSTILE
from tests.proxy.origins import html, reply

SECONDS: Final = 90.0
WEIGHED: Final = "tests.attack.shadow"
"""The copy that is weighed draws pages at the same time."""
TARGET: Final = "/-/api/extract?url=http://site.example/drawn&render=always"
NAMES: Final = tuple(f"inside{number}.example" for number in range(len(PRIVATE)))
WAYS: Final = {
    "fetch": "fetch('http://%s/secret', {mode: 'no-cors'}).catch(() => 1);",
    "frame": "document.body.append(Object.assign(document.createElement('iframe'), "
    "{src: 'http://%s/secret'}));",
    "socket": "new WebSocket('ws://%s/secret');",
    "script": "document.body.append(Object.assign(document.createElement('script'), "
    "{src: 'http://%s/secret'}));",
    "worker": "new Worker(URL.createObjectURL(new Blob([\"fetch('http://%s/secret', {mode: "
    "'no-cors'})\"])));",
}
"""Ways in which a page asks for an address."""


def pages() -> Iterator[tuple[str, str]]:
    """Names and bodies; ``{other}`` is the port of the tool on loopback."""
    yield from HOSTILE.items()
    for way, script in WAYS.items():
        every = "".join(script % name for name in (*NAMES, "127.0.0.1:{other}", "[::1]:{other}"))
        yield f"private names by {way}", f"<p>x<script>{every}</script>"
    for name in (NAMES[0], "127.0.0.1:{other}", "localhost:{other}"):
        yield f"leaves for {name}", f"<script>location = 'http://{name}/secret'</script>"
    yield "leaves for a file", "<script>location = 'file:///etc/passwd'</script>"
    yield "a frame of a file", "<iframe src=file:///etc/passwd></iframe><p>x"


async def drawn(world: World, body: str) -> str:
    """A program has the page drawn."""
    world.site.replies["/drawn"] = html(body.replace("{other}", str(world.tool.port)).encode())
    through = await _asked(world)
    was_drawn = any(b"Chrome" in head for head in world.site.requests)
    return through or ("" if was_drawn else "the page was not drawn: nothing was tried")


async def redirected(world: World, where: str) -> str:
    """The page is a redirect."""
    location = where.replace("{other}", str(world.tool.port))
    world.site.replies["/drawn"] = reply(b"", f"Location: {location}", status="302 Found")
    return await _asked(world)


async def _asked(world: World) -> str:
    got = await throw(world.port, request(TARGET, world.own), seconds=SECONDS)
    if not got.ended or not got.status:
        return "no answer"
    if b"root:x:" in got.body:
        return "a file of this computer was read"
    below = await asyncio.to_thread(descendants, WEIGHED)
    left = [line for line in below.values() if "render-" in line]
    return world.broken_into() or (f"left running: {left[0][:80]}" if left else "")


def attempts() -> Iterator[Attempt]:
    for name, body in pages():
        yield Attempt("pages drawn in our browser", name, partial(drawn, body=body), SECONDS + 10)
    for where in ("http://127.0.0.1:{other}/", f"http://{NAMES[0]}/", "file:///etc/passwd"):
        run = partial(redirected, where=where)
        yield Attempt("pages drawn in our browser", f"a redirect to {where}", run, SECONDS + 10)
