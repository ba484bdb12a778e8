"""Own pages in every language in Chromium: axe-core, narrow screens, direction, weight."""

from __future__ import annotations

from urllib.parse import quote

from playwright.async_api import Page

from tests.browser.browsers import SCREENSHOTS
from tests.browser.test_accessibility import violations
from tests.browser.test_views import visited
from winnow.proxy.own.languages import Language

FIRST = {
    "front": "/",
    "setup": "/-/setup",
    "settings": "/-/settings",
    "language": "/-/settings/language",
}
SHOWN = {
    **FIRST,
    "reading": "/-/settings/reading",
    "crunch": "/-/settings/crunch?level=5&site=example.com",
    "options": "/-/options?url=http://a.example/story",
    "show": "/-/show",
    "saved": "/-/saved",
    "error": "/-/nothing",
}
LARGEST = 30_000
"""Bytes of a page."""


async def objections(tab: Page, site: str, pages: dict[str, str], label: str) -> list[str]:
    """What is wrong with pages, each in the language that the tab asks for."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    found = []
    for name, path in pages.items():
        answer = await tab.goto(f"{site}{path}")
        assert answer is not None
        width = await tab.evaluate("document.documentElement.scrollWidth - innerWidth")
        found += [f"{label} {name}: {each}" for each in await violations(tab)]
        if width > 0:
            found.append(f"{label} {name} is {width} pixels too wide")
        if len(await answer.body()) > LARGEST and name != "setup":
            found.append(f"{label} {name} has {len(await answer.body())} bytes")
        await tab.screenshot(path=SCREENSHOTS / f"own-{name}-{label}.png", full_page=True)
    return found


async def test_axe_objects_to_no_language_on_a_phone() -> None:
    async with visited(360, 640, "light") as (page, site, _origin):
        wrong = []
        for language in Language:
            await page.set_extra_http_headers({"Accept-Language": language.value})
            wrong += await objections(page, site, FIRST, f"{language.value}-360")
    assert wrong == []


async def test_axe_objects_to_no_page_from_right_to_left() -> None:
    async with visited(1280, 800, "dark") as (page, site, origin):
        why = f"/-/why?url={quote(origin.url('/news-article'), safe='')}"
        read = {"why": why, "why-list": f"{why}&view=list"}
        await page.set_extra_http_headers({"Accept-Language": "ar"})
        wrong = await objections(page, site, {**SHOWN, **read}, "ar-1280")
    assert wrong == []


async def test_a_language_is_chosen_by_keyboard_and_without_script() -> None:
    async with visited(360, 640, "light") as (page, site, _origin):
        await page.goto(site)
        await page.get_by_role("link", name="Language").first.press("Enter")
        await page.get_by_role("button", name="العربية").press("Enter")
        await page.wait_for_url("**/-/settings/language")
        assert await page.locator("html").get_attribute("dir") == "rtl"
        await page.goto(site)
        heading = await page.locator("h1").bounding_box()
        first, last = [await page.locator("header nav a").nth(at).bounding_box() for at in (0, 1)]
        assert heading is not None
        assert first is not None
        assert last is not None
        assert first["x"] > last["x"] or first["y"] < last["y"]
