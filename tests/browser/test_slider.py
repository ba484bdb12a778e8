"""The slider in Chromium behind the proxy: a page tidied as far as its reader says, remembered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from playwright.async_api import Page

from tests.browser.browsers import chromium
from tests.browser.test_accessibility import violations
from tests.proxy.names import NamedOrigins, open_names
from tests.proxy.origins import Origin, html, serving
from tests.unhurried import UNHURRIED
from winnow.compose.running import running
from winnow.config.settings import Settings

HOST = "harbour.example"
WORDS = "The ferry leaves at nine and comes back before the tide turns. " * 9
PAGE = f"""<!doctype html><html lang="en"><head><title>Harbour</title></head>
<body style="background: #fff">
<nav><a href="/news">News</a> <a href="/sport">Sport</a></nav><main><h1>Harbour</h1>
<p>{WORDS}<a href="/map">The map</a></p><p id="clock">stopped</p></main>
<script>document.getElementById("clock").textContent = "running"</script></body></html>"""


@asynccontextmanager
async def visited(path: str = "") -> AsyncIterator[Page]:
    """A tab on the page, behind the proxy; with a path in the gateway, without the proxy."""
    plain = Settings()
    server = replace(plain.server, port=0)
    extraction = UNHURRIED
    settings = replace(plain, server=server, extraction=extraction)
    async with serving(Origin()) as origin:
        policy = "Content-Security-Policy: script-src 'unsafe-inline'"
        for address in ("/", "/other"):
            origin.replies[address] = html(PAGE.encode(), policy)
        names = NamedOrigins({(HOST, 80): origin.port})
        async with running(open_names(settings), names) as proxy:
            own = f"http://127.0.0.1:{proxy.port}"
            async with chromium("" if path else own) as browser:
                page = await browser.new_page()
                await page.goto(f"{own}{path}" if path else f"http://{HOST}/")
                yield page


async def tidied(page: Page, level: int) -> str:
    """Set the slider by the keyboard, in the bar of a page with its own look or among all options;
    press its button, confirm, and read."""
    await page.locator("#winnow-bar summary", has_text="More").focus()
    await page.keyboard.press("Enter")
    if not await page.get_by_role("slider").count():
        async with page.expect_navigation():
            await page.get_by_role("link", name="All options").click()
    slider = page.get_by_role("slider")
    await slider.focus()
    await page.keyboard.press("Home")
    for _ in range(level - 1):
        await page.keyboard.press("ArrowRight")
    assert await slider.input_value() == str(level)
    async with page.expect_navigation():
        await page.get_by_role("button", name="Apply").click()
    async with page.expect_navigation():
        await page.get_by_role("button", name="Save").click()
    return await page.locator("body").inner_text()


async def test_the_slider_tidies_the_page_and_is_remembered() -> None:
    async with visited() as page:
        text = await tidied(page, 1)
        assert "The ferry leaves" in text
        assert "The map" not in text
        text = await tidied(page, 5)
        assert "The map" in text
        assert "Sport" not in text
        await page.goto(f"http://{HOST}/other")
        assert await page.locator("input[type=range]").input_value() == "5"
        assert "Sport" in await tidied(page, 9)
        assert await violations(page) == []


async def test_scripts_run_again_at_the_last_levels_on_the_pages_own_site() -> None:
    async with visited() as page:
        assert "stopped" in await tidied(page, 10)
        assert "running" in await tidied(page, 12)


async def test_no_script_runs_in_the_gateway_at_any_level() -> None:
    async with visited(f"/http://{HOST}/") as page:
        for level in (11, 12):
            assert "stopped" in await tidied(page, level)
            assert await page.locator("input[type=range]").input_value() == str(level)
