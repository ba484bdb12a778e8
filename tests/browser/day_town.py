"""The sites of the day on two ports, and Chromium behind a Winnow that intercepts all HTTPS."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import trustme
from aiohttp import web
from playwright.async_api import Browser

from tests.browser.browsers import chromium
from tests.browser.day_sites import Town
from tests.browser.test_https_sites import settings
from tests.browser.trust import trusting_home
from tests.proxy.names import NamedOrigins, open_names
from winnow.compose.running import running
from winnow.data_folder import keys_of

SECURE = ("accounts.example", "shop.example", "mail.example", "docs.example")


@asynccontextmanager
async def visited_town(folder: Path) -> AsyncIterator[tuple[Town, Browser]]:
    """The sites, some over HTTPS, and a browser behind a Winnow that intercepts all of it."""
    town, authority = Town(), trustme.CA()
    chosen = settings(folder, authority)
    chosen = replace(chosen, extraction=replace(chosen.extraction, extractor="auto"))
    keys = keys_of(chosen)
    ours = (await keys.authority()).pem
    keys.close()
    trusted = {"sites": authority.cert_pem.bytes(), "winnow": ours}
    home = await trusting_home(folder / "home", trusted)
    async with AsyncExitStack() as stack:
        ports = await stack.enter_async_context(served(town, authority))
        names = NamedOrigins(
            {(host, port): ports[port] for host in town.pages() for port in (80, 443)}
        )
        proxy = await stack.enter_async_context(running(open_names(chosen), names))
        address = f"http://127.0.0.1:{proxy.port}"
        yield town, await stack.enter_async_context(chromium(address, home=home))


@asynccontextmanager
async def served(town: Town, authority: trustme.CA) -> AsyncIterator[dict[int, int]]:
    """All sites on two ports: those of HTTP and of HTTPS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*SECURE).configure_cert(context)
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", town.serve)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        for tls in (None, context):
            await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
        yield dict(zip((80, 443), (address[1] for address in runner.addresses), strict=True))
    finally:
        await runner.cleanup()
