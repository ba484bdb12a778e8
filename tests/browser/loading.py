"""A page of 100 pictures from an origin of HTTP/2, 20 ms away, with Winnow and without."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trustme
from playwright.async_api import Browser

from tests.browser.browsers import chromium, picture
from tests.browser.test_https_sites import settings
from tests.browser.trust import trusting_home
from tests.proxy.http2_peers import Exchanged, Http2Origin, Peer, respond, serving_http2
from tests.proxy.names import NamedOrigins, open_names
from winnow.compose.running import running
from winnow.data_folder import keys_of

HOST: Final = "pictures.example"
PICTURES: Final = 100
DELAY: Final = 0.02
PAGE: Final = (
    "<!doctype html><title>pictures</title>"
    + "".join(f'<img src="/{number}.png">' for number in range(PICTURES))
).encode()
_PNG: Final = picture(40, 30, (200, 40, 40))
_SEEN: Final = """() => {
    const [page] = performance.getEntriesByType("navigation");
    const pictures = performance.getEntriesByType("resource");
    const loaded = [...document.images].filter(each => each.naturalWidth).length;
    return [page.loadEventStart, loaded, [page, ...pictures].map(each => each.nextHopProtocol)];
}"""


@dataclass(frozen=True)
class Loaded:
    """Milliseconds until the load event, pictures shown, and the protocols that were spoken."""

    milliseconds: float
    pictures: int
    protocols: frozenset[str]


def origin() -> Http2Origin:
    """Answers each request ``DELAY`` seconds late."""

    async def page(peer: Peer, stream: Exchanged) -> None:
        await asyncio.sleep(DELAY)
        as_it_is = ("cache-control", "no-transform, no-store")
        await respond(peer, stream, PAGE, ("content-type", "text/html"), as_it_is)

    async def image(peer: Peer, stream: Exchanged) -> None:
        await asyncio.sleep(DELAY)
        more = (("content-type", "image/png"), ("cache-control", "no-store"))
        await respond(peer, stream, _PNG, *more)

    return Http2Origin({"/": page, **{f"/{number}.png": image for number in range(PICTURES)}})


async def load(browser: Browser) -> Loaded:
    """The page in a profile of its own."""
    context = await browser.new_context()
    tab = await context.new_page()
    await tab.goto(f"https://{HOST}/", wait_until="load")
    milliseconds, pictures, protocols = await tab.evaluate(_SEEN)
    await context.close()
    return Loaded(milliseconds, pictures, frozenset(protocols))


@asynccontextmanager
async def browsers(folder: Path) -> AsyncIterator[tuple[Browser, Browser, Http2Origin]]:
    """Chromium without Winnow, with it, and the origin."""
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(context)
    chosen = settings(folder, authority)
    keys = keys_of(chosen)
    trusted = {"sites": authority.cert_pem.bytes(), "winnow": (await keys.authority()).pem}
    keys.close()
    home = await trusting_home(folder / "home", trusted)
    async with serving_http2(origin(), context) as far:
        rules = [f"--host-resolver-rules=MAP {HOST}:443 127.0.0.1:{far.port}"]
        async with (
            running(open_names(chosen), NamedOrigins({(HOST, 443): far.port})) as proxy,
            chromium(arguments=rules, home=home) as direct,
            chromium(f"http://127.0.0.1:{proxy.port}", home=home) as behind,
        ):
            yield direct, behind, far
