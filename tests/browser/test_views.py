"""A block is kept on the page of reasons, by keyboard alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from urllib.parse import quote

from playwright.async_api import Page

from tests.browser.browsers import chromium
from tests.pages import golden
from tests.proxy.origins import Origin, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings

GOLDEN = ("news-article", "arabic", "nineties")


@asynccontextmanager
async def visited(width: int, height: int, scheme: str) -> AsyncIterator[tuple[Page, str, Origin]]:
    """A tab, our own address, and an origin with golden pages."""
    plain = Settings()
    settings = replace(
        plain,
        server=replace(plain.server, port=0),
        extraction=UNHURRIED,
    )
    async with (
        serving(Origin()) as origin,
        running(settings) as proxy,
        chromium() as browser,
    ):
        for name in GOLDEN:
            origin.replies[f"/{name}"] = html((golden.FOLDER / name / "source.html").read_bytes())
        context = await browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        yield await context.new_page(), f"http://127.0.0.1:{proxy.port}", origin


async def test_a_block_is_kept_by_keyboard_alone() -> None:
    async with visited(360, 640, "light") as (page, base, origin):
        url = quote(origin.url("/news-article"), safe="")
        await page.goto(f"{base}/-/why?url={url}&view=list")
        before = await page.locator(".gone, .part").count()
        assert before
        await page.locator(".gone summary, .part summary").first.focus()
        await page.keyboard.press("Shift+Tab")
        focused = await page.evaluate("document.activeElement.textContent")
        assert focused == "Keep this block on this site"
        async with page.expect_event("domcontentloaded"):
            await page.keyboard.press("Enter")
        assert page.url.startswith(f"{base}/-/why?url={url}&saved=")
        await page.goto(f"{base}/-/why?url={url}&view=list")
        assert await page.locator(".gone, .part").count() < before
