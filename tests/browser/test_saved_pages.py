"""Saved pages in Chromium: saved by a click, found by a word, noted by keyboard; axe-core."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS
from tests.browser.test_accessibility import violations
from tests.browser.test_views import GOLDEN, visited

TOOLS = """nodes => nodes.map(node => node.querySelector("summary") || node)
  .map(node => (node.title || node.textContent.trim()).replace(" page", ""))"""
SCREENS = [(1280, 800, "dark"), (360, 640, "light"), (240, 320, "light")]


async def saved(page: Page, base: str, url: str, tags: str = "") -> None:
    """Save a page as a reader does."""
    await page.goto(f"{base}/-/save?url={quote(url, safe='')}")
    await page.get_by_label("Tags").fill(tags)
    await page.get_by_role("button", name="Read later").click()
    await page.wait_for_url(f"{base}/-/saved/*")


@pytest.mark.parametrize(("width", "height", "scheme"), SCREENS)
async def test_axe_objects_to_no_saved_page(width: int, height: int, scheme: str) -> None:
    objections: dict[str, list[str]] = {}
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    async with visited(width, height, scheme) as (page, base, origin):
        paths = {"saved": "/-/saved", "saved-search": "/-/saved?q=the"}
        for name in GOLDEN:
            await saved(page, base, origin.url(f"/{name}"), "news, to read")
            await page.get_by_label("Words to highlight").fill("the")
            await page.get_by_label("Note").fill("A remark.")
            await page.get_by_role("button", name="Add").click()
            paths[f"saved-{name}"] = page.url.removeprefix(base)
        for name, path in paths.items():
            await page.goto(base + path, wait_until="domcontentloaded")
            if found := await violations(page):
                objections[name] = found
            if await page.evaluate("document.documentElement.scrollWidth") > width:
                objections.setdefault(name, []).append("wider than the screen")
            await page.screenshot(path=SCREENSHOTS / f"view-{name}-{width}.png", full_page=True)
    assert objections == {}, "\n".join(
        f"{name}: {line}" for name, found in objections.items() for line in found
    )


async def test_a_page_is_saved_found_by_a_word_and_read_again() -> None:
    async with visited(1280, 800, "light") as (page, base, origin):
        await saved(page, base, origin.url("/news-article"))
        title = await page.locator("h1").inner_text()
        word = max((await page.locator("article").inner_text()).split(), key=len)
        origin.replies.clear()
        await page.goto(f"{base}/-/saved")
        await page.get_by_role("searchbox").fill(word)
        await page.keyboard.press("Enter")
        await page.get_by_role("link", name=title, exact=True).click()
        await page.wait_for_url(f"{base}/-/saved/*")
        assert word in await page.locator("article").inner_text()


async def test_reader_page_saved_page_and_listen_have_the_same_five_tools() -> None:
    """One toolbar: in the same order, each by one click or, for what is shown, marked."""
    async with visited(1280, 800, "light") as (page, base, origin):
        url = origin.url("/news-article")
        await page.goto(f"{base}/{url}")
        bar = page.locator("#winnow-bar > div > :not(p), #winnow-bar > div > p > a:first-of-type")
        found = [await bar.evaluate_all(TOOLS)]
        await saved(page, base, url)
        found.append(await page.locator(".tools > *").evaluate_all(TOOLS))
        await page.locator(".tools").get_by_text("Listen").click()
        found.append(await page.locator(".tools > *").evaluate_all(TOOLS))
        await page.get_by_text("More", exact=True).click()
        await page.screenshot(path=SCREENSHOTS / "tools-listen.png")
        assert await page.get_by_role("link", name="All options").is_visible()
        await page.set_viewport_size({"width": 360, "height": 640})
        rows = await page.locator(".tools > *").evaluate_all("all => all.map(one => one.offsetTop)")
        assert len(set(rows)) == 1, "one row on a phone too"
    assert found == [
        ["Original", "Text and colours", "Read later", "Listen", "More"],
        ["Original", "Text and colours", "Saved", "Listen", "More"],
        ["Original", "Text and colours", "Read later", "Listen", "More"],
    ]
