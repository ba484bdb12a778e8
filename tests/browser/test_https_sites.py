"""Chromium on two dozen HTTPS sites, with Winnow and without: alike, but articles are extracted.

Its user trusts the sites' authority and Winnow's, as certutil sets them up.
"""

from __future__ import annotations

import asyncio
import hashlib
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import trustme
from aiohttp import web
from playwright.async_api import Browser, Page

from tests.browser.browsers import SCREENSHOTS, chromium
from tests.browser.sites import HELPERS, SENTENCES, SITES, Site, serve
from tests.browser.trust import trusting_home
from tests.proxy.names import NamedOrigins, open_names
from tests.sweeps import every_nth_and_all
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings
from winnow.data_folder import keys_of

HOSTS = [site.host for site in SITES] + list(HELPERS)


@dataclass(frozen=True)
class Visited:
    """What a person and a script saw of a site."""

    result: Any
    url: str
    text: str
    action: str = ""


@asynccontextmanager
async def web_server(authority: trustme.CA) -> AsyncIterator[int]:
    """All sites on one port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    authority.issue_cert(*HOSTS).configure_cert(context)
    application = web.Application(client_max_size=20_000_000)
    application.router.add_route("*", "/{path:.*}", serve)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    listener = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
    await listener.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def settings(folder: Path, authority: trustme.CA) -> Settings:
    bundle = folder / "sites.pem"
    bundle.write_bytes(authority.cert_pem.bytes())
    plain = Settings()
    return replace(
        plain,
        server=replace(plain.server, port=0),
        upstream=replace(plain.upstream, ca_bundle=bundle),
        extraction=replace(UNHURRIED, extractor="bte"),
        interception=replace(plain.interception, hosts=("*",)),
        storage=replace(plain.storage, folder=folder / "winnow"),
    )


async def visit(browser: Browser, site: Site) -> Visited:
    """Open a site as a person would, and wait until its scripts have seen what there is."""
    context = await browser.new_context(http_credentials={"username": "anna", "password": "secret"})
    tab = await context.new_page()
    answer = await tab.goto(site.url, wait_until="load")
    assert answer is not None
    result = None if site.article else await left_behind(tab)
    if site.host == "files.example":
        result = await downloaded(tab)
    seen = Visited(
        result, tab.url, await tab.inner_text("body"), answer.headers.get("winnow-action", "")
    )
    if site.article:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        name = f"https-{site.host}-{seen.action or 'direct'}.png"
        await tab.screenshot(path=SCREENSHOTS / name, full_page=True)
    await context.close()
    return seen


async def left_behind(tab: Page) -> Any:
    await tab.wait_for_function("window.result !== undefined")
    return await tab.evaluate("window.result")


async def downloaded(tab: Page) -> str:
    """The digest of the file that the page's link gives."""
    async with tab.expect_download() as waiting:
        await tab.click("#file")
    file = await (await waiting.value).path()
    return hashlib.sha256(await asyncio.to_thread(Path(file).read_bytes)).hexdigest()


async def all_visited(browser: Browser, sites: Sequence[Site]) -> dict[str, Visited]:
    return {site.host: await visit(browser, site) for site in sites}


@pytest.mark.parametrize("sites", every_nth_and_all(SITES, 8))
async def test_every_site_behaves_as_without_winnow_but_articles_are_extracted(
    tmp_path: Path, sites: Sequence[Site]
) -> None:
    authority = trustme.CA()
    chosen = settings(tmp_path, authority)
    keys = keys_of(chosen)
    ours = (await keys.authority()).pem
    keys.close()
    trusted = {"sites": authority.cert_pem.bytes(), "winnow": ours}
    home = await trusting_home(tmp_path / "home", trusted)
    async with web_server(authority) as port:
        rules = f"--host-resolver-rules=MAP *.example 127.0.0.1:{port}"
        async with chromium(arguments=[rules], home=home) as browser:
            direct = await all_visited(browser, sites)
        names = NamedOrigins({(host, 443): port for host in HOSTS})
        async with (
            running(open_names(chosen), names) as proxy,
            chromium(f"http://127.0.0.1:{proxy.port}", home=home) as browser,
        ):
            behind = await all_visited(browser, sites)
    for site in sites:
        one, other = direct[site.host], behind[site.host]
        if site.article:
            assert other.action == "extracted", site.host
            assert all(sentence in other.text for sentence in SENTENCES), site.host
            assert "sport" in one.text
            assert "sport" not in other.text
        else:
            assert other == replace(one, action="original"), site.host


def test_there_are_enough_sites_of_different_kinds() -> None:
    assert len(SITES) >= 20
    assert len({site.host for site in SITES}) == len(SITES)
