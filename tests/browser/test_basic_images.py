"""Chromium shows the images of a basic page of an intercepted site, which come from our own origin.

They are cross-site there: only their signed addresses are answered, and only with images.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trustme
from aiohttp import web
from playwright.async_api import Page

from tests.browser.browsers import chromium, picture
from tests.browser.sites import SENTENCES
from tests.browser.test_https_sites import settings
from tests.browser.trust import trusting_home
from tests.proxy.names import NamedOrigins, open_names
from winnow.compose.running import running
from winnow.data_folder import keys_of

HOSTS = ("news.example", "evil.example")
IMAGE = "https://news.example/a%20picture.png?a=1&b=2"
ARTICLE = (
    "<!doctype html><html lang=en><title>News</title><main><h1>News</h1><p>"
    + " ".join(SENTENCES)
    + f'</p><img src="{IMAGE.replace("&", "&amp;")}" alt="A bridge" width="300" height="200"><p>'
    + " ".join(SENTENCES * 3)
    + "</p></main></html>"
)


async def serve(request: web.Request) -> web.StreamResponse:
    if request.path.endswith(".png"):
        return web.Response(body=picture(300, 200, (9, 9, 90)), content_type="image/png")
    text = ARTICLE if request.host == "news.example" else "<!doctype html><title>Evil</title>"
    return web.Response(text=text, content_type="text/html")


@asynccontextmanager
async def web_server(authority: trustme.CA) -> AsyncIterator[int]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*HOSTS).configure_cert(context)
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", serve)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    listener = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await listener.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


async def width(tab: Page, address: str = "") -> int:
    """The width in pixels of the first image of the page, or of an image from ``address``."""
    found: int = await tab.evaluate(
        "async address => { let image = document.images[0]; if (address) { image = new Image();"
        " image.src = address } try { await image.decode() } catch {} return image.naturalWidth }",
        address,
    )
    return found


async def test_images_of_a_basic_page_are_shown_there_and_nothing_else_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "winnow.proxy.app.client_reach.public_only", lambda *_: True
    )  # the sites are public
    authority = trustme.CA()
    chosen = settings(tmp_path, authority)
    chosen = replace(chosen, extraction=replace(chosen.extraction, profile="basic"))
    keys = keys_of(chosen)
    trusted = {"sites": authority.cert_pem.bytes(), "winnow": (await keys.authority()).pem}
    keys.close()
    home = await trusting_home(tmp_path / "home", trusted)
    async with (
        web_server(authority) as port,
        running(open_names(chosen), NamedOrigins({(host, 443): port for host in HOSTS})) as proxy,
        chromium(f"http://127.0.0.1:{proxy.port}", home=home) as browser,
    ):
        tab = await browser.new_page()
        answer = await tab.goto("https://news.example/", timeout=150_000)
        assert answer
        assert answer.headers["winnow-action"] == "extracted"
        source = await tab.get_attribute("img", "src") or ""
        assert source.startswith("https://winnow.internal/-/small/~")
        assert await width(tab) > 0
        await tab.goto("https://evil.example/", timeout=150_000)
        unsigned = "https://winnow.internal/-/small/i2/" + IMAGE
        other = source.replace("picture", "other")
        for address in (unsigned, other):
            assert await width(tab, address) == 0, address
