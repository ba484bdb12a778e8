"""``python -m tests.attack.comparison``: a page's attacks, alone and by two proxies.

Without a proxy Chromium and Firefox, as they come, take the site for a public address
(``--ip-address-space-overrides``, ``network.lna.address_space.public.override``); a bare proxy and
Winnow find names and addresses as ``network.py`` has it. Nowhere may Winnow let through what
Chromium alone does not: then the program exits with 1.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Error

from tests.attack.bare_proxy import bare_proxy
from tests.attack.families.learned import PAGES, SHOWN, story
from tests.attack.network import Network
from tests.attack.worlds import SECRET, SITE, World, world
from tests.browser.browsers import chromium
from tests.extension.firefox import Marionette, MarionetteError, firefox
from tests.proxy.origins import html, reply

SECONDS: Final = 2.0
"""In which a page's request must have come, if it is sent."""
MARKUP: Final = {
    "posts a form": '<iframe name=f></iframe><form method=post action="{to}" target=f>'
    "<input name=a></form><script>document.forms[0].submit()</script>",
    "posts by fetch": "<script>fetch('{to}',{{method:'POST',mode:'no-cors',body:'a'}})</script>",
    "posts by fetch, hidden": "<iframe sandbox=allow-scripts srcdoc=\"<script>fetch('{to}',"
    "{{method:'POST',mode:'no-cors',body:'a'}})</script>\"></iframe>",
    "sends a beacon": "<script>navigator.sendBeacon('{to}','a')</script>",
    "reads by fetch": "<script>fetch('{to}')</script>",
    "loads an image": '<img src="{to}">',
    "loads an image, hidden": '<img src="{to}" referrerpolicy=no-referrer>',
    "loads a script": '<script src="{to}"></script>',
    "loads a style": '<link rel=stylesheet href="{to}">',
    "plays a video": '<video src="{to}" autoplay></video>',
    "shows a frame": '<iframe src="{to}"></iframe>',
    "shows a frame, hidden": '<iframe src="{to}" referrerpolicy=no-referrer></iframe>',
    "embeds an object": '<object data="{to}"></object>',
    "listens to events": "<script>new EventSource('{to}')</script>",
    "opens a WebSocket": "<script>new WebSocket('{to}'.replace('http','ws'))</script>",
    "fetches ahead": '<link rel=prefetch href="{to}">',
    "is left by a link": "<script>location='{to}'</script>",
}
FACES: Final = ("Chromium alone", "a bare proxy", "Winnow", "Firefox alone")


@dataclass(frozen=True)
class Attacked:
    """A browser, the world around it, and where the private host is to it."""

    browser: Browser
    world: World
    private: str
    alone: bool


Compared = Callable[[Attacked], Awaitable[bool | None]]
"""Whether an attack succeeds; None where it cannot be made."""


def laid(world: World, private: str, name: str) -> str:
    """The path of a page of the site that asks a private address."""
    path = f"/{name.replace(' ', '-').replace(',', '')}"
    to = f"{private}{path}/secret"
    world.site.replies[path] = html(f"<!doctype html>{MARKUP[name].format(to=to)}".encode())
    return path


def arrived(world: World, path: str) -> bool:
    return any(f"{path}/secret".encode() in request for request in world.tool.requests)


async def asked(face: Attacked, name: str) -> bool:
    """Whether a page's request reached a private address."""
    path = laid(face.world, face.private, name)
    tab = await face.browser.new_page()
    with suppress(Error):  # a page that is left while it loads
        await tab.goto(f"http://evil.example{path}")
    await asyncio.sleep(SECONDS)
    await tab.close()
    return arrived(face.world, path)


async def asked_by_firefox(session: Marionette, world: World, name: str) -> bool:
    """The same in Firefox without a proxy."""
    path = laid(world, f"http://tool.example:{world.tool.port}", name)
    with suppress(MarionetteError):  # a page that waits for what its reader says
        await session("WebDriver:Navigate", url=f"http://evil.example:{world.site.port}{path}")
    await asyncio.sleep(SECONDS)
    found = arrived(world, path)
    world.calm()
    return found


async def in_firefox(folder: Path, world: World) -> dict[str, bool]:
    """Of each kind of request, whether Firefox lets it through."""
    preferences = {
        "network.dns.localDomains": "evil.example,tool.example",
        "network.lna.address_space.public.override": f"127.0.0.1:{world.site.port}",
    }
    async with firefox(folder, **preferences) as session:
        await session("WebDriver:SetTimeouts", pageLoad=SECONDS * 2000)
        chosen = {f"a page {name}": name for name in MARKUP}
        return {
            each: await asked_by_firefox(session, world, name)
            for each, name in chosen.items()
            if each in ATTACKS
        }


async def rebound(face: Attacked, number: int, later: Sequence[str]) -> bool | None:
    """Whether a page reads its reader's network under its own name, which leads there later."""
    if face.alone:
        return None  # its resolver cannot be led so
    network, host, address = face.world.network, f"rebound{number}.example", f"93.184.215.{number}"
    network.names[host] = lambda: [address]
    network.routes[address, 80] = face.world.site.port
    face.world.site.replies["/rebound"] = html(b"<title>Evil</title>", "Connection: close")
    tab = await face.browser.new_page()
    await tab.goto(f"http://{host}/rebound")
    del network.routes[address, 80]  # it listens no more
    network.names[host] = lambda: [each.format(address) for each in later]
    ask = "() => fetch('/secret').then(answer => answer.text()).catch(() => '')"
    read = await tab.evaluate(ask)
    await tab.close()
    return SECRET.decode() in str(read)


async def taught(face: Attacked) -> bool | None:
    """Whether pages of one port take a sentence out of those of another."""
    host = "t37.site.example"
    replies = face.world.site.replies
    tab = await face.browser.new_page()
    for number in range(PAGES + 4):
        replies[f"/{number}"] = html(story(number).encode())
        await tab.goto(f"http://{host}:8081/{number}")
    replies["/500"] = html(story(500).encode())
    await tab.goto(f"http://{host}/500")
    shown = await tab.content()
    await tab.close()
    return SHOWN.decode() not in shown


async def shared(face: Attacked) -> bool | None:
    """Whether who has no cookie is shown the page of who has one."""

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        whose = b"ann" if b"who=ann" in face.world.site.requests[-1] else b"nobody"
        writer.write(reply(whose, "Content-Type: text/html", "Cache-Control: max-age=60"))

    url, seen = "http://site.example/account", ""
    face.world.site.replies["/account"] = answer
    for cookies in ([{"name": "who", "value": "ann", "url": url}], []):
        context = await face.browser.new_context()
        await context.add_cookies(cookies)  # type: ignore[arg-type]  # its own type of dictionaries
        tab = await context.new_page()
        await tab.goto(url)
        seen = await tab.inner_text("body")
        await context.close()
    return "ann" in seen


ATTACKS: Final[dict[str, Compared]] = {
    **{f"a page {name}": partial(asked, name=name) for name in MARKUP},
    "a name leads inside later": partial(rebound, number=21, later=("192.168.1.1",)),
    "a name leads inside too": partial(rebound, number=22, later=("{}", "192.168.1.1")),
    "a site's other port teaches": taught,
    "an account's page is shared": shared,
}


async def compared(folder: Path) -> dict[str, list[bool | None]]:
    """Of each attack, whether it succeeds at each of FACES."""
    async with world(folder) as running, bare_proxy() as bare:
        site, tool = running.site.port, running.tool.port
        rules = ", ".join(
            f"MAP {name} 127.0.0.1:{port}"
            for name, port in (("tool.example", tool), ("*.example", site))
        )
        alone = (f"--host-resolver-rules={rules}",
                 f"--ip-address-space-overrides=127.0.0.1:{site}=public")  # fmt: skip
        inside = "http://192.168.1.1"
        faces = (
            (alone, "", "http://tool.example"),
            (("--disable-quic",), f"http://127.0.0.1:{bare}", inside),
            (("--disable-quic",), f"http://{running.own}", inside),
        )
        found: dict[str, list[bool | None]] = {name: [] for name in ATTACKS}
        for flags, proxy, private in faces:
            running.network.routes[SITE, 8081] = site
            async with chromium(proxy, flags) as browser:
                face = Attacked(browser, running, private, alone=not proxy)
                for name, attack in ATTACKS.items():
                    found[name].append(await attack(face))
                    running.calm()
        firefoxes = await in_firefox(folder / "firefox", running)
        return {name: [*each, firefoxes.get(name)] for name, each in found.items()}


def weaker(found: Sequence[bool | None]) -> bool:
    """Whether Winnow lets through what Chromium alone, or anybody who was tried, does not."""
    alone, bare, winnow = found[:3]
    return bool(winnow) and not (bare if alone is None else alone)


def main() -> int:
    with (
        tempfile.TemporaryDirectory(prefix="winnow-compared-") as folder,
        asyncio.Runner(loop_factory=Network) as runner,
    ):
        found = runner.run(compared(Path(folder)))
    words = {True: "succeeds", False: "fails", None: "not tried"}
    sys.stdout.write(f"{'':<32}{''.join(f'{face:<18}' for face in FACES)}\n")
    for name, results in found.items():
        cells = "".join(f"{words[each]:<18}" for each in results)
        sys.stdout.write(f"{name:<32}{cells}{'weaker' if weaker(results) else ''}\n")
    count = sum(map(weaker, found.values()))
    sys.stdout.write(f"{len(found)} attacks, {count} weaker through Winnow than without\n")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
