"""Own pages in the colours that were chosen for reading; the page of who saves data."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.browser.browsers import SCREENSHOTS
from tests.browser.test_accessibility import violations
from tests.browser.test_views import visited
from tests.proxy.origins import html
from tests.sweeps import rest_in_release
from tests.winnow.conftest import ARTICLE

GROUND = "getComputedStyle(document.documentElement).backgroundColor"
PAGES = ("/", "/-/settings", "/-/settings/all", "/-/saved", "/-/activity", "/-/setup")


CHOSEN = {
    "dark": ("light", "rgb(25, 26, 28)"),
    "light": ("dark", "rgb(253, 252, 250)"),
    "sepia": ("dark", "rgb(246, 236, 217)"),
    "contrast": ("light", "rgb(0, 0, 0)"),
}
"""Theme to what the system asks for, and the ground that is shown."""


@pytest.mark.parametrize("theme", rest_in_release(CHOSEN, ["sepia"]))
async def test_own_pages_have_the_colours_that_were_chosen(theme: str) -> None:
    scheme, ground = CHOSEN[theme]
    async with visited(1280, 800, scheme) as (page, base, _):
        await page.goto(f"{base}/-/settings/reading")
        await page.select_option("#theme", theme)
        await page.click("button.first")
        for path in PAGES:
            await page.goto(base + path)
            assert await page.evaluate(GROUND) == ground, path
            assert await violations(page) == [], path
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        await page.screenshot(path=SCREENSHOTS / f"own-{theme}.png")


async def test_who_saves_data_gets_a_readable_page_with_one_line_of_links() -> None:
    text = "</p><p>".join(ARTICLE * 3)
    story = f"<!doctype html><title>Winnowing</title><h1>Winnowing</h1><p>{text}</p>"
    async with visited(360, 640, "light") as (tab, base, origin):
        origin.replies["/story"] = html(story.encode())
        await tab.set_extra_http_headers({"Save-Data": "on"})
        await tab.goto(f"{base}/-/read?url={quote(origin.url('/story'))}&mode=extract")
        copy = await tab.context.new_page()  # in the gateway no script runs
        await copy.set_content(await tab.content(), wait_until="domcontentloaded")
        assert await violations(copy) == []
        assert await tab.locator("#winnow-bar a").all_inner_texts() == [
            *("Original", "Aa", "Why?", "More")
        ]
        assert await tab.evaluate("document.documentElement.scrollWidth") <= 360
        assert await tab.evaluate("getComputedStyle(document.body).maxWidth") != "none"
        for link in await tab.locator("#winnow-bar a").all():
            box = await link.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 24
        async with tab.expect_navigation():
            await tab.click("#winnow-bar a:has-text('Original')")
        assert await tab.locator("#winnow-notice").count()
