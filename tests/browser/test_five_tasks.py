"""Five tasks of a new user, from the first page by clicks and keys alone, each in eight actions."""

from __future__ import annotations

import ssl
import zipfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import pytest
import trustme
from playwright.async_api import Page

from tests.browser.browsers import chromium
from tests.browser.day_sites import article
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings

MOST = 8
ADDRESS = "https://news.example/story"
MISSED = "Most read number 3"
"""Stands beside the text, and so is left out."""


@dataclass
class Walk:
    """A person at a window, whose actions are counted: a text typed, a click, a key."""

    tab: Page
    ports: dict[tuple[str, int], int]
    """Where each host and port of the site leads to; one that is taken out is not found."""
    actions: int = 0

    async def types(self, address: str) -> None:
        """Type the address into the first page, and press Enter."""
        await self.tab.get_by_label("Address").fill(address)
        self.actions += 1
        async with self.tab.expect_navigation():
            await self.tab.keyboard.press("Enter")
        self.actions += 1

    async def reads(self) -> None:
        await self.types(ADDRESS)
        assert "The ferry will open again" in await self.tab.inner_text("h1")

    async def click(self, role: str, name: str, *, leads_on: bool = False) -> None:
        """Click what has this name on the screen."""
        found = self.tab.locator(role, has_text=name).locator("visible=true").first
        self.actions += 1
        async with AsyncExitStack() as stack:
            if leads_on:
                await stack.enter_async_context(self.tab.expect_navigation())
            await found.click()


@asynccontextmanager
async def walking(
    folder: Path, width: int = 1280, pages: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[Walk]:
    """A window on the first page of a Winnow that was just started; ``pages``: of the site."""
    authority = trustme.CA()
    bundle = folder / "sites.pem"
    bundle.write_bytes(authority.cert_pem.bytes())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("news.example").configure_cert(context)
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        upstream=replace(plain.upstream, ca_bundle=bundle, http2=False),
        storage=replace(plain.storage, folder=folder / "winnow"),
        extraction=UNHURRIED,
    )
    async with serving(Origin(), context) as origin:
        for path, page in {"/story": article("ferry"), **pages}.items():
            origin.replies[path] = html(page.encode())
        ports = {("news.example", 443): origin.port}
        names = NamedOrigins(ports)
        async with running(open_names(settings), names) as proxy, chromium() as browser:
            screen = await browser.new_context(
                viewport={"width": width, "height": 640}, java_script_enabled=False
            )
            tab = await screen.new_page()
            await tab.goto(f"http://127.0.0.1:{proxy.port}/")
            walk = Walk(tab, ports)
            yield walk
            assert 0 < walk.actions <= MOST, walk.actions


async def test_read_this_https_page(tmp_path: Path) -> None:
    async with walking(tmp_path) as walk:
        await walk.reads()
        assert MISSED not in await walk.tab.inner_text("body")


async def test_make_this_site_never_be_changed(tmp_path: Path) -> None:
    async with walking(tmp_path) as walk:
        await walk.reads()
        await walk.click("a", "Never here", leads_on=True)
        assert MISSED in await walk.tab.inner_text("body")


async def test_get_a_missing_block_back_for_good(tmp_path: Path) -> None:
    async with walking(tmp_path) as walk:
        await walk.reads()
        await walk.click("summary", "More")
        await walk.click("a", "Why?", leads_on=True)
        part = walk.tab.frame_locator("iframe").locator("[data-winnow=gone]", has_text=MISSED)
        assert await part.get_attribute("title")
        walk.actions += 1
        async with walk.tab.expect_navigation():
            await part.locator("> a[data-winnow-note]").click()
        await walk.click("button", "Always keep it on", leads_on=True)
        await walk.click("a", "Read the page", leads_on=True)
        assert MISSED in await walk.tab.inner_text("main")


async def test_send_this_to_my_e_reader(tmp_path: Path) -> None:
    async with walking(tmp_path) as walk:
        await walk.reads()
        await walk.click("summary", "More")
        async with walk.tab.expect_download() as waiting:
            await walk.click("a", "EPUB")
        book = await (await waiting.value).path()
        with zipfile.ZipFile(book) as archive:
            assert archive.read("mimetype") == b"application/epub+zip"


@pytest.mark.parametrize("width", [360])
async def test_make_the_text_larger_and_dark_on_my_phone(tmp_path: Path, width: int) -> None:
    async with walking(tmp_path, width) as walk:
        await walk.reads()
        await walk.click("summary", "Text and colours")
        for name, choice in (("Text size", "Larger"), ("Colours", "Dark")):
            await walk.tab.get_by_label(name).select_option(choice)
            walk.actions += 2
        await walk.click("button", "Keep for all pages", leads_on=True)
        drawn = "node => [getComputedStyle(node).fontSize, getComputedStyle(node).color]"
        assert await walk.tab.locator("body").evaluate(drawn) == ["26.1px", "rgb(228, 226, 221)"]
